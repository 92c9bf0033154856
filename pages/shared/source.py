"""Show the very code that ran."""

import inspect
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.shared.words import read_words

ROOT = Path(__file__).parents[2]


def show_source(*functions: Callable, key: str) -> None:
    """Show the source of the functions that made the figure, each under its file's name."""
    opened = st.expander(
        read_words("frame").label("source"), icon=":material/code:", key=key, on_change="rerun"
    )
    if not opened.open:
        return
    with opened:
        for wrapped in functions:
            function = inspect.unwrap(wrapped)  # torch's decorators stand in files of torch
            file = Path(inspect.getsourcefile(function)).relative_to(ROOT)
            line = inspect.getsourcelines(function)[1]
            st.caption(f"`{file}`, {read_words('frame').label('line')} {line}")
            st.code(inspect.getsource(function), language="python")
