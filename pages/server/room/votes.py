"""The votes on one question, for the teacher: on the desk, and on the lesson's own page."""

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from mlm_core.exercises.own.own_question import read_question
from mlm_core.figures.classroom.votes import dots_svg, votes_svg
from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from pages.server.classroom.desk import Desk, Tally
from pages.server.classroom.own_step import letters_of, text_of
from pages.server.classroom.own_step import title_of as own_title
from pages.server.classroom.rooms import MOST_ROUNDS, Question, RoomNow
from pages.server.classroom.store import NoSuchRoomError, StoreGoneError
from pages.server.course.lessons import BY_SLUG
from pages.server.course.words import Words, as_text, read_words
from pages.server.figures.show import show_drawing
from pages.server.figures.table import Table
from pages.server.room import by_teacher, desk, membership
from pages.server.room.server_rooms import server_rooms

SHOWN = "teaching_room_show_votes"  # the teacher's switch
WAYS = ("teaching_room_earlier", "teaching_room_later")  # buttons that the arrow keys press


def show_answered(words: Words, mine: Desk, newest: Tally) -> None:
    """Show how many of the learners here answered in a question's newest round."""
    told = {"n": newest.n, "of": max(mine.n_here(), newest.n)}
    st.markdown(words.label("answered", **told), width="content")


def show_buttons(words: Words, mine: Desk, room: RoomNow, question: Question) -> None:
    """Show what the teacher can do with a question: reveal the answer, let the class vote again."""
    if room.is_closed(question):
        st.button(
            words.label("reveal"),
            on_click=act,
            args=(mine.reveal, question.id),
            icon=":material/visibility:",
            type="primary",
            key="teaching_room_reveal",
        )
    if room.state(question.id).round < MOST_ROUNDS:
        st.button(
            words.label("again"),
            on_click=act,
            args=(mine.vote_again, question.id),
            icon=":material/repeat:",
            key="teaching_room_vote_again",
        )


def are_shown() -> bool:
    """Return whether the switch lets the votes be seen."""
    return st.session_state.get(SHOWN, True)


def show_switch(words: Words) -> bool:
    """Show the switch of the votes; return whether they are shown."""
    return st.toggle(words.label("show_votes"), value=True, key=SHOWN, persist_state="session")


def on_desk(mine: Desk) -> list[Question]:
    """Return the questions whose votes are shown, the newest first: lessons' and the teacher's."""
    return [one for one in mine.questions() if one.own or one.lesson in BY_SLUG]


def show_question(question: Question, *, before: str = "", is_revealed: bool) -> None:
    """Show what is asked, after a title that comes `before`; a teacher's question is Markdown."""
    title = "" if question.own else title_of(question)
    if head := ": ".join(filter(None, (before, title))):
        st.markdown(f"### {as_text(head)}")
    if question.own:
        by_teacher.show_to_class(read_question(question.own), is_revealed=is_revealed)


def lesson_of(question: Question) -> str:
    """Return the title of a question's lesson; a teacher's own has none and is named so."""
    if question.own:
        return read_words("room").plain("own_question")
    return read_words(question.lesson).plain("title")


def draw_votes(
    words: Words, question: Question, tallies: list[Tally], *, key: str, is_revealed: bool
) -> None:
    """Draw the first vote and the newest one, with their numbers."""
    svg, table = votes_drawing(words, question, tallies, is_revealed=is_revealed)
    show_drawing(svg, key=key, table=table, source=words.label("votes_source"))


def votes_drawing(
    words: Words, question: Question, tallies: list[Tally], *, is_revealed: bool
) -> tuple[str, Table]:
    """Return the drawing of the first vote and the newest one, and its numbers.

    The right answer is marked if it `is_revealed`, and if learners' pages computed one alone.
    """
    shown = tallies if len(tallies) == 1 else [tallies[0], tallies[-1]]
    right = right_text(question, tallies) if is_revealed else ""
    about = {"n": shown[-1].n, "question": title_of(question)}
    told = words.plain("right_is", answer=right) if right else ""
    names = [words.plain("vote", n=one.round) for one in shown]
    if question.kind == "number":
        full = {"written": lambda number: formatted(number, ".15g")} if question.own else {}
        svg = dots_svg(
            [one.numbers for one in shown],
            round_names=names,
            alt=f"{words.plain('dots_alt', **about)} {told}".strip(),
            right=float(shown[-1].right) if right else None,
            **full,
        )
        rows = [{"vote": one.round, "answer": number} for one in shown for number in one.numbers]
        return svg, Table(rows)
    short = right_text(question, tallies, is_short=True) if is_revealed else ""
    svg = votes_svg(
        _counts_with(short, [named_counts(question, one, is_short=True) for one in shown]),
        round_names=names,
        alt=f"{words.plain('votes_alt', **about)} {told}".strip(),
        right=short,
    )
    counts = _counts_with(right, [named_counts(question, one) for one in shown])
    rows = [
        {"vote": tally.round, "answer": text, "learners": n}
        for tally, one in zip(shown, counts, strict=True)
        for text, n in one.items()
    ]
    return svg, Table(rows)


def _counts_with(right: str, counts: list[dict[str, int]]) -> list[dict[str, int]]:
    """Return the counts of each vote, the first one with the right answer, if there is one."""
    if right:
        counts[0].setdefault(right, 0)  # nobody gave it
    return counts


def right_text(question: Question, tallies: list[Tally], *, is_short: bool = False) -> str:
    """Return the right answer as its option says it; "" without one that holds for all."""
    right = tallies[-1].right
    if question.own:
        return (letters_of if is_short else text_of)(read_question(question.own), right)
    if question.kind == "number" and right:
        return significant(float(right), 3)
    return option_texts(question).get(right, right)


def title_of(question: Question) -> str:
    """Return a question in the teacher's language; one without such words is its id."""
    if question.own:
        return own_title(read_question(question.own), 200)
    sentence = str(question.values.get("sentence", ""))
    try:
        title = read_words(question.lesson).plain(question.label, **question.values)
    except (KeyError, TypeError, ValueError):
        title = question.id
    return f"{title} {sentence}".strip()


def option_texts(question: Question) -> dict[str, str]:
    """Return the options' texts in the teacher's language where they are the lesson's own."""
    if question.own:
        return dict(question.options)
    words, texts = read_words(question.lesson), {}
    for name, text in question.options.items():
        try:
            texts[name] = words.plain(f"{question.label}_{name}")
        except KeyError:
            texts[name] = text
    return texts


def named_counts(question: Question, tally: Tally, *, is_short: bool = False) -> dict[str, int]:
    """Return counts by what the options say; of an order or match by letters if `is_short`."""
    own = read_question(question.own) if question.own else None
    texts = option_texts(question)
    counts: dict[str, int] = {}
    for name, n in tally.counts.items():
        named = (letters_of if is_short else text_of)(own, name) if own else texts.get(name, name)
        counts[named] = counts.get(named, 0) + n
    return counts


def results_of(votes: Iterable[tuple[Question, list[Tally]]]) -> list[dict[str, Any]]:
    """Return for each question the share of right answers, in the first vote and the newest.

    Those that most learners had wrong at first come first; without the questions that have no
    right answer, or none that a page has computed.
    """
    rows: list[dict[str, Any]] = []
    depends = read_words("room").plain("right_depends")
    for question, tallies in votes:
        voted = [one for one in tallies if one.n]
        if not voted or not tallies[-1].rights:
            continue
        first, newest = (round(100 * one.n_right / one.n) for one in (voted[0], voted[-1]))
        rows.append(
            {
                "lesson": lesson_of(question),
                "question": title_of(question),
                "right_answer": right_text(question, tallies) or depends,
                "learners": voted[-1].n,
                "votes": len(voted),
                "right_first": first,
                "right_newest": newest,
                "gain": newest - first,
            }
        )
    return sorted(rows, key=lambda row: row["right_first"])


def act(what: Callable[..., None], *values: object) -> None:
    """Do what a button asks; the page that is drawn next says what stood in the way."""
    try:
        with server_rooms():
            what(*values)
    except NoSuchRoomError:
        desk.let_go(membership.ENDED)
    except StoreGoneError:
        pass
