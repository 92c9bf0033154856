"""Read what a component told only when it told something.

Upstream: `make_bidi_component_presenter` (components/v2/presentation.py). Whenever the state of the
visit is gathered, which each run does and each text field or list that it draws, Streamlit makes a
class for each drawing that was ever shown, for what the drawing may have told. A class is a cycle,
which only the garbage collector frees. Here a class is made for a drawing that did tell something.
Worth it, measured: see what a change waits for in docs/decisions/0004-a-server-in-class.md.
"""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from pages.server.process import streamlit_patches

if TYPE_CHECKING:
    from streamlit.runtime.state.session_state import SessionState


class Told(dict[str, Any]):
    """What a component told, by name; None for what it did not tell."""

    __getattr__ = dict.get


def present_what_was_told(original: Callable) -> Callable:
    """Return what stands for `make_bidi_component_presenter`."""

    @wraps(original)
    def make(aggregator_id: str, *args: Any, **more: Any) -> Callable:
        upstream = original(aggregator_id, *args, **more)

        def present(state: object, session: "SessionState") -> object:
            if not isinstance(state, dict) or session._new_widget_state.get(aggregator_id):
                return upstream(state, session)
            return Told(state)

        return present

    return make


def install() -> None:
    """Replace the function where components are drawn."""
    from streamlit.components.v2.bidi_component import main

    streamlit_patches.replace(main, "make_bidi_component_presenter", present_what_was_told)
