"""Presentation mode: for a projector, no sidebar, the whole width, everything larger.

    masking?present=1      by the link, or by the key P, which also ends it

What was in view is projected: a lesson's opening, or its chosen part. landing.py scrolls until the
first figure is wholly in view; a drawing higher than the room for it, above the bar of votes, is
drawn smaller. The next figure, the choice of parts, the opening and the way out are in a corner.

The content is enlarged so that it is 1,040 units wide, whatever the screen: at 1,920 pixels text
of 16 is drawn with 29.5 and the smallest text of charts, 13, with 24. plotly measures its place in
pixels of the screen, so its charts are not enlarged by the browser: they are drawn with larger text
and marks. The mode goes from page to page with the visit. Locks and rooms are as without it.

In and out of the mode, the arrow keys press what leads a teacher on and back (`STEPS`), unless
something that moves by them has the focus. A clicker's keys, PageUp and PageDown, do so in the
mode; out of it they scroll. A switch turns off the keys of one letter, P and Streamlit's own R and
C; the browser's tab remembers it.
"""

import streamlit as st

from pages.server import session
from pages.server.course.words import read_words
from pages.server.figures.sent_code import packed_script, putting
from pages.server.figures.show import Presented
from pages.server.link.controls import PRESENTS
from pages.server.process.browser_code import code_of
from pages.server.room import teacher_bar, votes

ON = "1"
WIDTH = 1_040  # pixels of the content before it is enlarged
SMALLEST_ZOOM, LARGEST_ZOOM = 1.15, 6.0
USUAL_ZOOM = 1_920 / WIDTH  # until the browser has told its own
SWITCH = "presenting_switch"
STEPS = (votes.WAYS, teacher_bar.WAYS)  # keys of two buttons; the first pair on the page is meant


STYLE = putting(code_of(__file__, "presenting.css"), "mlm-presenting")
_SCRIPT = STYLE + code_of(__file__, "presenting.js")
_BUTTON = code_of(__file__, "presenting_switch.css")
_HTML = """<button type="button"></button>
<label><input type="checkbox" role="switch"><span></span></label>"""
_switch = st.components.v2.component(
    "mlm_presenting", html=_HTML, css=_BUTTON, js=packed_script(_SCRIPT)
)


def is_on() -> bool:
    """Return whether this visit presents."""
    return session.of(Presented).is_on


def arrive() -> None:
    """Follow the link, and keep the mode in it from page to page."""
    asked = st.query_params.get(PRESENTS)
    if asked is not None:
        session.of(Presented).is_on = asked == ON
    _keep()


def draw_switch() -> None:
    """Draw the button and the switch of keys in the sidebar; the script listens for the keys."""
    words = read_words("frame")
    _switch(
        key=SWITCH,
        data={
            "on": is_on(),
            "enter": (words.plain("present_by_key"), words.plain("present")),
            "leave": (words.plain("present_leave_by_key"), words.plain("present_leave")),
            "letters": words.plain("letters"),
            "menu": words.plain("present_menu"),
            "opening": words.plain("present_opening"),
            "next": words.plain("present_next"),
            "width": WIDTH,
            "smallest": SMALLEST_ZOOM,
            "largest": LARGEST_ZOOM,
            "zoom": session.of(Presented).zoom or USUAL_ZOOM,
            "steps": STEPS,
        },
        on_toggled_change=_toggle,
        on_measured_change=lambda: _note_zoom("measured"),
    )


def _toggle() -> None:
    session.of(Presented).is_on = not is_on()
    _note_zoom("toggled")
    _keep()


def _note_zoom(trigger: str) -> None:
    """Keep what the browser has measured; anything else that it could send is left."""
    told = st.session_state[SWITCH].get(trigger)
    if isinstance(told, int | float) and SMALLEST_ZOOM <= told <= LARGEST_ZOOM:
        session.of(Presented).zoom = float(told)


def _keep() -> None:
    presented = session.of(Presented)
    if presented.is_on:
        st.query_params[PRESENTS] = ON
        presented.zoom = presented.zoom or USUAL_ZOOM
    else:
        st.query_params.pop(PRESENTS, None)
        presented.zoom = None
