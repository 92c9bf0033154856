"""A guess before an answer: several lessons ask for one, and show nothing until it is made."""

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.shared.course.words import read_words
from pages.shared.frame.page_frame import Page


def ask_for_guess(
    page: Page,
    name: str,
    options: Sequence[str] | Mapping[str, str],
    /,
    *,
    key: str,
    about: object = None,
    is_told: bool = True,
    **values: object,
) -> str | None:
    """Show the options; return the guess once it is made, and say until then what it brings.

    A guess about something else than `about` is forgotten. Where many guesses stand on one page,
    `is_told=False` leaves out what a guess brings.

    The question is the lesson's label `<name>_guess` with these values. Options without texts of
    their own have the labels `<name>_guess_<option>`.
    """
    words = page.words
    if not isinstance(options, Mapping):
        options = {option: words.label(f"{name}_guess_{option}") for option in options}
    if st.session_state.get(f"{key}_about") != about:
        st.session_state[f"{key}_about"] = about
        st.session_state[key] = None
    guess = st.segmented_control(
        words.label(f"{name}_guess", **values),
        list(options),
        format_func=options.__getitem__,
        key=key,
        persist_state="session",
        wrap=True,
    )
    if guess is None and is_told:
        st.caption(read_words("frame").section("guess_first"))
    return guess
