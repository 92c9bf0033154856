"""The language of the words, and the language that is read: of examples and model.

A language is a folder of pages/text; its own name is the label "language" of its frame.md. It is
chosen in the sidebar or by the link (`lang=de`). A page whose row in lessons.py says that it has
examples in that language begins with them and with the bundled model that reads it; others read
English. A press or a link (`reads=en`) says otherwise (pages/server/frame/reading.py).
"""

from dataclasses import dataclass
from functools import cache

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from mlm_core.encoder.model_list import READERS
from pages.server import session
from pages.server.course.lessons import PAGES
from pages.server.course.sections import FIRST, IN_LINK, TEXT_FOLDER

READS = "reads"  # in the link: the language to read


@dataclass
class Reads:
    """The language that a visit asked to read, None where it asked for none."""

    language: str | None = None


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that there are words for, the first of them first."""
    found = {folder.name for folder in TEXT_FOLDER.iterdir() if (folder / "frame.md").is_file()}
    return (FIRST, *sorted(found - {FIRST}))


def current() -> str:
    """Return the language of this visit; outside of one, the first."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return FIRST
    asked = st.session_state.get(IN_LINK) or st.query_params.get(IN_LINK)
    return asked if asked in languages() else FIRST


def examples_in(page: str) -> tuple[str, ...]:
    """Return the languages that a page, by its slug, has examples in; the first one always."""
    return (FIRST, *(PAGES[page].examples_in if page in PAGES else ()))


def read_on(page: str) -> str:
    """Return the language that a page reads: the one asked for, else that of the words.

    A page without examples in it reads the first one, as everything outside of a visit does.
    """
    if get_script_run_ctx(suppress_warning=True) is None:
        return FIRST
    wanted = (session.of(Reads).language, current())
    return next((one for one in wanted if one in examples_in(page)), FIRST)


def reader(page: str) -> str:
    """Return the name of the bundled model that a page begins with."""
    return READERS[read_on(page)]
