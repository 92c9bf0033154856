"""Widgets that several lessons use, each of them also a parameter of the link.

Free text, numbers and switches use Streamlit's own binding. Choices among named options are
bound here instead, so that the link carries the option's name and not its label, which
changes with the language.
"""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from mlm_core.text.tokens import TokenizedText
from pages.shared.words import read_words

LONGEST_TEXT = 600  # characters; about twice what the bundled model's window holds
LINKED = "parameters_of_link"  # session state: those that still have to be followed


def text(
    label: str,
    default: str,
    *,
    key: str,
    help: str | None = None,
    placeholder: str | None = None,
) -> str:
    """Show a line for the learner's own text; it takes effect while they type."""
    value = st.text_input(
        label,
        default,
        key=key,
        max_chars=LONGEST_TEXT,
        live=True,
        help=help,
        placeholder=placeholder,
        bind="query-params",
        autocomplete="off",
    )
    return (value or "")[:LONGEST_TEXT]


def choice(label: str, options: Mapping[str, str], *, key: str, default: str | None = None) -> str:
    """Show named options side by side; return the chosen name."""
    if default not in options:
        default = next(iter(options))
    _start_from_link(key, options, default)
    st.segmented_control(
        label,
        list(options),
        format_func=_shown_as(options),
        key=key,
        required=True,
        persist_state="session",
        wrap=True,
    )
    return _write_to_link(key, default)


def listed(label: str, options: Mapping[str, str], *, key: str, default: str | None = None) -> str:
    """Show named options as a list to open; return the chosen name."""
    if default not in options:
        default = next(iter(options))
    _start_from_link(key, options, default)
    st.selectbox(
        label, list(options), format_func=_shown_as(options), key=key, persist_state="session"
    )
    return _write_to_link(key, default)


def step(label: str, options: Mapping[str, str], *, key: str, default: str) -> str:
    """Show named options along a slider, from small to large; return the chosen name."""
    _start_from_link(key, options, default)
    st.select_slider(
        label, list(options), format_func=_shown_as(options), key=key, persist_state="session"
    )
    return _write_to_link(key, default)


def _shown_as(options: Mapping[str, str]) -> Callable[[str], str]:
    """Return what shows an option; Streamlit also asks the options of before for a new name."""
    return lambda name: options.get(name, name)


def position(label: str, tokens: Sequence[str], *, key: str, default: int) -> int:
    """Show the tokens as a list to choose from; return the position of the chosen one."""
    if not 0 <= default < len(tokens):
        default = 0
    names = [str(i) for i in range(len(tokens))]
    _start_from_link(key, names, str(default))
    # The browser keeps the label that it showed last; a value set anew brings the new token's.
    st.session_state[key] = st.session_state[key]
    st.selectbox(
        label,
        names,
        format_func=lambda name: f"{name}  {tokens[int(name)]}",
        key=key,
        persist_state="session",
    )
    return int(_write_to_link(key, str(default)))


def say_what_was_left_out(*texts: TokenizedText) -> None:
    """Tell the learner when a text was longer than the model's window or than the app takes."""
    words = read_words("frame")
    for text in texts:
        if text.n_left_out:
            kept = len(text.tokens)
            st.warning(
                words.section("left_out", kept=kept, left_out=text.n_left_out),
                icon=":material/content_cut:",
            )
        if len(text.text) >= LONGEST_TEXT:
            st.warning(
                words.section("text_cut", longest=LONGEST_TEXT), icon=":material/content_cut:"
            )


def choose(key: str, name: str) -> None:
    """Set a choice or position from elsewhere, such as a click on a drawing."""
    st.session_state.get(LINKED, set()).discard(key)
    st.session_state[key] = name


def follow_link() -> None:
    """Let the link's parameters win over what an earlier visit to this page chose."""
    st.session_state[LINKED] = set(st.query_params)


def _start_from_link(key: str, names: Sequence[str] | Mapping[str, str], default: str) -> None:
    linked = st.session_state.get(LINKED, set())
    if key in linked or st.session_state.get(key) not in names:
        linked.discard(key)
        asked = st.query_params.get(key)
        st.session_state[key] = asked if asked in names else default
        if asked is not None and asked not in names:
            message = read_words("frame").section("bad_parameter", key=key, value=asked[:40])
            st.toast(message, icon=":material/link_off:")


def _write_to_link(key: str, default: str) -> str:
    value = st.session_state[key]
    if value != default:
        if st.query_params.get(key) != value:
            st.query_params[key] = value
    elif key in st.query_params:
        del st.query_params[key]
    return value
