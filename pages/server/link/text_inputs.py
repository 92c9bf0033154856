"""Fields for a learner's own text, whose value is in the link.

Pages take them from inputs.py, the home of every widget in the link.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from mlm_core.text.plain_text import composed, read_text
from pages.server import session
from pages.server.course.words import read_words
from pages.server.link import binding, decoding, link_values, locks

LONGEST_PASTED = 20_000  # characters; a longer text Streamlit drops without a word
LONGEST_TEXT = 600  # characters; about twice what the bundled model's window holds


@dataclass
class Cut:
    """The fields of a visit whose text was cut."""

    keys: set[str] = field(default_factory=set)


def text(
    label: str,
    default: str,
    *,
    key: str,
    longest: int = LONGEST_TEXT,
    on_change: Callable[[], object] | None = None,
    **settings: Any,
) -> str:
    """Show a line for the learner's own text; it takes effect while they type.

    It is the default, such as an example in the language that is read, until the link or the
    learner says other. `settings` are Streamlit's: help, placeholder, width, and `live=False` for a
    line that is sent by Enter.
    """
    _begin(key, default, longest)
    text_of_session(label, key=key, longest=longest, on_change=on_change, **settings)
    return composed(binding.store(key, default[:longest]))


def text_area(label: str, default: str, *, key: str, longest: int, height: int) -> str:
    """Show a field of several lines for the learner's own text."""
    _begin(key, default, longest)
    binding.draw(st.text_area, label, key=key, max_chars=longest, height=height)
    return composed(binding.store(key, default[:longest]))


def text_of_session(
    label: str,
    *,
    key: str,
    longest: int,
    on_change: Callable[[], object] | None = None,
    **settings: Any,
) -> str:
    """Show a line for a text that the visit has already; return the text."""

    def changed() -> None:
        text = st.session_state[key]
        cut = session.of(Cut).keys
        (cut.add if len(text) > longest else cut.discard)(key)
        st.session_state[key] = text[:longest]
        if on_change:
            on_change()

    settings = {"live": True, "autocomplete": "off"} | settings
    binding.draw(
        st.text_input, label, key=key, max_chars=LONGEST_PASTED, on_change=changed, **settings
    )
    text = st.session_state[key]
    is_cut = key in session.of(Cut).keys and len(text) >= longest
    if is_cut and not locks.is_hidden(key):
        words = read_words("frame")
        st.warning(words.section("text_cut", longest=longest), icon=":material/content_cut:")
    return composed(text[:longest])


def fill_from_file(file: str, text: str, refused: str, longest: int) -> None:
    """Put an uploaded text into a field, where it can be read and changed.

    All three are keys of the session; `refused` gets what was wrong with the file.
    """
    st.session_state.pop(refused, None)
    sent = st.session_state.get(file)
    if sent is None:
        return
    try:
        decoded = read_text(sent.getvalue(), longest)
    except ValueError as error:
        st.session_state[refused] = str(error)
        return
    st.session_state[text] = decoded.text
    decoding.keep(text, [decoded])


def _begin(key: str, default: str, longest: int) -> None:
    """Begin a text, and note whether the link has a longer one, which is written anew."""
    asked = st.query_params.get(key, "")
    read = link_values.text_up_to(longest)
    text = binding.begin(key, default[:longest], read, follows=True, is_typed=True)
    if len(asked) > longest and asked.startswith(text):
        session.of(Cut).keys.add(key)
