"""How a control's value comes from the link, is stored for the visit and goes back to the link.

    layer = bound(st.slider, "Layer", 3, numbers_between(0, 12, 3), key="isotropy_layer")

`begin` takes the link's value on arrival, then the visit's, and else the usual one; `draw` draws
the widget; `store` writes the value into the link unless it is the usual one. What a link fixes
(locks.py) has the link's value on every run, and is drawn disabled or not at all.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages.server import session
from pages.server.course.words import read_words
from pages.server.link import link_values, locks
from pages.server.link.controls import MODEL

LOCKED_ICON = ":material/lock:"


@dataclass(frozen=True, kw_only=True)
class Start:
    """How a control began: the usual value, for which model, and as which of Streamlit's widgets.

    On another page, and a slider with other limits, it is another widget there, which has to be
    given its value.
    """

    usual: Any
    model: str | None
    widget: tuple[object, ...]
    # The usual value whose place it took then. A browser that is used meanwhile may send it once
    # more, before it has the new one: it is nothing that somebody chose.
    replaced: Any = None


@dataclass
class Bound:
    """What a visit knows of its controls beside their values."""

    asked: set[str] = field(default_factory=set)  # parameters of the link that nobody followed yet
    arrivals: int = 0  # how often a link led to a page
    starts: dict[str, Start] = field(default_factory=dict)  # by key, when it was drawn last


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
    is_typed: bool = False,
    limits: tuple[float, float] | None = None,
) -> link_values.Value:
    """Return a control's value before its widget is drawn, and store it for the visit.

    What is no value any more, such as an option that is gone, is the usual one again. What nobody
    changed, such as the last layer, is that of another model after it; with `follows`, it is
    whatever is usual now.
    """
    if locks.is_fixed(key):
        return _fixed(key, usual, read)
    visit, kept = session.of(Bound), st.session_state.get(key)
    model = None if key == MODEL else st.session_state.get(MODEL)
    widget = (limits, visit.arrivals)
    start = Start(usual=usual, model=model, widget=widget)
    before = visit.starts.get(key, start)
    is_usual = kept == before.usual and (follows or before.model != model)
    # One press chooses an option of before again; nobody types a whole text again.
    is_late = kept == before.replaced and (is_typed or usual != before.usual)
    if kept is not None and (is_usual or is_late):
        kept = usual
        start = replace(start, replaced=before.usual if before.usual != usual else None)
    visit.starts[key] = start
    value = None
    if kept is not None and not is_asked(key):
        value = usual if kept == usual else read(link_values.written(kept))
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


def no_widget(title: str, *, help: str | None, disabled: bool, **_: object) -> None:
    """Draw a control that a drawing shows: only named, with the reason, where the link fixes it."""
    if disabled:
        st.caption(title, help=help)


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
    visit = session.of(Bound)
    visit.asked = {*st.query_params, *keys}
    visit.arrivals += 1
    for key in keys:
        st.session_state.pop(key, None)


def is_asked(key: str) -> bool:
    """Return whether the link that led here names this key, and nobody has followed it yet."""
    return key in session.of(Bound).asked


def forget_link(key: str) -> None:
    """Let the link that led here say nothing more of a key."""
    session.of(Bound).asked.discard(key)


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
