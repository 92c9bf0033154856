"""A button that makes a zip when it is pressed, and what keeps zips from piling up.

A zip has up to 27 MB. Streamlit removes it at the second clean-up after no page shows it any more.
So zips are made one at a time, equal zips are one file to Streamlit (their bytes are equal), and
Streamlit is asked for a clean-up before every second zip.
"""

import itertools
import threading
from collections.abc import Callable

import streamlit as st
from streamlit.runtime import exists, get_instance

LONGEST_WAIT = 20.0  # seconds; after that the press fails, and can be repeated
MADE_BETWEEN = 2  # zips between two clean-ups
_lock = threading.Lock()
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
    if not _lock.acquire(timeout=LONGEST_WAIT):
        raise TimeoutError("other zips are being made: press again in a moment")
    try:
        if next(_numbers) % MADE_BETWEEN == 0 and exists():
            get_instance().media_file_mgr.remove_orphaned_files()
        return pack()
    finally:
        _lock.release()
