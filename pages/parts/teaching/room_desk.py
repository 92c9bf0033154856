"""The desk of a room: the votes of a question, how far the class is, and its sentences."""

from collections.abc import Callable
from types import MethodType
from typing import Literal

import streamlit as st

from mlm_core.figures.classroom.votes import dots_svg, votes_svg
from mlm_core.number_format import formatted
from pages.parts.teaching.room_progress import show_progress
from pages.shared.classroom.desk import Desk, Tally
from pages.shared.classroom.rooms import MOST_ROUNDS, Question, RoomNow
from pages.shared.classroom.store import NoSuchRoomError, StoreGoneError
from pages.shared.course.lessons import BY_SLUG
from pages.shared.course.words import Words, as_text, read_words
from pages.shared.figures.show import show_drawing, show_metrics
from pages.shared.figures.table import Table
from pages.shared.room import desk, membership
from pages.shared.room.server_rooms import server_rooms

SUMMARY = "summary"  # not polled: room_summary.py
WHAT = ("votes", "progress", "sentences", SUMMARY)
NEWEST = ""  # the choice that follows what learners answer
EXAMPLE = "isotropy"  # a lesson with a guess
MOST_WAITING = 30  # sentences that are shown at once


def show(mine: Desk, what: str) -> None:
    """Show what came in, one of WHAT but SUMMARY. Raises NoSuchRoomError, StoreGoneError."""
    words = read_words("room")
    with server_rooms():
        room = mine.look()
        metrics = {words.label("n_here"): formatted(mine.n_here(), ",")}
        if what == "votes":
            _show_votes(words, mine, room, metrics)
            return
        show_metrics(metrics)
        if what == "progress":
            show_progress(words, mine)
        else:
            _show_sentences(words, mine)


def title_of(question: Question) -> str:
    """Return a question in the teacher's language; one without such words is its id."""
    sentence = str(question.values.get("sentence", ""))
    try:
        title = read_words(question.lesson).plain(question.label, **question.values)
    except (KeyError, TypeError, ValueError):
        title = question.id
    return f"{title} {sentence}".strip()


def option_texts(question: Question) -> dict[str, str]:
    """Return the options' texts in the teacher's language where they are the lesson's own."""
    words, texts = read_words(question.lesson), {}
    for name, text in question.options.items():
        try:
            texts[name] = words.plain(f"{question.label}_{name}")
        except KeyError:
            texts[name] = text
    return texts


def named_counts(question: Question, tally: Tally) -> dict[str, int]:
    """Return counts by what the options say."""
    texts = option_texts(question)
    counts: dict[str, int] = {}
    for name, n in tally.counts.items():
        text = texts.get(name, name)
        counts[text] = counts.get(text, 0) + n
    return counts


def _show_votes(words: Words, mine: Desk, room: RoomNow, metrics: dict[str, str]) -> None:
    questions = {one.id: one for one in mine.questions() if one.lesson in BY_SLUG}
    if not questions:
        show_metrics(metrics)
        title = read_words(EXAMPLE).label("title")
        st.info(words.section("no_question", title=title), icon=":material/how_to_vote:")
        _shows_votes(words)  # so that it can be off when the first answer comes
        return
    titles = {NEWEST: words.plain("newest")}
    titles |= {
        name: f"{read_words(one.lesson).plain('title')}: {title_of(one)}"
        for name, one in questions.items()
    }
    chosen = st.selectbox(
        words.label("question"),
        list(titles),
        format_func=lambda name: titles.get(name, name),
        key="teaching_room_question",
        persist_state="session",
    )
    question = questions.get(chosen) or next(iter(questions.values()))
    state, tallies = room.state(question.id), mine.tallies(question)
    show_metrics(metrics | {words.label("n_voted"): formatted(tallies[-1].n, ",")})
    st.markdown(f"### {as_text(title_of(question))}")
    with st.container(horizontal=True, vertical_alignment="center"):
        if room.is_closed(question.id):
            _button(words.label("reveal"), mine.reveal, question.id, "visibility", "primary")
        if state.round < MOST_ROUNDS:
            _button(words.label("again"), mine.vote_again, question.id, "repeat", "secondary")
        is_shown = _shows_votes(words)
    if state.is_revealed:
        st.caption(words.section("revealed"))
    if is_shown:
        draw_votes(words, question, tallies, key="teaching_room_votes")


def _shows_votes(words: Words) -> bool:
    return st.toggle(
        words.label("show_votes"),
        value=True,
        key="teaching_room_show_votes",
        persist_state="session",
    )


def draw_votes(words: Words, question: Question, tallies: list[Tally], *, key: str) -> None:
    """Draw the first vote and the newest one."""
    shown = tallies if len(tallies) == 1 else [tallies[0], tallies[-1]]
    names = [words.plain("vote", n=one.round) for one in shown]
    about = {"n": shown[-1].n, "question": title_of(question)}
    if question.kind == "number":
        numbers = [one.numbers for one in shown]
        svg = dots_svg(numbers, round_names=names, alt=words.plain("dots_alt", **about))
        rows = [{"vote": one.round, "answer": number} for one in shown for number in one.numbers]
    else:
        counts = [named_counts(question, one) for one in shown]
        svg = votes_svg(counts, round_names=names, alt=words.plain("votes_alt", **about))
        rows = [
            {"vote": tally.round, "answer": text, "learners": n}
            for tally, one in zip(shown, counts, strict=True)
            for text, n in one.items()
        ]
    source = words.label("votes_source")
    show_drawing(svg, key=key, table=Table(rows), source=source)


def _show_sentences(words: Words, mine: Desk) -> None:
    waiting = [one for one in mine.sentences() if one.state == "waiting"]
    if not waiting:
        st.info(words.section("no_sentences"), icon=":material/inbox:")
    for one in waiting[:MOST_WAITING]:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(as_text(one.text), width="stretch")
            for verdict, icon, label in (
                ("accepted", "check", "accept"),
                ("dropped", "delete", "drop"),
            ):
                st.button(
                    words.label(label),
                    on_click=_try,
                    args=(mine.judge, one.key, verdict),
                    icon=f":material/{icon}:",
                    key=f"teaching_room_{label}_{one.key}",
                )


def _button(
    label: str,
    act: MethodType,
    question: str,
    icon: str,
    kind: Literal["primary", "secondary", "tertiary"],
) -> None:
    st.button(
        label,
        on_click=_try,
        args=(act, question),
        icon=f":material/{icon}:",
        type=kind,
        key=f"teaching_room_{act.__name__}",
    )


def _try(act: Callable[..., None], *values: object) -> None:
    """Do what a button asks; the desk says what stood in the way."""
    try:
        with server_rooms():
            act(*values)
    except NoSuchRoomError:
        desk.let_go(membership.ENDED)
    except StoreGoneError:
        pass  # the desk that is drawn next says so
