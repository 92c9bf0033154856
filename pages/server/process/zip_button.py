"""A button that makes a zip when it is pressed, and what keeps zips from piling up.

A zip has up to 27 MB. Streamlit removes it at the second clean-up after no page shows it any more.
So zips are made one at a time, and few presses wait for their turn. Equal zips are one file to
Streamlit (their bytes are equal), and it is asked for a clean-up before every second zip.
"""

import itertools
import threading
from collections.abc import Callable

import streamlit as st
from streamlit.runtime import exists, get_instance

MOST_WAITING = 2  # presses; each holds a thread of a small pool that all visits share
LONGEST_WAIT = 20.0  # seconds; after that the press fails, and can be repeated
MADE_BETWEEN = 2  # zips between two clean-ups
_lock = threading.Lock()
_places = threading.BoundedSemaphore(1 + MOST_WAITING)  # for the zip being made and who waits
_numbers = itertools.count()


def zip_button(label: str, pack: Callable[[], bytes], *, file_name: str, key: str) -> None:
    """Show a button that saves what `pack` makes.

    `pack` is called without a session, so it can't look anything up there.
    """
    st.download_button(
        label,
        lambda: one_at_a_time(pack),
        file_name=file_name,
        mime="application/zip",
        on_click="ignore",
        icon=":material/download:",
        key=key,
    )


def one_at_a_time(pack: Callable[[], bytes]) -> bytes:
    """Return what `pack` makes. Raises TimeoutError if too many others wait for theirs."""
    too_many = "other zips are being made: press again in a moment"
    if not _places.acquire(blocking=False):
        raise TimeoutError(too_many)
    try:
        if not _lock.acquire(timeout=LONGEST_WAIT):
            raise TimeoutError(too_many)
        try:
            if next(_numbers) % MADE_BETWEEN == 0 and exists():
                get_instance().media_file_mgr.remove_orphaned_files()
            return pack()
        finally:
            _lock.release()
    finally:
        _places.release()
