"""A parameter of the link as the value of a widget, and back.

What Streamlit's own binding reads by itself is read here where it may not bind: a fixed control.
A reader takes the parameter's values (more than one for two marks) and returns None for what is
no value of its widget.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import streamlit as st

from pages.server.course.words import read_words

Value = TypeVar("Value")
Reader = Callable[[Sequence[str]], Value | None]
Marks = TypeVar("Marks", int, float, tuple[int, int], tuple[float, float])


def text_up_to(longest: int) -> Reader[str]:
    """Return a reader of texts, cut where the field is full."""
    return lambda values: values[-1][:longest]


def switch(values: Sequence[str]) -> bool | None:
    """Read a switch.

    >>> switch(["TRUE"]), switch(["false"]), switch(["1"])
    (True, False, None)
    """
    return {"true": True, "false": False}.get(values[-1].lower())


def numbers_between(lowest: float, highest: float, like: Marks) -> Reader[Marks]:
    """Return a reader of one number, or of two in order; whole ones if `like` is whole.

    >>> numbers_between(0, 100, (80, 90))(["60", "70"]), numbers_between(0.0, 1.0, 0.3)(["2"])
    ((60, 70), None)
    """
    marks: tuple[Any, ...] = like if isinstance(like, tuple) else (like,)

    def read(values: Sequence[str]) -> Any:
        if len(values) != len(marks):
            return None
        try:
            numbers = sorted(float(value) for value in values)
        except ValueError:
            return None
        if not all(math.isfinite(x) and lowest <= x <= highest for x in numbers):
            return None
        typed = [type(mark)(x) for mark, x in zip(marks, numbers, strict=True)]
        return tuple(typed) if isinstance(like, tuple) else typed[0]

    return read


def say_impossible(key: str, value: str) -> None:
    """Say that the link asks for what can't be."""
    message = read_words("frame").section("bad_parameter", key=key, value=value[:40])
    st.toast(message, icon=":material/link_off:")


def write(key: str, value: object, usual: object) -> None:
    """Put a value into the link, unless it is the usual one."""
    if value == usual:
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != str(value):
        st.query_params[key] = str(value)
