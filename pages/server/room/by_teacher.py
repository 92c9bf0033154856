"""The teacher's own text or question: shown to a learner on every page, answered, judged."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import streamlit as st

from mlm_core.exercises.exercise import UnreadableAnswerError
from mlm_core.exercises.own.own_question import OwnQuestion
from pages.server.classroom import own_step
from pages.server.classroom.own_step import (
    Own,
    as_kept,
    is_right,
    right_of,
    safe_markdown,
    text_of,
    words_of,
)
from pages.server.course.words import Words, as_text, read_words
from pages.server.room import asks, membership, telling
from pages.server.room.server_rooms import asked

BOX = "room_own"
# An answer that is not sent stays over the teacher's steps and another language. A form would
# keep it in the browser alone, and a field that draws the page could lose a quick next choice.
STAYS: dict[str, Any] = {"persist_state": "session", "on_change": "ignore"}
FIELD_WIDTH = 220  # pixels: one below the other on a phone


def show() -> None:
    """Show what the teacher gives to the class, whatever page a learner is on."""
    membership.follow("own")
    room = membership.look()
    if room is None:
        return
    code, about = room.code, f"{room.own} {room.state(room.own).round}"
    own = asked(lambda rooms: own_step.now(rooms, code)) if room.own else ""
    asks.ask(BOX, about if own else "")
    if not own:
        return
    words = read_words("room")
    box = asks.open_box(words, "by_teacher", key=BOX, icon=":material/person_raised_hand:")
    if box is None:
        return
    with box:
        show_words(own)
        if isinstance(own, OwnQuestion):
            _show_answer(words, own)


def _show_answer(words: Words, own: OwnQuestion) -> None:
    """Ask a learner, and show what the room has; the verdict once it may be shown."""
    vote = telling.begin(own_step.question_of(own))
    if vote is None:
        return  # the room has just ended
    sent = None
    if not vote.is_revealed:
        sent = ask(words, own, key=vote.key(f"{BOX}_{vote.question.id}"), label="own_send")
    answer = telling.answered(vote) if sent is None else sent
    if sent is not None:
        asks.is_done(BOX)
    if answer is None:
        if vote.is_revealed:
            show_verdict(words, own, None)
        return
    st.caption(words.section("own_sent", answer=text_of(own, answer)))
    if telling.is_open(vote, answer):
        show_verdict(words, own, answer)


def show_trial(own: Own, *, key: str) -> None:
    """Show a text or question to its teacher as learners get it, with the verdict."""
    words = read_words("room")
    _, n_left_out = safe_markdown(words_of(own))
    if n_left_out:
        st.warning(words.section("own_images", n=n_left_out), icon=":material/hide_image:")
    show_words(own)
    if isinstance(own, OwnQuestion):
        answer = ask(words, own, key=f"{key}_{own_step.id_of(own)}", label="own_check")
        if answer is not None:
            show_verdict(words, own, answer)


def show_words(own: Own) -> None:
    """Show a text, or what a question asks, with what an order or match offers by letters."""
    st.markdown(safe_markdown(words_of(own))[0])
    if isinstance(own, OwnQuestion) and own.kind in ("order", "match"):
        shown = sorted(zip(own_step.letters(own), own.partners or own.options, strict=True))
        st.markdown("\n".join(f"- **{letter}** {as_text(one)}" for letter, one in shown))


def show_to_class(own: OwnQuestion, *, is_revealed: bool) -> None:
    """Show a question beside its votes: what is asked, what is offered, and at last why."""
    show_words(own)
    if own.kind == "match":
        st.markdown("\n".join(f"{at}. {as_text(one)}" for at, one in enumerate(own.options, 1)))
    if own.kind == "labels":
        st.markdown(as_text(" ".join(own.options)))
    if is_revealed:
        show_verdict(read_words("room"), own, None)


def ask(words: Words, own: OwnQuestion, *, key: str, label: str) -> str | None:
    """Show the fields of an answer; return the one sent just now, as a room keeps it.

    None without one; one that is not complete is refused with a sentence.
    """
    answer = _fields(words, own, key)
    if not st.button(words.label(label), key=f"{key}_send"):
        return None
    given = answer.split()
    wrong = "answer" if own.kind != "number" else "number"
    if own.kind in ("order", "match") and len({*given}) < len(given):
        wrong = "each"
    else:
        with suppress(UnreadableAnswerError):
            return as_kept(own, answer)
    st.warning(words.section(f"own_no_{wrong}"), icon=":material/edit:")
    return None


def show_verdict(words: Words, own: OwnQuestion, answer: str | None) -> None:
    """Show whether an answer is right, what is, and why; without an answer what is right."""
    about = {"answer": text_of(own, right_of(own))}
    if answer is None:
        st.info(words.section("own_right_is", **about), icon=":material/key:")
    elif is_right(own, answer):
        st.success(words.section("own_right"), icon=":material/check:")
    else:
        st.error(words.section("own_wrong", **about), icon=":material/close:")
    if own.explanation:
        st.markdown(safe_markdown(own.explanation)[0])


def _fields(words: Words, own: OwnQuestion, key: str) -> str:
    """Show the fields; return the answer as it is so far."""
    options = own.options
    if own.kind == "number":
        named: dict[str, Any] = {"key": f"{key}_0", "autocomplete": "off", "live": True, **STAYS}
        return st.text_input(words.label("own_number"), max_chars=40, **named).strip()
    if own.kind == "choice" and own.takes_several:
        st.caption(words.section("own_several"))
        chosen = [
            st.checkbox(as_text(one), key=f"{key}_{at}", **STAYS) for at, one in enumerate(options)
        ]
        return " ".join(str(at) for at, is_chosen in enumerate(chosen) if is_chosen)
    if own.kind == "choice":
        shown = {str(at): as_text(one) for at, one in enumerate(options)}
        label = words.label("own_answer")
        named: dict[str, Any] = {"format_func": shown.get, "key": f"{key}_0", **STAYS}
        return st.radio(label, shown, index=None, **named) or ""
    if own.kind == "labels":
        labels = list(dict.fromkeys(own.partners))
        return _lists(words, [as_text(one) for one in options], labels, labels, key)
    titles = [as_text(f"{at}. {one}") for at, one in enumerate(options, 1)]
    if own.kind == "order":
        titles = [words.label("own_place", n=at + 1) for at in range(len(options))]
    letters = own_step.letters(own)
    return _lists(words, titles, [str(at) for at in own.shown_order()], sorted(letters), key)


def _lists(
    words: Words, titles: Sequence[str], answers: Sequence[str], texts: Sequence[str], key: str
) -> str:
    """Show a list for each title; return the chosen answers, "" while one is missing."""
    shown = dict(zip(answers, texts, strict=True))
    with st.container(horizontal=True):
        chosen = [
            st.selectbox(
                title,
                answers,
                index=None,
                format_func=lambda one: shown.get(one, one),
                placeholder=words.plain("own_choose"),
                key=f"{key}_{place}",
                width=FIELD_WIDTH,
                **STAYS,
            )
            for place, title in enumerate(titles)
        ]
    return " ".join(map(str, chosen)) if all(chosen) else ""
