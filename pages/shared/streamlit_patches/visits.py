"""Tell which visit is being drawn, whether its tab is connected, and close it.

Upstream: `Runtime` (runtime/runtime.py). It closes a visit whose tab has gone only when another
one comes, `server.disconnectedSessionTTL` later; the housekeeping does so when the time is over.
Nothing is replaced here. On an untested version no visit is seen, and the housekeeping rests.
"""

from collections.abc import Iterable

from pages.shared import streamlit_patches


def current_id() -> str | None:
    """Return the id of the visit that this thread draws for; None without a server."""
    if not streamlit_patches.is_tested():
        return None
    from streamlit.runtime import Runtime, exists, get_instance
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    if not exists() or type(get_instance()) is not Runtime:
        return None  # a page in a test or in a bare script
    context = get_script_run_ctx()
    return None if context is None else context.session_id


def is_connected(session_id: str) -> bool:
    """Return whether a visit's tab is connected now."""
    from streamlit.runtime import Runtime

    return Runtime.instance().is_active_session(session_id)


def close(session_ids: Iterable[str]) -> None:
    """Close visits, on the event loop's thread, where Streamlit wants it."""
    from streamlit.runtime import Runtime

    runtime = Runtime.instance()
    loop = runtime.stopped.get_loop()
    for one in session_ids:
        loop.call_soon_threadsafe(runtime.close_session, one)
