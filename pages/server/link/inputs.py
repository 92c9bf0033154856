"""Every widget whose value is in the link; no page binds one by itself.

How each begins, is stored and goes back to the link: binding.py. Streamlit's own binding
(`bind="query-params"`) serves none: it writes an option's label, which changes with the language.
Lines to type in are in text_inputs.py, what clicks on a drawing change is in drawn_inputs.py.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from mlm_core.figures.theme import printable
from mlm_core.number_format import ENGLISH, current_marks
from mlm_core.text.tokens import TokenizedText
from pages.server.course.words import read_words
from pages.server.link import binding, link_values
from pages.server.link.binding import follow_link, is_asked
from pages.server.link.drawn_inputs import (
    button,
    choose,
    counter,
    drawn,
    drawn_value,
    keep,
    reset,
)
from pages.server.link.text_inputs import (
    LONGEST_TEXT,
    fill_from_file,
    text,
    text_area,
    text_of_session,
)

__all__ = [
    "LONGEST_TEXT",
    "button",
    "choice",
    "choose",
    "counter",
    "drawn",
    "drawn_value",
    "fill_from_file",
    "follow_link",
    "fraction_format",
    "is_asked",
    "keep",
    "listed",
    "number",
    "played",
    "position",
    "reset",
    "say_what_was_left_out",
    "several",
    "slider",
    "step",
    "text",
    "text_area",
    "text_of_session",
    "toggle",
]

Name = TypeVar("Name", bound=str)

# A list of positions goes with every change of its part: characters of a token or sentence in it,
# and of `among` how many it has.
LONGEST_LISTED, MOST_LISTED = 60, 20


def choice(label: str, options: Mapping[Name, str], *, key: str, **settings: Any) -> Name:
    """Show named options side by side; return the chosen name.

    Settings of all named options: `default`, if not the first; `on_change`; with `follows`, it is
    the default until the link or the learner says other.
    """
    more = {"required": True, "wrap": True}
    return _named(st.segmented_control, label, options, key=key, **settings, **more)


def listed(label: str, options: Mapping[Name, str], *, key: str, **settings: Any) -> Name:
    """Show named options as a list to open; return the chosen name."""
    return _named(st.selectbox, label, options, key=key, **settings)


def step(label: str, options: Mapping[Name, str], *, key: str, **settings: Any) -> Name:
    """Show named options along a slider, from small to large; return the chosen name."""
    return _named(st.select_slider, label, options, key=key, **settings)


def played(label: str, options: Mapping[Name, str], *, key: str, default: str) -> Name:
    """Return the named option at which a film stands; a fixed one is named, with the reason.

    The film reports another (mlm_core/figures/film.py), which `choose` then sets.
    """
    return _named(binding.no_widget, label, options, key=key, default=default)


def position(
    label: str,
    tokens: Sequence[str],
    *,
    key: str,
    default: int,
    among: Collection[int] | None = None,
) -> int:
    """Show the tokens as a list to choose from; return the position of the chosen one.

    Of the positions `among`, it lists those around the chosen one, which it lists always.
    """
    usual = str(default if 0 <= default < len(tokens) else 0)
    names = {str(i): f"{i}  {printable(token, LONGEST_LISTED)}" for i, token in enumerate(tokens)}
    chosen = binding.begin(key, usual, link_values.one_of(names))
    # The browser keeps the label that it showed last; a value set anew brings the new token's.
    st.session_state[key] = chosen
    if among is not None:
        names = {str(i): names[str(i)] for i in _around(int(chosen), among)}
    binding.draw(st.selectbox, label, key=key, **_listing(names))
    return int(binding.store(key, usual))


def several(
    label: str, options: Mapping[str, str], *, key: str, start: Sequence[str], most: int
) -> list[str]:
    """Show named options of which some may be chosen; return the chosen names in their order.

    `start` may change, as when a run has begun: it is followed until the link or the learner names
    others.
    """
    read, usual = link_values.some_of(options, most), list(start)[:most]
    more = _listing(options)
    return binding.bound(
        st.multiselect, label, usual, read, key=key, follows=True, max_selections=most, **more
    )


def slider(
    label: str,
    lowest: float,
    highest: float,
    default: link_values.Marks,
    step: float | None = None,
    *,
    key: str,
    format: str | None = None,
    **settings: Any,
) -> link_values.Marks:
    """Show numbers along a line; two defaults give two marks. Returns ints if all are ints.

    `settings` are Streamlit's: help, width.
    """
    return binding.bound(
        st.slider,
        label,
        default,
        link_values.numbers_between(lowest, highest, default),
        key=key,
        limits=(lowest, highest),
        min_value=lowest,
        max_value=highest,
        step=step,
        format=fraction_format(format) if isinstance(lowest, float) else format,
        **settings,
    )


def fraction_format(format: str | None = None) -> str | None:
    """Return a slider's format for fractions; `format` is that for English.

    Streamlit knows no other marks than English and those that the browser is set to.
    """
    return format if current_marks() == ENGLISH else "localized"


def toggle(label: str, default: bool, *, key: str, help: str | None = None) -> bool:
    """Show a switch."""
    return binding.bound(st.toggle, label, default, link_values.switch, key=key, help=help)


def number(
    label: str, lowest: int, highest: int, default: int, *, key: str, help: str | None = None
) -> int:
    """Show a field for a whole number."""
    settings: dict[str, Any] = {"min_value": lowest, "max_value": highest, "step": 1, "help": help}
    read = link_values.numbers_between(lowest, highest, default)
    return binding.bound(st.number_input, label, default, read, key=key, **settings)


def say_what_was_left_out(*texts: TokenizedText) -> None:
    """Tell the learner when a text was longer than the model's window."""
    words = read_words("frame")
    for tokens in texts:
        if tokens.n_left_out:
            kept = len(tokens.tokens)
            st.warning(
                words.section("left_out", kept=kept, left_out=tokens.n_left_out),
                icon=":material/content_cut:",
            )


def _named(
    widget: Callable[..., object],
    label: str,
    options: Mapping[Name, str],
    *,
    key: str,
    default: str | None = None,
    **settings: Any,
) -> Name:
    """Show named options; return the chosen name."""
    usual: Any = default if default in options else next(iter(options))
    settings |= _listing(options)
    return binding.bound(widget, label, usual, link_values.one_of(options), key=key, **settings)


def _listing(options: Mapping[Any, str]) -> dict[str, Any]:
    # Streamlit also asks the options of before for a new name.
    return {"options": list(options), "format_func": lambda name: options.get(name, name)}


def _around(chosen: int, among: Collection[int]) -> list[int]:
    """Return the chosen position and those around it.

    >>> _around(30, range(100))[::6], _around(98, [5, 99])
    ([20, 26, 32, 38], [5, 98, 99])
    """
    listed = sorted({*among, chosen})
    start = min(listed.index(chosen) - MOST_LISTED // 2, len(listed) - MOST_LISTED)
    return listed[max(0, start) :][:MOST_LISTED]
