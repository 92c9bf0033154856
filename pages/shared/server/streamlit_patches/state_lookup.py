"""Look up one value of a visit's state without gathering all of them.

Upstream: `SafeSessionState.filtered_state` (runtime/state/safe_session_state.py), which sliders,
fields and lists ask at every run whether their own key has no value
(https://github.com/streamlit/streamlit/pull/8529). It builds a dict of the whole state for each.
Worth it, measured: 3 of 35 ms of the processor for a page with many widgets, in a visit that has
been through all lessons.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pages.shared.server import streamlit_patches

if TYPE_CHECKING:
    from streamlit.runtime.state.safe_session_state import SafeSessionState


class StateLookup(Mapping[str, Any]):
    """What `filtered_state` gives, gathered only when all of it is asked for."""

    def __init__(self, state: "SafeSessionState") -> None:
        self._state = state

    def __contains__(self, key: object) -> bool:
        with self._state._lock:
            return isinstance(key, str) and key in self._state._state

    def __getitem__(self, key: str) -> Any:
        with self._state._lock:
            return self._state._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __repr__(self) -> str:
        return repr(self._all())

    def _all(self) -> dict[str, Any]:
        with self._state._lock:
            return self._state._state.filtered_state


def look_up(original: property) -> property:
    """Return what stands for `SafeSessionState.filtered_state`."""
    return property(StateLookup)


def install() -> None:
    """Replace `SafeSessionState.filtered_state`."""
    from streamlit.runtime.state.safe_session_state import SafeSessionState

    streamlit_patches.replace(SafeSessionState, "filtered_state", look_up)
