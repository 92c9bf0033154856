"""The teacher's bar on a page: the plan's step, the class's answers, and what can be done next.

It is drawn every two seconds, so that answers are counted where the figure is.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mlm_core.number_format import formatted
from pages.server import session
from pages.server.classroom.desk import Desk
from pages.server.classroom.own_step import id_of
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.course.core_messages import translated
from pages.server.course.language import IN_LINK as LANGUAGE
from pages.server.course.language import READS, examples_in, read_on
from pages.server.course.lessons import BY_SLUG, CONCEPT_TEST, OFFERED, TEACHING
from pages.server.course.words import Words, as_text, read_words
from pages.server.figures.clickable import drawing
from pages.server.link.controls import PRESENTS, part_key
from pages.server.room import (
    banner,
    by_teacher,
    class_training,
    collecting,
    desk,
    membership,
    plan_run,
    votes,
)
from pages.server.room.plan_run import Run, Stop
from pages.server.room.server_rooms import asked, server_rooms

OWN = (LANGUAGE, PRESENTS)  # parameters of the teacher's own page
WAYS = ("room_plan_back", "room_plan_next")  # keys of the buttons that the arrow keys press


def show(slug: str) -> None:
    """Show the bar to who directs a room or runs a plan; `slug` is the page's."""
    words, mine, run = read_words("room"), desk.current(), plan_run.current()
    if mine is not None:
        class_training.keep_going(mine)  # also while a projector shows how learners come in
        if run is not None:
            _give(mine, run)
    if slug == TEACHING.slug:
        mine = None  # the desk itself has what stands here elsewhere
    if mine is None and run is None:
        return
    with st.container(key="room_banner_desk", gap="xsmall"):
        if run is not None:
            _show_step(words, run, slug)
        above = st.container(horizontal=True, vertical_alignment="center")
    if mine is None:
        return
    try:
        with server_rooms():
            _show_class(words, mine, slug, above)
    except NoSuchRoomError:
        desk.let_go(membership.ENDED)
        st.rerun()
    except StoreGoneError:
        above.warning(words.section(membership.GONE), icon=":material/cloud_off:")


def show_step_words() -> None:
    """Show the note and the text of the plan's step, which scroll away below the bar."""
    run = plan_run.current()
    if run is None:
        return
    if run.now.note:
        st.caption(as_text(run.now.note))
    own = run.now.own
    if own and (isinstance(own, str) or desk.current() is None):
        by_teacher.show_words(own)  # of a question with its votes the desk is below


def _give(mine: Desk, run: Run) -> None:
    """Give the class the text or question of the step that is on, in place of another one.

    A plan that runs in another tab may replace it; where it was taken back, it is given again.
    """
    room, led, own = asked(lambda _: mine.look()), session.of(plan_run.Led), run.now.own
    place = mine.code, id_of(own)
    if room is None:
        return
    is_due = room.own != place[1] and (not room.own or led.given != place)
    if not is_due or asked(lambda _: mine.show_own(own) or True):
        led.given = place


def _show_step(words: Words, run: Run, slug: str) -> None:
    """Show the step of the plan that is on, and the ways to the next and back."""
    place = {"n": run.at + 1, "of": len(run.stops), "title": run.now.title}
    left = {"left": run.minutes_left, "minutes": run.now.minutes}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(words.label("plan_step", **place, **left), width="content")
        ways = ((-1, "plan_back", "arrow_back"), (1, "plan_next", "arrow_forward"))
        for (by, name, icon), key in zip(ways, WAYS, strict=True):
            stop = run.near(by)
            if stop and st.button(
                words.label(name, title=stop.title),
                icon=f":material/{icon}:",
                type="primary" if by > 0 else "tertiary",
                key=key,
            ):
                plan_run.go(by)
                go_to(stop, slug)
                st.rerun()  # a step without a view leads nowhere
        looks: dict[str, Any] = {"icon": ":material/stop:", "type": "tertiary"}
        if st.button(words.label("plan_stop"), key="room_plan_stop", **looks):
            plan_run.stop()
            st.rerun()  # the step's words are outside of the bar


def _show_class(words: Words, mine: Desk, slug: str, above: DeltaGenerator) -> None:
    """Show how many answered the page's newest question, and its votes over the page."""
    room = mine.look()
    asked = mine.questions() if slug in BY_SLUG else ()
    question = next((one for one in asked if one.lesson == slug), None)
    tallies = mine.tallies(question) if question else []
    is_shown = False
    with above:
        st.markdown(words.section("director", code=mine.code), width="content")
        if question is not None:
            votes.show_answered(words, mine, tallies[-1])
            votes.show_buttons(words, mine, room, question)
            is_shown = votes.show_switch(words)
        else:
            st.markdown(
                f"{words.label('n_here')}: {formatted(mine.n_here(), ',')}", width="content"
            )
        if slug == CONCEPT_TEST.slug:
            collecting.show_test_switch(words, mine)
        if slug in OFFERED:
            st.button(
                words.label("offer"),
                on_click=_offer_this,
                args=(slug,),
                icon=":material/campaign:",
                key="room_offer",
            )
        st.page_link(
            TEACHING.file,
            label=words.label("to_desk"),
            icon=":material/co_present:",
            query_params={part_key(TEACHING.slug): "room"},
        )
    if question is not None and is_shown and tallies[-1].n:
        with st.container(key="room_bar"):
            is_revealed = room.state(question.id).is_revealed
            svg, _table = votes.votes_drawing(words, question, tallies, is_revealed=is_revealed)
            drawing(svg, key="room_bar_votes")


def go_to(stop: Stop, here: str) -> None:
    """Lead the teacher from the page `here` to a step's view, and send it to the class."""
    if not stop.file:
        return
    if stop.slug in OFFERED:
        _offer(stop.slug, stop.parameters)
    banner.lead_to(stop.slug, stop.file, stop.parameters, here)


def _offer_this(slug: str) -> None:
    _offer(slug, {key: st.query_params.get_all(key) for key in st.query_params})


def _offer(slug: str, parameters: Mapping[str, Sequence[str]]) -> None:
    """Offer a view to the room, but for the teacher's own language and presentation.

    What the teacher reads is read by all, so that they vote on the same sentence.
    """
    words, mine = read_words("room"), desk.current()
    if mine is None:
        return  # a plan runs without a room, too, and a room may just have ended
    asked = {key: value for key, value in parameters.items() if key not in OWN}
    if len(examples_in(slug)) > 1:
        asked.setdefault(READS, [read_on(slug)])
    try:
        with server_rooms():
            mine.offer(f"{slug}?{urlencode(asked, doseq=True, quote_via=quote)}")
    except NoSuchRoomError:
        desk.let_go(membership.ENDED)
    except StoreGoneError:
        st.toast(words.section(membership.GONE), icon=":material/cloud_off:")
    except ValueError as error:
        st.toast(as_text(translated(str(error))), icon=":material/link_off:")
    else:
        st.toast(words.section("offered"), icon=":material/campaign:")
