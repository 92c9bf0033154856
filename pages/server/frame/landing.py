"""Lead the reader to what was asked for: a part's heading, or another element that a link names.

On a phone the steps are one row, to be scrolled. Elsewhere they stay in view and cover what is
above, or else Streamlit's own bar does. A page may become long enough only later, so it is done
again while the page grows, until the reader moves it. The script is sent once a page, with
page_style.py's; a move to a part sends where to go.

What is projected scrolls in the same way, until its first figure is wholly in view, or else the
figure's top: when the mode begins, and whenever another figure is the first one that is shown.
"""

from dataclasses import dataclass

import streamlit as st

from pages.server import session
from pages.server.process.browser_code import code_of

SCRIPT = code_of(__file__, "landing.js")

scroll_to = st.components.v2.component(
    "mlm_scroll_to",
    html="<span></span>",
    js=code_of(__file__, "scroll_to.js"),
)


@dataclass
class Arrived:
    """Where a visit is, and what its page leads to."""

    page: str | None = None  # that was drawn last
    n_arrivals: int = 0  # how often the visit came to a page
    looked_up: str | None = None  # the key of what another page led to
    part: tuple[int, str, str] | None = None  # drawn last: the arrival, lesson and part
    by_button: bool = False  # the button "Next" led here
    to_opening: bool = False  # a button leads to the opening
    n_landings: int = 0  # how often the page led to something


def land_on(element: str, key: str, **how: object) -> None:
    """Scroll once to the element of that key; `key` is the scroll's own."""
    arrived = session.of(Arrived)
    arrived.n_landings += 1
    scroll_to(
        key=key,
        data={"of_class": f"st-key-{element}", "landing": arrived.n_landings, **how},
    )
