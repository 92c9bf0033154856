"""How a control's value comes from the link, is stored for the visit and goes back to the link.

    layer = bound(st.slider, "Layer", 3, numbers_between(0, 12, 3), key="isotropy_layer")

`begin` takes the link's value on arrival, then the visit's, and else the usual one; `draw` draws
the widget; `store` writes the value into the link unless it is the usual one. What a link fixes
(locks.py) has the link's value on every run, and is drawn disabled or not at all.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.server.course.words import read_words
from pages.server.link import link_values, locks
from pages.server.link.controls import MODEL

LOCKED_ICON = ":material/lock:"
LINKED = "parameters_of_link"  # session state: those that still have to be followed
STARTS = "usual_starts"  # session state: by key, how a control began when it was drawn last
ARRIVALS = "link_arrivals"  # session state: how often a link was followed


@dataclass(frozen=True, kw_only=True)
class Start:
    """How a control began: the usual value, for which model, and as which of Streamlit's widgets.

    On another page, and a slider with other limits, it is another widget there, which has to be
    given its value.
    """

    usual: Any
    model: str | None
    widget: tuple[object, ...]
    # The usual value whose place it took then. A browser in which something is typed meanwhile may
    # send it once more, before it has the new one: it is nothing that somebody chose.
    replaced: Any = None


def bound(
    widget: Callable[..., object],
    label: str,
    usual: link_values.Value,
    read: link_values.Reader[link_values.Value],
    *,
    key: str,
    follows: bool = False,
    limits: tuple[float, float] | None = None,
    **settings: Any,
) -> link_values.Value:
    """Draw a widget whose value is in the link; return the value."""
    begin(key, usual, read, follows=follows, limits=limits)
    draw(widget, label, key=key, **settings)
    return store(key, usual)


def begin(
    key: str,
    usual: link_values.Value,
    read: link_values.Reader[link_values.Value],
    *,
    follows: bool = False,
    limits: tuple[float, float] | None = None,
) -> link_values.Value:
    """Return a control's value before its widget is drawn, and store it for the visit.

    What is no value any more, such as an option that is gone, is the usual one again. What nobody
    changed, such as the last layer, is that of another model after it; with `follows`, it is
    whatever is usual now.
    """
    if locks.is_fixed(key):
        return _fixed(key, usual, read)
    starts, kept = st.session_state.setdefault(STARTS, {}), st.session_state.get(key)
    model = None if key == MODEL else st.session_state.get(MODEL)
    widget = (limits, st.session_state.get(ARRIVALS))
    start = Start(usual=usual, model=model, widget=widget)
    before = starts.get(key, start)
    is_usual = kept == before.usual and (follows or before.model != model)
    if kept is not None and (is_usual or kept == before.replaced):
        kept = usual
        start = replace(start, replaced=before.usual if before.usual != usual else None)
    starts[key] = start
    value = None if kept is None or is_asked(key) else read(link_values.written(kept))
    if value is None:
        value = _of_link(key, read)
    value = usual if value is None else value
    # Streamlit sends each value that is set here, also over what is being typed.
    if key not in st.session_state or (st.session_state[key], before.widget) != (value, widget):
        st.session_state[key] = value
    return value


def draw(
    widget: Callable[..., object], label: str, *, key: str, help: str | None = None, **settings: Any
) -> None:
    """Draw a widget whose value the visit has, unless the link hides it."""
    if not locks.is_hidden(key):
        settings |= {"key": key, "disabled": locks.is_fixed(key), "persist_state": "session"}
        widget(title_of(label, key), help=explained(help, key), **settings)


def store(key: str, usual: object) -> Any:
    """Return a control's value, and write it into the link unless it is the usual one."""
    value = st.session_state[key]
    if not locks.is_fixed(key):
        link_values.write(key, value, usual)
    return value


def follow_link(keys: Collection[str]) -> None:
    """Let the link's parameters win over what an earlier visit to this page chose.

    The controls of `keys` begin anew: with what the link says, or as usual where it names none.
    """
    st.session_state[LINKED] = {*st.query_params, *keys}
    st.session_state[ARRIVALS] = st.session_state.get(ARRIVALS, 0) + 1
    for key in keys:
        st.session_state.pop(key, None)


def is_asked(key: str) -> bool:
    """Return whether the link that led here names this key, and nobody has followed it yet."""
    return key in st.session_state.get(LINKED, ())


def forget_link(key: str) -> None:
    """Let the link that led here say nothing more of a key."""
    st.session_state.get(LINKED, set()).discard(key)


def title_of(label: str, key: str) -> str:
    """Return a widget's title, which says so if it can't be used.

    In words: a screen reader would spell the name of an icon out.
    """
    return f"{label} ({read_words('frame').label('locked')})" if locks.is_fixed(key) else label


def explained(help: str | None, key: str) -> str | None:
    """Return a widget's help, with the reason why it can't be used."""
    if not locks.is_fixed(key):
        return help
    return "\n\n".join(filter(None, (read_words("frame").section("is_fixed"), help)))


def name_if_fixed(label: str, key: str) -> None:
    """Name a fixed control that has no widget, with the reason."""
    if locks.is_fixed(key) and not locks.is_hidden(key):
        st.caption(title_of(label, key), help=explained(None, key))


def _of_link(key: str, read: link_values.Reader[Any]) -> Any:
    """Return the link's value, or None if it has none."""
    asked, is_of_link = st.query_params.get_all(key), is_asked(key)
    forget_link(key)
    value = read(asked) if asked else None
    # What this page wrote itself, for other options, is no fault of a link.
    if asked and value is None and is_of_link:
        link_values.say_impossible(key, asked[-1])
    return value


def _fixed(key: str, usual: Any, read: link_values.Reader[Any]) -> Any:
    """Return a fixed control's value, which the link gives on every run, and store it."""
    asked = locks.value_of(key)
    value = read(asked) if asked else usual
    if value is None and asked and key not in locks.here().told:
        locks.here().told.add(key)
        link_values.say_impossible(key, asked[-1])
    value = usual if value is None else value
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    link_values.put(key, asked)
    return value
