"""How a page looks and behaves around its figures: width, text that reads, focus, and print.

WCAG 2.2 AA asks for a contrast of 4.5 for text and 3 for what marks the focus, in both themes.
Streamlit's own captions and axes have less, and its links mark the focus by a shade alone.
"""

import streamlit as st

from mlm_core.figures import chips
from mlm_core.figures.svg import FADE, MORE_FOLLOWS
from pages.server.figures.sent_code import packed_script, putting
from pages.server.frame import landing
from pages.server.process.browser_code import code_of, without_spaces
from pages.server.process.streamlit_patches import browser_history

_WIDE_TABLES = f"""
{FADE}
[data-testid="stMarkdownContainer"]:has(> table) {{ {MORE_FOLLOWS} }}
"""

STYLE = without_spaces(f"{chips.STYLE}{_WIDE_TABLES}") + code_of(__file__, "page.css")
HOME = STYLE + code_of(__file__, "home.css")


def put_style(style: str) -> None:
    """Put a style into the page, where it takes no room.

    Streamlit puts a style alone where the toasts are, and a fragment's toast took its place.
    """
    st.html(f"<span></span><style>{style}</style>")


# Screen readers and browsers that translate go by the language. What scrolls by itself is made a
# stop of the tab key: some browsers do so themselves, others would never reach it. (A formula has
# another width when its font has arrived.) Streamlit's note of a lost connection is English: the
# style shows ours in its place.
# On a phone the menu lies over the page: a choice closes it, and so does a tap beside it, which
# presses nothing beneath. Streamlit itself leaves it open, and lets the tap through. A touch that
# is swallowed makes no click, so the menu is closed at once.
SCRIPT = packed_script(
    browser_history.SCRIPT
    + code_of(__file__, "chart_motion.js")
    + landing.SCRIPT
    + putting(code_of(__file__, "print.css"), "mlm-print")
    + code_of(__file__, "page.js")
)
