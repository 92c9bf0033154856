"""What a visit keeps: one typed object for each concern, which ends with the visit.

    @dataclass
    class Kept:
        opened: list[str] = field(default_factory=list)

    session.of(Kept).opened.append("rule")

Streamlit's session state has each object under one key, made of its class. Only a widget has a key
of its own there. A thread that draws no page, as the trainer's, has no session.
"""

from typing import Any, TypeVar

import streamlit as st

Kept = TypeVar("Kept")


def of(kind: type[Kept], state: Any = None) -> Kept:
    """Return the visit's object of a class, which is made with its defaults at first use.

    `state` is the session state of another visit: a test's.
    """
    state = st.session_state if state is None else state
    key = f"{kind.__module__}.{kind.__qualname__}"
    if key not in state:
        state[key] = kind()
    return state[key]
