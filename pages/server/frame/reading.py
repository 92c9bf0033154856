"""The language that a page reads: said in one line, with another one a press away.

    follow_link("masking", ...)  # let the link say what is read
    begin("masking")             # begin the examples anew where the language changed
    start_of_model("masking")    # what the picker of models begins with
    show_line("masking", ...)    # what is read, and the press

The examples and the model go together (pages/server/course/language.py). A model that somebody
chose, by hand or by a link, stays for all pages until they press.

A link says what is read wherever there is a choice (`reads=de`). One that doesn't, but has a text
or what points at one, is older than the choice: it was made for English.
"""

from dataclasses import dataclass, field

import streamlit as st

from mlm_core.encoder.model_list import BUNDLED, READERS
from pages.server import session
from pages.server.caches import own_models
from pages.server.course.language import (
    FIRST,
    IN_LINK,
    READS,
    Reads,
    current,
    examples_in,
    read_on,
    reader,
)
from pages.server.course.words import read_words
from pages.server.frame import presenting
from pages.server.link import inputs, link_values, locks
from pages.server.link.controls import MODEL, Control, controls_of


@dataclass
class Begun:
    """What a visit's pages and its picker of models began with."""

    languages: dict[str, str] = field(default_factory=dict)  # of the controls, by page
    model: str | None = None  # of the picker when it was drawn last
    is_model_chosen: bool = False
    refused: str = ""  # why the model that was asked for is not in use
    refused_at: str = ""  # what the picker showed then


def follow_link(page: str, *, returns: bool) -> None:
    """Let the link that led to a page say what is read, and whether its model was chosen."""
    asked = st.query_params.get(READS)
    if asked in READERS:
        session.of(Reads).language = asked
    elif _is_older(page):
        session.of(Reads).language = FIRST
    elif returns:
        session.of(Reads).language = None
    if returns or MODEL in st.query_params:
        begun = session.of(Begun)
        begun.is_model_chosen = st.query_params.get(MODEL) in own_models.choices()


def _is_older(page: str) -> bool:
    """Return whether the link was made for English, before there was a choice.

    It has words in another language that the page reads, and a text or what points at one.
    """
    if IN_LINK not in st.query_params or current() not in examples_in(page):
        return False
    rows = controls_of(page).values()
    return any(row.key in st.query_params for row in rows if row.is_of_text)


def begin(page: str) -> None:
    """Begin the examples of a page anew if its language changed; let the link say what is read.

    A learner's own text stays. What points at words of a text begins anew with it.
    """
    now, began = read_on(page), session.of(Begun).languages
    before, began[page] = began.get(page, now), now
    if before != now:
        rows = controls_of(page)
        for row in rows.values():
            if locks.is_fixed(row.key) or row.key not in st.session_state:
                continue
            points_at_text = row.is_of_text and row.kind not in ("text", "area")
            if points_at_text and not _is_own(rows.get(f"{page}_{row.about}"), before):
                inputs.reset(row.key)
    asked = session.of(Reads).language
    if not is_offered(page):  # with English words nothing is said of English
        now = asked if {asked, current()} - {FIRST, None} else None
    link_values.write(READS, now, None)


def is_offered(page: str) -> bool:
    """Return whether a visit may choose what a page reads."""
    return bool({read_on(page), current()} & set(examples_in(page)) - {FIRST})


def is_model_chosen() -> bool:
    """Return whether somebody chose the visit's model: by hand, by a link or by a part."""
    begun = session.of(Begun)
    usual = begun.model or BUNDLED
    return begun.is_model_chosen or st.session_state.get(MODEL, usual) != usual


def start_of_model(page: str) -> str:
    """Return the model that a page begins with; the visit's follows it, unless it was chosen."""
    start, begun = reader(page), session.of(Begun)
    begun.is_model_chosen = is_model_chosen()
    if not begun.is_model_chosen and st.session_state.get(MODEL, start) != start:
        st.session_state[MODEL] = start
    begun.model = start
    return start


def note_model() -> None:
    """Note that a model was chosen on the page; the one that it begins with is no choice."""
    begun = session.of(Begun)
    begun.is_model_chosen = st.session_state[MODEL] != begun.model


def follow_words() -> None:
    """Read what goes with the language of the words again."""
    session.of(Reads).language = None


def show_line(page: str, model_name: str) -> None:
    """Say in which language a page reads, and by which model; offer the other language."""
    if not is_offered(page) or presenting.is_on():
        return
    words, now = read_words("frame"), read_on(page)
    texts = [row.key for row in controls_of(page).values() if row.is_text]
    other = current() if now == FIRST else FIRST
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="reads_line"):
        st.caption(words.section(f"reads_{now}", model=model_name), width="content")
        inputs.button(
            words.label(f"read_{other}"),
            changes=(MODEL, *texts),
            on_click=_read,
            args=(other,),
            type="tertiary",
            icon=":material/translate:",
            key="read_other",
        )


def _read(language: str) -> None:
    begun = session.of(Begun)
    session.of(Reads).language = language
    st.session_state[MODEL] = begun.model = READERS[language]
    begun.is_model_chosen = False


def _is_own(row: Control | None, language: str) -> bool:
    """Return whether a drawn text is a learner's own."""
    if row is None:
        return False
    return st.session_state.get(row.key, example_of(row, language)) != example_of(row, language)


def example_of(row: Control, language: str) -> str:
    """Return what a text begins with in a language that is read; "" if words don't say it."""
    words, label = read_words(row.words, language), row.label_of_example
    return words.label(label) if words.has(label) else ""
