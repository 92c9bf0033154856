"""Lead the reader to what was asked for: a part's heading, or another element that a link names.

On a phone the steps are one row, to be scrolled. Elsewhere they stay in view and cover what is
above, or else Streamlit's own bar does. A page may become long enough only later, so it is done
again while the page grows, until the reader moves it. The script is sent once a page, with
page_style.py's; a move to a part sends where to go.

What is projected scrolls in the same way, until its first figure is wholly in view, or else the
figure's top: when the mode begins, and whenever another figure is the first one that is shown.
"""

import streamlit as st

from pages.server.process.browser_code import code_of

SCRIPT = code_of(__file__, "landing.js")

scroll_to = st.components.v2.component(
    "mlm_scroll_to",
    html="<span></span>",
    js=code_of(__file__, "scroll_to.js"),
)
