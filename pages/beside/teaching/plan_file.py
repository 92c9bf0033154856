"""The plan as a file to keep, as a handout to print, and back from a file."""

import streamlit as st

from pages.beside.teaching import plan_state
from pages.beside.teaching.address import address
from pages.beside.teaching.handout import as_html
from pages.beside.teaching.lesson_plan import Plan, UnreadablePlanError, as_json, read_plan
from pages.server.frame.page_frame import Page

FILE, REFUSED = "teaching_plan_file", "teaching_plan_refused"
LARGEST_UPLOAD = 1  # MB; what is larger is refused by the browser already


def show_file(page: Page, plan: Plan) -> None:
    """Show what saves the plan, and what loads one; loading can be undone like any change."""
    words = page.words
    st.markdown(f"#### {words.label('keep')}")
    with st.container(horizontal=True):
        for kind, text, mime in (
            ("html", as_html(plan, words, address(page)), "text/html"),
            ("json", as_json(plan), "application/json"),
        ):
            st.download_button(
                words.label(f"save_{kind}"),
                text,
                file_name=f"lesson-plan.{kind}",
                mime=mime,
                on_click="ignore",
                icon=":material/print:" if kind == "html" else ":material/save:",
                key=f"teaching_save_{kind}",
            )
    st.file_uploader(
        words.label("load"),
        type=["json"],
        key=FILE,
        max_upload_size=LARGEST_UPLOAD,
        on_change=_load,
        args=(page,),
    )
    refused = st.session_state.get(REFUSED)
    if refused is not None:
        said = words.section(f"plan.bad_{refused.reason}", **refused.values)
        st.error(f"{said} {words.section('plan.unchanged')}", icon=":material/error:")


def _load(page: Page) -> None:
    """Take the plan of the file that was just given, or keep the reason why not."""
    st.session_state.pop(REFUSED, None)
    file = st.session_state.get(FILE)
    if file is None:
        return
    try:
        plan = read_plan(file.getvalue())
    except UnreadablePlanError as error:
        st.session_state[REFUSED] = error
    else:
        plan_state.change(page, lambda before: plan)
