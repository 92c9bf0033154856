"""A look at one value of a visit's state that doesn't gather all of them.

Streamlit 1.67's sliders, fields and lists ask at every run whether their own key has no value,
and gather the whole state for it (https://github.com/streamlit/streamlit/pull/8529). A visit that
has been through all lessons has 365 values: a quarter of a page's time went there.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from streamlit.runtime.state.safe_session_state import SafeSessionState


class _State(Mapping[str, Any]):
    """What `filtered_state` gives, gathered only for whoever asks for all."""

    def __init__(self, state: SafeSessionState) -> None:
        self._state = state

    def __contains__(self, key: object) -> bool:
        with self._state._lock:
            return key in self._state._state

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


def install() -> None:
    """Let every visit of this process look that way."""
    SafeSessionState.filtered_state = property(_State)
