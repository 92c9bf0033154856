"""The learner's sentence, which a lesson offers where it opens on its own example.

    note("masking", "My dog barks.")  # what was typed into a line that carries the sentence
    show_line("prediction_and_loss")  # "Use your sentence: My dog barks."

Which lines carry it is in their rows (`carries`), what a sentence sets in another lesson in that
lesson's row (`fits`): a blank, a second sentence, a word. By default it is the text of that line.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from pages.server import session
from pages.server.course.language import read_on
from pages.server.course.lessons import BY_SLUG
from pages.server.course.words import read_words
from pages.server.frame import presenting, reading
from pages.server.link import inputs, locks
from pages.server.link.controls import Control, controls_of

LONGEST_SHOWN = 60  # characters of the sentence in the line
BLANK = "[MASK]"


@dataclass
class Carried:
    """What a visit's learner typed last where a line carries the sentence."""

    text: str = ""
    page: str = ""
    language: str = ""  # that the page read


def note(page: str, text: str) -> None:
    """Keep a sentence that was typed on a page."""
    carried = session.of(Carried)
    if text.strip():
        carried.text, carried.page, carried.language = " ".join(text.split()), page, read_on(page)


def show_line(page: str) -> None:
    """Offer the learner's sentence from another page, where this one shows its own example."""
    carried = session.of(Carried)
    if not carried.text or carried.page == page or presenting.is_on():
        return
    same = read_on(page) == carried.language
    found, rows = fitted(page, carried.text) if same else {}, controls_of(page)
    if not found or not all(_is_as_usual(rows[key]) for key in found):
        return
    words, text = read_words("frame"), carried.text
    if len(text) > LONGEST_SHOWN:
        text = text[:LONGEST_SHOWN].rsplit(" ", 1)[0] + " …"
    inputs.button(
        words.label("use_sentence", sentence=text),
        changes=tuple(found),
        on_click=_use,
        args=(found,),
        type="tertiary",
        icon=":material/edit_note:",
        key="use_sentence",
    )


def fitted(page: str, text: str) -> dict[str, str]:
    """Return what a sentence sets on a page, by key; nothing where it doesn't fit."""
    lesson = BY_SLUG[page]
    if lesson.fits is not None:
        return {f"{page}_{name}": value for name, value in (lesson.fits(text) or {}).items()}
    line = next((row for row in controls_of(page).values() if row.carries), None)
    return {} if line is None or BLANK in text else {line.key: text}


def _is_as_usual(row: Control) -> bool:
    """Return whether a control shows what it begins with, and may be changed."""
    example = reading.example_of(row, read_on(row.slug))
    shown = st.session_state.get(row.key, st.query_params.get(row.key))
    return shown in (None, "", example, row.written) and not locks.is_fixed(row.key)


def _use(found: Mapping[str, str]) -> None:
    for key, value in found.items():
        inputs.choose(key, value)
