"""The plan in the browser's own storage, so that a reload or a restart brings it back.

Only this browser has it (localStorage), and only the server that shows the page reads it. A plan
from there is read like one from a file: with trust in nothing.
"""

import streamlit as st

from pages.beside.teaching import plan_state
from pages.beside.teaching.lesson_plan import UnreadablePlanError, as_json, read_plan
from pages.server.frame.page_frame import Page
from pages.server.process.browser_code import code_of

KEY, ASKED = "teaching_plan_memory", "teaching_plan_asked"

_browser = st.components.v2.component(
    "mlm_plan_memory",
    html="<span></span>",
    js=code_of(__file__, "plan_memory.js"),
)


def keep(page: Page) -> None:
    """Let the browser keep the plan, and give back the one it has before anything is changed."""
    plan = plan_state.changed()
    with st.container(key="teaching_plan_kept"):
        _browser(
            key=KEY,
            data={
                "plan": "" if plan is None else as_json(plan),
                "is_told": ASKED in st.session_state,
            },
            on_found_change=lambda: _take_up(page, st.session_state[KEY].found),
        )


def _take_up(page: Page, found: object) -> None:
    st.session_state[ASKED] = True
    if plan_state.changed() is not None or not isinstance(found, str):
        return
    try:
        plan = read_plan(found.encode(errors="replace"))
    except UnreadablePlanError:
        return  # of another version of the app, or of anybody
    plan_state.change(page, lambda before: plan)
