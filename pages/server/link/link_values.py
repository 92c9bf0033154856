"""A parameter of the link as the value of a control, and back.

A reader takes the parameter's values (more than one for two marks) and returns None for what is
no value of its control. It also reads what a visit has, written as the link would have it.
"""

import math
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

import streamlit as st

from pages.server.course.words import read_words

Value = TypeVar("Value")
Reader = Callable[[Sequence[str]], Value | None]
LONGEST_LINK = 60_000  # characters; beyond 64 kB deploy/nginx.conf refuses the page
Marks = TypeVar("Marks", int, float, tuple[int, int], tuple[float, float])


def text_up_to(longest: int | None) -> Reader[str]:
    """Return a reader of texts, cut where the field is full."""
    return lambda values: values[-1][:longest]


def switch(values: Sequence[str]) -> bool | None:
    """Read a switch.

    >>> switch(["TRUE"]), switch(["false"]), switch(["1"])
    (True, False, None)
    """
    return {"true": True, "false": False}.get(values[-1].lower())


def one_of(names: Collection[str]) -> Reader[Any]:
    """Return a reader of one of these names."""
    return lambda values: values[-1] if values[-1] in names else None


def some_of(names: Collection[str], most: int) -> Reader[list[str]]:
    """Return a reader of some of these names, in their order; none of them is none chosen.

    >>> read = some_of(("a", "b", "c"), 2)
    >>> read(["b,x,a,b,c"]), read([""]), read(["x"])
    (['b', 'a'], [], None)
    """

    def read(values: Sequence[str]) -> list[str] | None:
        asked = dict.fromkeys(",".join(values).split(","))
        found = [name for name in asked if name in names][:most]
        return found if found or [*asked] == [""] else None

    return read


def numbers_between(lowest: float, highest: float, like: Marks) -> Reader[Marks]:
    """Return a reader of one number, or of two in order; whole ones if `like` is whole.

    One beyond a limit is the limit.

    >>> numbers_between(0, 100, (80, 90))(["60", "70"]), numbers_between(0.0, 1.0, 0.3)(["2"])
    ((60, 70), 1.0)
    """
    marks: tuple[Any, ...] = like if isinstance(like, tuple) else (like,)

    def read(values: Sequence[str]) -> Any:
        try:
            numbers = sorted(float(value) for value in values)
        except ValueError:
            return None
        if len(numbers) != len(marks) or not all(map(math.isfinite, numbers)):
            return None
        within = [min(max(x, lowest), highest) for x in numbers]
        typed = [type(mark)(x) for mark, x in zip(marks, within, strict=True)]
        return tuple(typed) if isinstance(like, tuple) else typed[0]

    return read


def written(value: object) -> tuple[str, ...]:
    """Return the values of a parameter that has this value.

    >>> written(True), written(3.0), written((50, 60)), written(["a", "b"])
    (('true',), ('3',), ('50', '60'), ('a,b',))
    """
    if isinstance(value, tuple):
        return tuple(one for mark in value for one in written(mark))
    if isinstance(value, list):
        return (",".join(value),)
    if isinstance(value, bool):
        return (str(value).lower(),)
    return (str(int(value)) if isinstance(value, float) and value.is_integer() else str(value),)


def say_impossible(key: str, value: str) -> None:
    """Say that the link asks for what can't be."""
    message = read_words("frame").section("bad_parameter", key=key, value=value[:40])
    st.toast(message, icon=":material/link_off:")


def write(key: str, value: object, usual: object) -> None:
    """Put a value into the link, unless it is the usual one."""
    put(key, () if value == usual else written(value))


def put(key: str, values: tuple[str, ...]) -> None:
    """Let the link have these values of a parameter; without any, the parameter goes.

    One that would make the link too long to open goes, too: its text stays in the visit alone.
    """
    if tuple(st.query_params.get_all(key)) == values:
        return
    others = {name: st.query_params.get_all(name) for name in st.query_params if name != key}
    if values and len(urlencode(others | {key: values}, doseq=True)) <= LONGEST_LINK:
        st.query_params[key] = values if len(values) > 1 else values[0]
    else:
        st.query_params.pop(key, None)
