"""What a visit keeps of one lesson: what was asked for, marked or noted, and the widgets' values.

    p.state["heads_measured"] = p.model_name
    if "heads_measured" in p.state: ...

A name is that of a control, or any other. Nothing of it is in a link, and it ends with the visit.
"""

from collections.abc import Iterator, MutableMapping
from typing import Any

import streamlit as st


class LessonState(MutableMapping[str, Any]):
    """The values of one lesson in this visit's session, by names without the lesson's."""

    def __init__(self, slug: str) -> None:
        """Take the lesson's slug."""
        self._before = f"{slug}_"

    def __getitem__(self, name: str) -> Any:
        return st.session_state[self._before + name]

    def __setitem__(self, name: str, value: Any) -> None:
        st.session_state[self._before + name] = value

    def __delitem__(self, name: str) -> None:
        del st.session_state[self._before + name]

    def __iter__(self) -> Iterator[str]:
        for key in st.session_state:
            if str(key).startswith(self._before):
                yield str(key).removeprefix(self._before)

    def __len__(self) -> int:
        return sum(1 for _ in self)
