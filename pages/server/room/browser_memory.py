"""A cookie that brings a reloaded page, or a second tab, back into its room.

A reload is a new visit to Streamlit, and phones reload when they wake up; without the cookie a
learner would be counted twice. It has random letters alone and goes with the browser.
"""

import streamlit as st

from pages.server.process.browser_code import code_of

LEARNER, TEACHER = "mlm_room", "mlm_desk"
GOES_ON = "-"  # between the code and what follows

_cookie = st.components.v2.component(
    "mlm_room_cookie",
    html="<span></span>",
    js=code_of(__file__, "browser_memory.js"),
)


def remember(name: str, code: str = "", secret: str = "") -> None:
    """Let the browser keep where it was; without a code it forgets. Draws nothing to see."""
    value = f"{code}{GOES_ON}{secret}" if code else ""
    with st.container(key=f"{name}_cookie"):
        _cookie(key=f"{name}_set", data={"name": name, "value": value})


def remembered(name: str) -> tuple[str, str]:
    """Return the code and the secret that the browser brought; empty texts if none."""
    code, _, secret = str(st.context.cookies.get(name, ""))[:80].partition(GOES_ON)
    return code, secret
