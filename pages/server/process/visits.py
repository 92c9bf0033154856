"""Tell which visit is being drawn, whether its tab is connected, and close it.

Upstream: `Runtime` (runtime/runtime.py). It closes a visit whose tab has gone only when another
one comes, `server.disconnectedSessionTTL` later; the housekeeping does so when the time is over.
Nothing is changed here. On an untested version no visit is watched, and the housekeeping rests.
"""

import asyncio
from collections.abc import Iterable

import streamlit as st

from pages.server.process import streamlit_patches
from pages.server.process.door import TAB


def session_id() -> str | None:
    """Return the id of the visit that this thread draws for, on any version of Streamlit.

    It is what the trainer counts as one owner of runs. A reloaded page is another visit. Cookies
    would tell no more of somebody who drops them, and a whole class can have one address.
    """
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx(suppress_warning=True)
    return None if context is None else context.session_id


def current_id() -> str | None:
    """Return session_id() if the visit can be watched and closed: on the tested version's server.

    None in a test or a bare script, whose visits nobody closes.
    """
    return session_id() if streamlit_patches.is_tested() and _is_served() else None


def tab() -> str | None:
    """Return the tab that this thread draws for, as door.py named it; None in a test, and for none.

    Of a visit without a door, or whose tab has gone, it is the visit's id.
    """
    visit = session_id() if _is_served() else None
    return None if visit is None else st.context.headers.get(TAB, visit)


def has_door() -> bool:
    """Return whether door.py let this tab in; True where there is no tab."""
    headers = st.context.headers if _is_served() else {}
    return not headers or TAB in headers


def _is_served() -> bool:
    """Return whether a server runs here, and no test or bare script."""
    from streamlit.runtime import Runtime, exists, get_instance

    return exists() and type(get_instance()) is Runtime


def is_connected(session_id: str) -> bool:
    """Return whether a visit's tab is connected now."""
    from streamlit.runtime import Runtime

    return Runtime.instance().is_active_session(session_id)


def close(session_ids: Iterable[str]) -> None:
    """Close visits, on the event loop's thread, where Streamlit wants it."""
    from streamlit.runtime import Runtime

    runtime = Runtime.instance()
    stopped = runtime.stopped
    assert isinstance(stopped, asyncio.Future)
    loop = stopped.get_loop()
    for one in session_ids:
        loop.call_soon_threadsafe(runtime.close_session, one)
