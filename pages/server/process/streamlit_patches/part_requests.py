"""Draw some other parts of the page again from one that a timer draws, and not the whole page.

Upstream: `st.rerun` with the key of a part (commands/execution_control.py), which a widget's
callback alone may call, since it ends the run that it is called in. Here this run goes on to its
end, and the parts follow as they do when they are clicked in meanwhile. Nothing is replaced here.
Worth it, measured: when a teacher reveals an answer, a page of sixty takes 22 ms of a core and 23
kB, and 56 ms and 82 kB where all of it is drawn.
"""

from collections.abc import Collection
from dataclasses import replace

import streamlit as st

from pages.server.process import streamlit_patches


def current() -> str | None:
    """Return the id of the part that is being drawn; None outside of one."""
    from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

    return ThreadState.get().fragment_id


def this_run() -> object:
    """Return what each run of a page, or of parts of it, has one of; None outside of one."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx(suppress_warning=True)
    return context and context.parallel_coordinator


def draw(parts: Collection[str | None]) -> None:
    """Let the parts with these ids be drawn next; the whole page if one of them is None.

    A part that is gone by then is left out.
    """
    from streamlit.runtime.scriptrunner import get_script_run_ctx
    from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequestType

    context = get_script_run_ctx()
    requests = context.script_requests if context is not None else None
    if context is None or requests is None or None in parts or not streamlit_patches.is_tested():
        st.rerun()
    ids = [one for one in parts if one is not None]
    if not ids:
        return
    asked = RerunData(
        query_string=context.query_string,
        page_script_hash=context.page_script_hash,
        cached_message_hashes=context.cached_message_hashes,
        context_info=context.context_info,
        is_auto_rerun=True,
    )
    if requests._state == ScriptRequestType.RERUN:
        # What a visitor asked for meanwhile keeps its page and its link.
        asked = requests._rerun_data
    requests.request_rerun(replace(asked, fragment_id_queue=ids))
