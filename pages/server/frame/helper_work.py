"""What a page shows of work in the helper process: how long it takes, and why there is none."""

import time
from collections.abc import Callable
from typing import Any

import streamlit as st

from mlm_core.number_format import formatted
from pages.server.course.words import read_words
from pages.server.process import helper_process
from pages.server.process.helper_process import HelperDiedError, Obstacle, Work

MEGABYTE = 1_000_000
PATIENCE_SECONDS = 0.8  # for a helper that is at work: most answers are there by then
LOOK_SECONDS = 1.0
LONGEST_START = 30.0  # seconds until the first answer, which the bar is drawn for


def asked(make_work: Callable[[], Work], *modules: str) -> Any:
    """Return what a work gives; None if it isn't there, after showing why or how long it takes."""
    found = helper_process.obstacle(*modules)
    if found is None:
        try:
            return waited_for(make_work())
        except HelperDiedError:
            found = Obstacle("died")
    st.warning(said(found), icon=":material/info:")
    return None


def waited_for(work: Work) -> Any:
    """Return what a work gives; None if it isn't there yet, after showing how long it takes.

    The page is drawn anew when it is there. Raises HelperDiedError, and what the work raised.
    """
    words, place = read_words("frame"), st.empty()
    try:
        if not helper_process.is_warm():
            return work.result()
        with place, st.spinner(words.label("helper_works")):
            return work.result(PATIENCE_SECONDS)
    except TimeoutError:
        st.fragment(_look_again, run_every=LOOK_SECONDS)(work)
        return None


def said(found: Obstacle) -> str:
    """Return a sentence on why the helper can't be used."""
    return read_words("frame").section(
        f"helper.{found.kind}",
        package=found.package,
        free=formatted(found.free_bytes / MEGABYTE, ",.0f"),
        needed=formatted(helper_process.NEEDED_BYTES / MEGABYTE, ",.0f"),
    )


def _look_again(work: Work) -> None:
    """Show a bar; draw the page anew when the work has ended, whatever came of it."""
    try:
        work.result()
    except TimeoutError:
        seconds = time.monotonic() - work.begun
        label = "helper_works" if helper_process.is_warm() else "helper_starts"
        text = read_words("frame").label(label)
        st.progress(min(0.95, seconds / LONGEST_START), f"{text} ({formatted(seconds, '.0f')} s)")
        return
    except Exception:
        pass  # the page asks for the result again, and says what was raised
    st.rerun(scope="app")
