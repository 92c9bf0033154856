"""Show the very code that ran, and offer the notebook that goes with a lesson."""

import functools
import inspect
import threading
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from pages.server.course.lessons import Lesson, shown
from pages.server.course.words import read_words

ROOT = Path(__file__).parents[3]
NOTEBOOKS = ROOT / "docs" / "notebooks"
# To find a class, Python parses its whole file; Python 3.11 fails where two threads parse at
# once ("AST constructor recursion depth mismatch", its issue 106905).
_reading = threading.Lock()


def show_source(*functions: Callable, key: str) -> None:
    """Show the source of the functions that made the figure, each under its file's name."""
    opened = st.expander(
        read_words("frame").label("source"), icon=":material/code:", key=key, on_change="rerun"
    )
    if not opened.open:
        return
    with opened:
        for function in functions:
            file, line, source = source_of(function)
            st.caption(f"`{file}`, {read_words('frame').label('line')} {line}")
            st.code(source, language="python")


def offer_notebook(lesson: Lesson) -> None:
    """Offer the notebook on a lesson's subject as a file, if there is one."""
    if lesson.notebook is None:
        return
    st.divider()
    st.download_button(
        read_words("frame").label("save_notebook"),
        (NOTEBOOKS / lesson.notebook).read_bytes,  # read when it is asked for
        file_name=lesson.notebook,
        mime="application/x-ipynb+json",
        on_click="ignore",
        icon=":material/download:",
        key=f"{lesson.slug}_notebook",
    )


def source_of(function: Callable) -> tuple[str, int, str]:
    """Return the file of a function or class, its first line there and its text."""
    with _reading:
        return _read_source(inspect.unwrap(function))  # torch's decorators stand in torch's files


@functools.cache  # as many as the app shows, some hundred
def _read_source(function: Callable) -> tuple[str, int, str]:
    lines, line = inspect.getsourcelines(function)
    path = inspect.getsourcefile(function)
    assert path is not None
    return shown(Path(path)), line, "".join(lines)
