"""Fields for text, numbers and switches, which Streamlit binds to the link by itself.

Pages take them from inputs.py, the home of every widget in the link.
"""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from mlm_core.number_format import ENGLISH, current_marks
from pages.server.course.words import read_words
from pages.server.link import decoding, link_values, locks
from pages.server.link.drawn_inputs import LINKED, is_asked
from pages.server.link.fixed_inputs import explained, fixed_value, title_of

FOLLOWED = "followed_texts"  # session state: by key, the start that is followed
CUT = "cut_texts"  # session state: keys of the lines whose text was cut
LONGEST_PASTED = 20_000  # characters; a longer text Streamlit drops without a word
LONGEST_TEXT = 600  # characters; about twice what the bundled model's window holds


def text(
    label: str,
    default: str,
    *,
    key: str,
    help: str | None = None,
    placeholder: str | None = None,
    longest: int = LONGEST_TEXT,
    live: bool = True,
    on_change: Callable[[], object] | None = None,
    width: int | str = "stretch",
) -> str:
    """Show a line for the learner's own text; it takes effect while they type, if `live`."""
    settings: dict[str, Any] = {
        "max_chars": LONGEST_PASTED,
        "placeholder": placeholder,
        "autocomplete": "off",
    }
    settings |= _cutting(key, longest, on_change)
    value = _free(
        st.text_input,
        label,
        default,
        link_values.text_up_to(longest),
        key=key,
        help=help,
        at_first="",
        **settings | ({"live": True} if live else {}),
        width=width,
    )
    _say_if_cut(key, longest)
    return (value or "")[:longest]


def following_text(label: str, start: str, *, key: str, longest: int = LONGEST_TEXT) -> str:
    """Show a line whose start may change: it is followed until the link or the learner says other.

    Bound here: Streamlit's own binding keeps the start that a field was made with.
    """
    start = start[:longest]
    if locks.is_fixed(key):
        fixed_value(key, start, link_values.text_up_to(longest))
    else:
        starts = st.session_state.setdefault(FOLLOWED, {})
        kept = st.session_state.get(key)
        if is_asked(key) or kept is None:
            st.session_state.get(LINKED, set()).discard(key)
            st.session_state[key] = st.query_params.get(key, start)[:longest]
        elif kept == starts.get(key):
            st.session_state[key] = start
        starts[key] = start
    value = _line_of_session(label, key=key, longest=longest)
    if not locks.is_fixed(key):
        link_values.write(key, value, start)
    return value


def text_area(label: str, default: str, *, key: str, longest: int, height: int) -> str:
    """Show a field of several lines for the learner's own text."""
    read = link_values.text_up_to(longest)
    value = _free(
        st.text_area, label, default, read, key=key, at_first="", max_chars=longest, height=height
    )
    return (value or "")[:longest]


def slider(
    label: str,
    lowest: float,
    highest: float,
    default: link_values.Marks,
    step: float | None = None,
    *,
    key: str,
    format: str | None = None,
    help: str | None = None,
    persist_state: str | None = None,
    width: int | str = "stretch",
) -> link_values.Marks:
    """Show numbers along a line; two defaults give two marks. Returns ints if all are ints."""
    return _free(
        st.slider,
        label,
        default,
        link_values.numbers_between(lowest, highest, default),
        key=key,
        help=help,
        at_first=None,
        min_value=lowest,
        max_value=highest,
        step=step,
        format=fraction_format(format) if isinstance(lowest, float) else format,
        width=width,
        **({"persist_state": persist_state} if persist_state else {}),
    )


def fraction_format(format: str | None = None) -> str | None:
    """Return a slider's format for fractions; `format` is that for English.

    Streamlit knows no other marks than English and those that the browser is set to.
    """
    return format if current_marks() == ENGLISH else "localized"


def toggle(label: str, default: bool, *, key: str, help: str | None = None) -> bool:
    """Show a switch."""
    return _free(st.toggle, label, default, link_values.switch, key=key, help=help, at_first=False)


def number(
    label: str, lowest: int, highest: int, default: int, *, key: str, help: str | None = None
) -> int:
    """Show a field for a whole number.

    Bound here: Streamlit's own binding of a number field fails on a link that says 1e999.
    """
    if locks.is_fixed(key):
        value = fixed_value(key, default, link_values.numbers_between(lowest, highest, default))
    else:
        kept = st.session_state.get(key)
        if kept is None:
            asked = st.query_params.get(key, "")
            is_number = asked.isascii() and asked.isdecimal() and len(asked) < 5
            kept = int(asked) if is_number else default
        value = st.session_state[key] = min(max(kept, lowest), highest)
    if not locks.is_hidden(key):
        value = st.number_input(
            title_of(label, key),
            lowest,
            highest,
            key=key,
            help=explained(help, key),
            disabled=locks.is_fixed(key),
            persist_state="session",
            step=1,
        )
    if not locks.is_fixed(key):
        link_values.write(key, value, default)
    return value


def bound_list(
    label: str, names: Sequence[str], *, key: str, start: str, on_change: Callable[[], None]
) -> str:
    """Show names as a list, `start` to begin with; an unknown one in the link is dropped."""

    def read(values: Sequence[str]) -> str | None:
        return values[-1] if values[-1] in names else None

    if locks.is_fixed(key):
        value = fixed_value(key, start, read)
        if not locks.is_hidden(key):
            title, why = title_of(label, key), explained(None, key)
            st.selectbox(title, names, key=key, help=why, disabled=True)
            locks.write(key, locks.value_of(key))  # what Streamlit bound before, it has let go
        return value
    settings: dict[str, Any] = {"bind": "query-params", "on_change": on_change}
    return st.selectbox(label, names, names.index(start), key=key, **settings)


def text_of_session(label: str, *, key: str, longest: int, on_change: Callable[[], None]) -> str:
    """Show a line for a text that its part keeps in the session and in the link by itself."""
    given = locks.value_of(key)
    if given and st.session_state.get(key) != given[-1][:longest]:
        st.session_state[key] = given[-1][:longest]
    return _line_of_session(label, key=key, longest=longest, on_change=on_change)


def _line_of_session(
    label: str,
    *,
    key: str,
    longest: int,
    on_change: Callable[[], None] | None = None,
) -> str:
    """Draw a line whose text the session has already, unless the link hides it; return the text."""
    if not locks.is_hidden(key):
        st.text_input(
            title_of(label, key),
            key=key,
            max_chars=LONGEST_PASTED,
            live=True,
            persist_state="session",
            autocomplete="off",
            help=explained(None, key),
            disabled=locks.is_fixed(key),
            **_cutting(key, longest, on_change),
        )
        _say_if_cut(key, longest)
    return (st.session_state[key] or "")[:longest]


def _cutting(
    key: str, longest: int, on_change: Callable[[], object] | None = None
) -> dict[str, Any]:
    """Return what lets a line cut a text that is too long, which is said below it."""

    def changed() -> None:
        text = st.session_state[key] or ""
        cut = st.session_state.setdefault(CUT, set())
        (cut.add if len(text) > longest else cut.discard)(key)
        st.session_state[key] = text[:longest]
        if on_change:
            on_change()

    return {"on_change": changed}


def _say_if_cut(key: str, longest: int) -> None:
    text = st.session_state.get(key) or ""
    is_cut = key in st.session_state.get(CUT, ()) and len(text) >= longest
    # A link's text is cut where it is used; the field shows what came.
    if (is_cut or len(st.query_params.get(key, "")) > longest) and not locks.is_hidden(key):
        words = read_words("frame")
        st.warning(words.section("text_cut", longest=longest), icon=":material/content_cut:")


def fill_from_file(file: str, text: str, refused: str, longest: int) -> None:
    """Put an uploaded text into a field, where it can be read and changed.

    All three are keys of the session; `refused` gets what was wrong with the file.
    """
    from mlm_core.text.plain_text import read_text

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


def _free(
    widget: Callable[..., Any],
    label: str,
    default: link_values.Value,
    read: link_values.Reader[link_values.Value],
    *,
    key: str,
    help: str | None = None,
    at_first: object,
    **settings: object,
) -> link_values.Value:
    """Draw a widget that Streamlit binds to the link; one that is fixed is not bound.

    `at_first` is the value that says "none given" to this widget: a fixed one has its value
    from the session, and Streamlit warns of a second source.
    """
    if not locks.is_fixed(key):
        return widget(label, value=default, key=key, help=help, bind="query-params", **settings)
    value = fixed_value(key, default, read)
    if not locks.is_hidden(key):
        widget(
            title_of(label, key),
            value=at_first,
            key=key,
            help=explained(help, key),
            disabled=True,
            **settings,
        )
        locks.write(key, locks.value_of(key))  # what Streamlit bound before, it has let go
    return value
