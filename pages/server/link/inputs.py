"""Every widget whose value is in the link; no page binds one by itself.

Free text, numbers and switches use Streamlit's own binding (free_inputs.py); what clicks on a
drawing change is in drawn_inputs.py. Choices among named options are bound here, so that the link
carries the option's name and not its label, which changes with the language. What a link fixes
(locks.py) is shown without its use, or not at all.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from mlm_core.figures.theme import printable
from mlm_core.text.tokens import TokenizedText
from pages.server.course.words import read_words
from pages.server.link import link_values, locks
from pages.server.link.controls import MODEL
from pages.server.link.drawn_inputs import (
    LINKED,
    button,
    choose,
    drawn,
    drawn_value,
    is_asked,
    keep,
    reset,
)
from pages.server.link.fixed_inputs import (
    explained,
    fixed_value,
    title_of,
)
from pages.server.link.free_inputs import (
    FOLLOWED,
    LONGEST_TEXT,
    bound_list,
    fill_from_file,
    following_text,
    fraction_format,
    number,
    slider,
    text,
    text_area,
    text_of_session,
    toggle,
)

__all__ = [
    "LONGEST_TEXT",
    "bound_list",
    "button",
    "choice",
    "choose",
    "drawn",
    "drawn_value",
    "fill_from_file",
    "follow",
    "follow_link",
    "following_text",
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
STARTS = "usual_starts"  # session state: by key, the usual start and the model that it was for
STARTS_OF_SEVERAL = "usual_starts_of_several"  # session state: by key, the start that is followed


def choice(
    label: str,
    options: Mapping[Name, str],
    *,
    key: str,
    default: str | None = None,
    on_change: Callable[[], None] | None = None,
) -> Name:
    """Show named options side by side; return the chosen name."""
    if default is None or default not in options:
        default = next(iter(options))
    _start_from_link(key, options, default)
    if not locks.is_hidden(key):
        st.segmented_control(
            title_of(label, key),
            list(options),
            format_func=_shown_as(options),
            key=key,
            help=explained(None, key),
            required=True,
            disabled=locks.is_fixed(key),
            on_change=on_change,
            persist_state="session",
            wrap=True,
        )
    return _write_to_link(key, default)


def listed(
    label: str,
    options: Mapping[Name, str],
    *,
    key: str,
    default: str | None = None,
    on_change: Callable[[], None] | None = None,
) -> Name:
    """Show named options as a list to open; return the chosen name."""
    if default is None or default not in options:
        default = next(iter(options))
    _start_from_link(key, options, default)
    _draw_named(st.selectbox, label, options, key, on_change)
    return _write_to_link(key, default)


def step(
    label: str,
    options: Mapping[Name, str],
    *,
    key: str,
    default: str,
    on_change: Callable[[], None] | None = None,
) -> Name:
    """Show named options along a slider, from small to large; return the chosen name."""
    _start_from_link(key, options, default)
    _draw_named(st.select_slider, label, options, key, on_change)
    return _write_to_link(key, default)


def played(label: str, options: Mapping[Name, str], *, key: str, default: str) -> Name:
    """Return the named option at which a film stands; a fixed one is named, with the reason.

    The film reports another (mlm_core/figures/film.py), which `choose` then sets.
    """
    _start_from_link(key, options, default)
    if locks.is_fixed(key) and not locks.is_hidden(key):
        st.caption(title_of(label, key), help=explained(None, key))
    return _write_to_link(key, default)


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
    if not 0 <= default < len(tokens):
        default = 0
    names = {str(i): f"{i}  {printable(token, LONGEST_LISTED)}" for i, token in enumerate(tokens)}
    _start_from_link(key, names, str(default))
    # The browser keeps the label that it showed last; a value set anew brings the new token's.
    st.session_state[key] = st.session_state[key]
    if among is not None:
        near = _around(int(st.session_state[key]), among)
        names = {str(i): names[str(i)] for i in near}
    _draw_named(st.selectbox, label, names, key)
    return int(_write_to_link(key, str(default)))


def several(
    label: str, options: Mapping[str, str], *, key: str, start: Sequence[str], most: int
) -> list[str]:
    """Show named options of which some may be chosen; return the chosen names in their order.

    `start` may change, as when a run has begun: it is followed until the link or the learner names
    others.
    """
    read, usual = partial(_names_among, options=options, most=most), list(start)[:most]
    starts = st.session_state.setdefault(STARTS_OF_SEVERAL, {})
    if locks.is_fixed(key):
        fixed_value(key, usual, read)
    elif key not in st.session_state and (asked := read(st.query_params.get_all(key))):
        st.session_state[key] = asked
        starts.pop(key, None)
    elif key not in st.session_state or st.session_state[key] == starts.get(key):
        st.session_state[key] = starts[key] = usual
    # One that was taken away meanwhile is no option any more.
    st.session_state[key] = [name for name in st.session_state[key] if name in options]
    if not locks.is_hidden(key):
        st.multiselect(
            title_of(label, key),
            list(options),
            format_func=_shown_as(options),
            max_selections=most,
            key=key,
            help=explained(None, key),
            disabled=locks.is_fixed(key),
            persist_state="session",
        )
    if not locks.is_fixed(key):
        followed = ",".join(starts[key]) if key in starts else None
        link_values.write(key, ",".join(st.session_state[key]), followed)
    return st.session_state[key]


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


def follow(key: str, start: str) -> None:
    """Let a choice that is drawn next be `start` until the link or the learner says other."""
    if locks.is_fixed(key):
        return
    starts = st.session_state.setdefault(FOLLOWED, {})
    kept = st.session_state.get(key)
    if not is_asked(key) and (kept is None or kept == starts.get(key)):
        st.session_state[key] = start
    starts[key] = start


def follow_link(keys: Collection[str]) -> None:
    """Let the link's parameters win over what an earlier visit to this page chose.

    The controls of `keys` begin anew: with what the link says, or as usual where it names none.
    """
    st.session_state[LINKED] = {*st.query_params, *keys}
    for key in keys:
        st.session_state.pop(key, None)


def _around(chosen: int, among: Collection[int]) -> list[int]:
    """Return the chosen position and those around it.

    >>> _around(30, range(100))[::6], _around(98, [5, 99])
    ([20, 26, 32, 38], [5, 98, 99])
    """
    listed = sorted({*among, chosen})
    start = min(listed.index(chosen) - MOST_LISTED // 2, len(listed) - MOST_LISTED)
    return listed[max(0, start) :][:MOST_LISTED]


def _draw_named(
    widget: Callable[..., object],
    label: str,
    options: Mapping[Any, str],
    key: str,
    on_change: Callable[[], None] | None = None,
) -> None:
    """Draw a list or a slider of named options, unless the link hides it."""
    if locks.is_hidden(key):
        return
    widget(
        title_of(label, key),
        list(options),
        format_func=_shown_as(options),
        key=key,
        help=explained(None, key),
        disabled=locks.is_fixed(key),
        on_change=on_change,
        persist_state="session",
    )


def _names_among(
    values: Sequence[str], *, options: Mapping[str, str], most: int
) -> list[str] | None:
    """Return the names in a list with commas that are options; None if none is."""
    asked = dict.fromkeys(",".join(values).split(","))
    return [name for name in asked if name in options][:most] or None


def _shown_as(options: Mapping[Any, str]) -> Callable[[str], str]:
    """Return what shows an option; Streamlit also asks the options of before for a new name."""
    return lambda name: options.get(name, name)


def _start_from_link(key: str, names: Sequence[str] | Mapping[Any, str], default: str) -> None:
    if locks.is_fixed(key):
        fixed_value(key, default, lambda values: values[-1] if values[-1] in names else None)
        return
    _follow_model(key, default)
    is_of_link = is_asked(key)
    if is_of_link or st.session_state.get(key) not in names:
        st.session_state.get(LINKED, set()).discard(key)
        asked = st.query_params.get(key)
        st.session_state[key] = asked if asked in names else default
        # What this page wrote itself, for other options, is no fault of a link.
        if is_of_link and asked is not None and asked not in names:
            link_values.say_impossible(key, asked)


def _follow_model(key: str, default: str) -> None:
    """Let what nobody chose, such as the last layer, be another model's usual start after it."""
    starts, model = st.session_state.setdefault(STARTS, {}), st.session_state.get(MODEL)
    before, start = starts.get(key, (model, default))
    if before != model and st.session_state.get(key) == start:
        st.session_state[key] = default
    starts[key] = (model, default)


def _write_to_link(key: str, default: str) -> Any:
    value = st.session_state[key]
    if not locks.is_fixed(key):
        link_values.write(key, value, default)
    return value
