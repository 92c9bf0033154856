"""What a page says of the room: that the learner is in one, and what the teacher offers.

One fragment that looks at the room every few seconds. Where a question was opened, a second vote
began or a sentence was let through, it lets the parts that show it be drawn anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs

import streamlit as st

from pages.server import session
from pages.server.classroom.rooms import ENCODER, LEARNER_QUESTIONS, SENTENCES, Offer, RoomNow
from pages.server.course.lessons import OFFERED, TEACHING
from pages.server.course.words import Words, read_words
from pages.server.link.controls import part_key
from pages.server.process.streamlit_patches import browser_history, part_requests
from pages.server.room import class_map, desk, membership, plan_run, sentences
from pages.server.room.browser_memory import LEARNER, TEACHER, remember

LOOK_SECONDS, DESK_SECONDS = 3.0, 2.0  # the desk is one visit of thirty
PLAN_SECONDS = 20.0  # for the minutes left, without a room
AT_ONCE = "room_follow"  # the learner's switch
MOST_PARAMETERS = 200


@dataclass
class Looks:
    """What a page knows of its room from its last look."""

    # What the page draws of it, by its kind; None without a room. `is_first`: it wasn't compared.
    states: Mapping[str, object] | None = None
    is_first: bool = True
    followed: int | None = None  # the number of the offer that was followed
    goes: bool = False  # the next page is drawn as its link says, also if it is this one


def is_needed() -> bool:
    """Return whether there is anything of a room to say or to let the browser know."""
    places = session.of(membership.InRoom), session.of(desk.AtDesk)
    is_any = any(one.mine or one.news or one.has_left for one in places)
    return is_any or plan_run.current() is not None


def seconds_between_looks() -> float | None:
    """Return how often the page looks at its room; None where it is in none."""
    if desk.current() is not None:
        return DESK_SECONDS
    if plan_run.current() is not None:
        return PLAN_SECONDS
    return LOOK_SECONDS if membership.current() is not None else None


def show(slug: str) -> None:
    """Show where the visit is; `slug` is the page's."""
    words = read_words("room")
    room = membership.look()
    _follow_states(room or desk.look())
    at_desk = [session.of(desk.AtDesk)] * (slug != TEACHING.slug)  # the desk says its own
    for kept in (session.of(membership.InRoom), *at_desk):
        desk.say(kept.news)
        if kept.news != membership.GONE:
            kept.news = ""  # said once
    if room is not None:
        _show_membership(words, room, slug)


def _show_membership(words: Words, room: RoomNow, here: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="room_banner"):
        st.markdown(words.section("member", code=room.code), width="content")
        at_once = st.toggle(words.label("at_once"), key=AT_ONCE, persist_state="session")
        more = st.popover(words.label("more"), type="tertiary", key="room_more")
        with more:
            st.caption(words.section("at_once"))
            st.button(
                words.label("leave"),
                on_click=membership.leave,
                icon=":material/logout:",
                type="tertiary",
                key="room_leave",
            )
        if room.offer is None or not (offered := place_of(room.offer.link)):
            return
        # What is new is offered in view, on a phone at the lower edge; then it is in the menu.
        slug, asked = offered
        is_there = slug == here and all(
            st.query_params.get_all(key) == values for key, values in asked.items()
        )
        if is_there:  # whoever goes on from here isn't called back
            session.of(Looks).followed = room.offer.number
        is_new = session.of(Looks).followed != room.offer.number
        with st.container(key="room_call") if is_new else more:
            goes = st.button(
                words.label("follow", title=title_of(*offered)),
                icon=":material/directions_walk:",
                type="primary" if is_new else "tertiary",
                key="room_go",
            )
        if goes or (at_once and is_new):
            _go(room.offer, *offered, here)


def _follow_states(room: RoomNow | None) -> None:
    """Draw anew what shows a question or sentences that have changed."""
    states: dict[str, object] | None = None
    if room is not None:
        states = {"votes": _votes(room), "boxes": _boxes(room), "test": room.asks_after}
        states["questions"] = (LEARNER_QUESTIONS.name in room.takes, room.questions_changed)
        states["own"] = (room.own, room.waits, room.state(room.own)) if room.own else None
    kept = session.of(Looks)
    before = states if kept.is_first else kept.states
    kept.states, kept.is_first = states, False
    if (states is None) != (before is None):  # the room has ended, is gone or back
        st.rerun()
    changed = {what for what, state in (states or {}).items() if state != (before or {})[what]}
    if sentences.have_changed():
        changed.add("boxes")
    if class_map.have_changed():
        changed.add("map")
    parts = session.of(membership.InRoom).parts
    part_requests.draw(set().union(*(parts.get(what, ()) for what in changed)))


def _votes(room: RoomNow) -> object:
    return room.waits, dict(room.states)


def _boxes(room: RoomNow) -> object:
    """Return what the boxes for sentences depend on; a map follows its own."""
    takes = [one.name in room.takes for one in (SENTENCES, ENCODER)]
    choices = {} if room.encoder_blank else dict(room.encoder_choices)
    return takes, room.themes[ENCODER.name], room.encoder_seed, choices


def _go(offer: Offer, slug: str, parameters: dict[str, list[str]], here: str) -> None:
    session.of(Looks).followed = offer.number
    lead_to(slug, OFFERED[slug].file, parameters, here)


def lead_to(slug: str, file: str, parameters: Mapping[str, Sequence[str]], here: str) -> None:
    """Open a page as a link with these parameters does, from the page `here`."""
    session.of(Looks).goes = True
    if slug != here:
        browser_history.go_to(slug)
    st.switch_page(file, query_params=parameters)


def place_of(link: str) -> tuple[str, dict[str, list[str]]] | None:
    """Return the page and the parameters of a link without address; None if it is none of ours."""
    slug, _, query = link.partition("?")
    try:
        asked = parse_qs(query, keep_blank_values=True, max_num_fields=MOST_PARAMETERS)
    except ValueError:
        return None
    return (slug, asked) if slug in OFFERED else None


def title_of(slug: str, parameters: Mapping[str, Sequence[str]]) -> str:
    """Return what a page and the part of it that is open are called."""
    words = read_words(slug)
    part = parameters.get(part_key(slug), [""])[-1]
    try:
        return f"{words.plain('title')}: {words.plain(f'part_{part}')}"
    except KeyError:
        return words.plain("title")


def begin_page() -> None:
    """Forget what was drawn before: all is drawn as the room is now. Send the cookie.

    It goes with the page and not with each look: it has 700 bytes.
    """
    in_room, at_desk = session.of(membership.InRoom), session.of(desk.AtDesk)
    in_room.parts.clear()
    session.of(Looks).is_first = True
    if (mine := in_room.mine) is not None:
        remember(LEARNER, mine.code, mine.visit)
        in_room.has_left = False
    elif in_room.has_left:
        remember(LEARNER)
    if (directed := at_desk.mine) is not None:
        remember(TEACHER, directed.code, at_desk.key)
        at_desk.has_left = False
    elif at_desk.has_left:
        remember(TEACHER)
