"""A guess before an answer: several lessons ask for one, and show nothing until it is made.

In a room the guess goes to the teacher's desk, and the answer may wait for the teacher. Once it is
revealed, the teacher's own page answers the class's usual guess.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import streamlit as st

from pages.server import session
from pages.server.classroom.rooms import Kind, Question
from pages.server.course.words import Text, as_text, read_words
from pages.server.frame.page_frame import Page
from pages.server.room import asks, desk, membership, telling, votes

LONGEST_VALUE = 200  # characters of a text in a question


@dataclass
class Guessed:
    """What a visit's guesses are about, by their keys."""

    about: dict[str, object] = field(default_factory=dict)


def ask_for_guess(
    page: Page,
    name: str,
    options: Sequence[str] | Mapping[str, str],
    /,
    *,
    key: str,
    about: object = None,
    **values: object,
) -> str | None:
    """Show the options; return the guess once it is made.

    A guess about something else than `about` is forgotten. The question is the lesson's label
    `<name>_guess` with these values. Options without texts of their own have the labels
    `<name>_guess_<option>`. A text that is no `Text` has no Markdown.
    """
    asked = key if about is None else _named_by(key, repr(about))
    question = _question(page, f"{name}_guess", "choice", asked, values, options)
    vote = telling.begin(question)
    field, words = vote.key(key) if vote else key, page.words
    if not isinstance(options, Mapping):
        options = {option: words.label(f"{name}_guess_{option}") for option in options}
    guessed = session.of(Guessed)
    if guessed.about.get(key) != about:
        guessed.about[key] = about
        st.session_state[key] = st.session_state[field] = None
    guess = st.segmented_control(
        words.label(f"{name}_guess", **values),
        list(options),
        format_func=lambda one: text if isinstance(text := options[one], Text) else as_text(text),
        key=field,
        persist_state="session",
        wrap=True,
    )
    kept = _kept(vote, key, guess)
    _lead_to(field, vote)
    return _answer_of_class(question) if guess is None and kept is None else kept


def may_show_answer(
    page: Page, label: str, kind: Kind, answer: str, *, key: str, **values: object
) -> bool:
    """Return whether a page may show the answer to a guess that a widget of its own took.

    Outside of a room it always may. `label` is the lesson's, with these values; each `sentence`
    among them is a question of its own, and the desk shows it.
    """
    vote = telling.begin(_question_of_widget(page, label, kind, key, values))
    may_show = not telling.is_left_over(vote, answer) and telling.is_open(vote, answer)
    _lead_to(key, vote)
    return may_show


def answer_of_class(
    page: Page, label: str, kind: Kind, *, key: str, **values: object
) -> str | None:
    """Return the class's usual answer, once revealed, on the page of who directs the room.

    It stands in for a guess that was not made there; the arguments are may_show_answer's.
    """
    return _answer_of_class(_question_of_widget(page, label, kind, key, values))


def tell_right(page: Page, label: str, right: str) -> None:
    """Let a room know the right answer to the guess with this label, just shown on the page.

    The teacher's votes mark it, once it is revealed.
    """
    telling.tell_right(page.lesson.slug, label, right)


def is_in_class() -> bool:
    """Return whether this visit is in a room, or directs one."""
    return membership.current() is not None or desk.current() is not None


def _answer_of_class(question: Question) -> str | None:
    """Return the class's usual answer to a revealed question for its director, and say it."""
    answer = desk.revealed_answer(question)
    if answer is not None:
        shown = (
            float(answer)
            if question.kind == "number"
            else votes.option_texts(question).get(answer, answer)
        )
        st.caption(read_words("room").section("class_answer", answer=shown))
    return answer


def _question_of_widget(
    page: Page, label: str, kind: Kind, key: str, values: Mapping[str, object]
) -> Question:
    sentence = str(values.get("sentence", ""))
    asked = _named_by(key, sentence) if sentence else key
    return _question(page, label, kind, asked, values, {})


def _named_by(key: str, about: str) -> str:
    """Return the id of a question that is asked about different things."""
    return f"{key}_{sha256(about.encode('utf-8', 'replace')).hexdigest()[:12]}"


def _lead_to(field: str, vote: telling.Vote | None) -> None:
    """Lead to a field where the class votes again and this learner has not."""
    if vote is not None and telling.awaits(vote):
        asked = f"{vote.question.id} {vote.round}"
        asks.show_chip(field, asked, read_words("room").plain("vote_again_short"))


def _kept(vote: telling.Vote | None, key: str, guess: str | None) -> str | None:
    """Tell the room the guess; return it if its answer may be shown.

    Once the answer is revealed, who gave none in this vote has that of the first.
    """
    if guess is None:
        return st.session_state.get(key) if vote is not None and vote.is_revealed else None
    if not telling.is_open(vote, guess):
        return None
    if vote is not None and vote.round > 1:
        st.session_state[key] = guess  # where parts find it, and what stays when the room ends
    return guess


def _question(
    page: Page,
    label: str,
    kind: Kind,
    key: str,
    values: Mapping[str, object],
    options: Sequence[str] | Mapping[str, str],
) -> Question:
    # Options without texts of their own have labels, which the desk reads in its own language.
    texts = options if isinstance(options, Mapping) else dict.fromkeys(options, "")
    simple = {
        name: value if isinstance(value, int | float) else str(value)[:LONGEST_VALUE]
        for name, value in values.items()
    }
    return Question(
        id=key,
        kind=kind,
        lesson=page.lesson.slug,
        label=label,
        values=simple,
        options=dict(texts),
    )
