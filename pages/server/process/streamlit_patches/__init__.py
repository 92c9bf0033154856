"""What this app changes in Streamlit's own classes: here and nowhere else; see README.md.

A change is a module of this folder with a function `install()`. All are made when the frame of a
page is first imported, on the tested version only. On any other one none is made: the app works
as Streamlit lets it, and one warning in the log says so.
"""

import importlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import streamlit as st

from pages.server import TESTED

logger = logging.getLogger("mlm_app")

CHANGES = ("browser_history", "component_values", "finished_parts", "rerun_requests")


def is_tested() -> bool:
    """Return whether this is the version of Streamlit that the changes were made for."""
    return st.__version__ == TESTED


def install() -> None:
    """Make all changes for this process; a second time changes nothing more."""
    if not is_tested():
        logger.warning(
            "Streamlit %s is installed and %s is expected: the app runs without its changes to"
            " Streamlit, with less of the browser's history; install what requirements.txt says",
            st.__version__,
            TESTED,
        )
        return
    for name in CHANGES:
        importlib.import_module(f"{__name__}.{name}").install()


def replace(owner: type | ModuleType, name: str, make: Callable[[Any], Any]) -> None:
    """Put what `make` builds around Streamlit's own method in its place.

    A second time it changes nothing. When a module was reloaded, its new `make` builds around
    Streamlit's own method again, not around the last change.
    """
    last: Replaced | None = vars(owner).get(record_name(name))
    if last is not None and last.make is make:
        return
    upstream = original(owner, name)
    made = make(upstream)
    setattr(owner, record_name(name), Replaced(upstream, make, made, last))
    setattr(owner, name, made)


def original(owner: type | ModuleType, name: str) -> Any:
    """Return Streamlit's own method, whatever stands for it now."""
    last: Replaced | None = vars(owner).get(record_name(name))
    return vars(owner)[name] if last is None else last.original


@dataclass(frozen=True)
class Replaced:
    """What stands for a method of Streamlit's; kept on the class."""

    original: Any
    make: Callable[[Any], Any]
    made: Any
    # A run that goes on knows the method by a weak reference only: its events would be lost.
    before: "Replaced | None"


def record_name(method: str) -> str:
    """Return under which name a class keeps what was replaced."""
    return f"mlm_replaced_{method}"
