"""The language of the words: chosen in the sidebar or by the link (`lang=de`).

A language is a folder of pages/text; its own name is the label "language" of its frame.md. What
the model reads stays in the model's language.
"""

from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

TEXT_FOLDER = Path(__file__).parents[2] / "text"
FIRST = "en"  # the language that the others are translated from
IN_LINK = "lang"


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
