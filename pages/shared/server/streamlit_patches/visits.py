"""Tell which visit is being drawn, whether its tab is connected, and close it.

Upstream: `Runtime` (runtime/runtime.py). It closes a visit whose tab has gone only when another
one comes, `server.disconnectedSessionTTL` later; the housekeeping does so when the time is over.
Nothing is replaced here. On an untested version no visit is watched, and the housekeeping rests.
"""

import asyncio
from collections.abc import Iterable

from pages.shared.server import streamlit_patches


def session_id() -> str | None:
    """Return the id of the visit that this thread draws for, on any version of Streamlit.

    It is what the trainer counts as one owner of runs. A reloaded page is another visit. Cookies
    would tell no more of somebody who drops them, and a whole class can have one address.
    """
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx()
    return None if context is None else context.session_id


def current_id() -> str | None:
    """Return session_id() if the visit can be watched and closed: on the tested version's server.

    None in a test or a bare script, whose visits nobody closes.
    """
    if not streamlit_patches.is_tested():
        return None
    from streamlit.runtime import Runtime, exists, get_instance

    return session_id() if exists() and type(get_instance()) is Runtime else None


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
