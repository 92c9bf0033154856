"""Presentation mode: for a projector, no sidebar, the whole width, everything larger.

    masking?present=1      by the link, or by the key P, which also ends it

The content is enlarged so that it is 1,040 units wide, whatever the screen: at 1,920 pixels text
of 16 is drawn with 29.5 and the smallest text of charts, 13, with 24. plotly measures its place in
pixels of the screen, so its charts are not enlarged by the browser: they are drawn with larger text
and marks (`ZOOM`). The mode goes from page to page with the visit. Locks and rooms are as without
it.

In and out of the mode, the arrow keys press what leads a teacher on and back (`STEPS`), unless
something that moves by them has the focus. A clicker's keys, PageUp and PageDown, do so in the
mode; out of it they scroll.
"""

import streamlit as st

from pages.shared.course.words import read_words
from pages.shared.figures.sent_code import packed_script
from pages.shared.figures.show import ZOOM
from pages.shared.link.controls import PRESENTS
from pages.shared.room import teacher_bar, votes

ON = "1"
PRESENTING = "presenting"  # session state
OPENING_SHOWN = "presenting_opening"
WIDTH = 1_040  # pixels of the content before it is enlarged
SMALLEST_ZOOM, LARGEST_ZOOM = 1.15, 6.0
USUAL_ZOOM = 1_920 / WIDTH  # until the browser has told its own
SWITCH = "presenting_switch"
STEPS = (votes.WAYS, teacher_bar.WAYS)  # keys of two buttons; the first pair on the page is meant

STYLE = """
[data-presenting] :is([data-testid="stSidebar"], [data-testid="stExpandSidebarButton"],
  [data-testid="stHeader"]) { display: none; }
[data-presenting] [data-testid="stMainBlockContainer"] { max-width: none;
  padding: .25rem 1.5rem 4rem; zoom: var(--presenting-zoom); }
[data-presenting] .plot-container { zoom: calc(1 / var(--presenting-zoom)); }
[data-presenting] [data-testid="stMainBlockContainer"] h1 { font-size: 1.5rem; padding: 0; }
[data-presenting] .st-key-lesson_question { margin-top: 0; }
[data-presenting] [data-testid="stMain"] hr { margin: .25rem 0; }
[data-presenting] .st-key-teaching_part { display: none; }
[data-presenting] .st-key-teaching_room_qr :is(div, svg) {
  height: calc(75vh / var(--presenting-zoom)); }
[data-presenting] .st-key-room_code h1 { font-size: 4rem; }
#leave-presenting { position: fixed; right: 1rem; bottom: 1rem; z-index: 999; font: inherit;
  padding: .4rem .8rem; border-radius: .5rem; cursor: pointer; opacity: .75;
  color: inherit; background: light-dark(#f3f5f8, #1b212b); border: 1px solid currentColor; }
#leave-presenting:is(:hover, :focus-visible) { opacity: 1; }
@media print { #leave-presenting { display: none; } }
"""

_SCRIPT = """
const IS_TYPED_IN = `input:not([type="checkbox"], [type="radio"]), textarea, select,
  [contenteditable="true"], [role="textbox"]`;
const isIn = (event, what) => event.composedPath().some((one) => one.matches?.(what));
const WAY = { ArrowLeft: 0, ArrowRight: 1, PageUp: 0, PageDown: 1 };  // a clicker sends the latter
const HAS_PAGES = `${IS_TYPED_IN}, .film, [role="slider"], [role="spinbutton"],
  [role="listbox"], [role="combobox"], [role="menu"], [role="grid"]`;
const HAS_ARROWS = `${HAS_PAGES}, [type="radio"], [role="radio"], [role="tab"], [data-row]`;
const buttonOf = (key) => document.querySelector(`.st-key-${key} button`);

const step = (event, steps) => {
  const ways = steps.find((pair) => pair.some(buttonOf));
  const button = ways && buttonOf(ways[WAY[event.key]]);
  const isPage = event.key.startsWith("Page");
  if (isPage && !("presenting" in document.documentElement.dataset)) return;
  const keeps = isPage ? HAS_PAGES : HAS_ARROWS;
  if (!button || event.defaultPrevented || event.shiftKey || isIn(event, keeps)) return;
  event.preventDefault();
  if (!event.repeat) button.click();
};

export default function ({ data, parentElement, setTriggerValue }) {
  const root = document.documentElement;
  const enter = parentElement.querySelector("button");
  enter.textContent = data.enter;
  const zoom = () =>
    Math.min(data.largest, Math.max(data.smallest, window.innerWidth / data.width));
  const toggle = () => setTriggerValue("toggled", zoom());
  enter.onclick = toggle;
  window.togglePresenting = toggle;
  const enlarge = () => root.style.setProperty("--presenting-zoom", zoom());
  enlarge();
  // A page that was opened by a link has charts for another screen.
  if (data.on && Math.abs(zoom() / data.zoom - 1) > 0.1) setTriggerValue("measured", zoom());
  document.getElementById("leave-presenting")?.remove();
  if (data.on) {
    root.dataset.presenting = "";
    const leave = document.createElement("button");
    leave.id = "leave-presenting";
    leave.type = "button";
    leave.textContent = data.leave;
    leave.onclick = toggle;
    (document.querySelector('[data-testid="stApp"]') ?? document.body).append(leave);
  } else {
    delete root.dataset.presenting;
  }
  if (window.listensForPresenting) return;
  window.listensForPresenting = true;
  window.addEventListener("resize", enlarge);
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in WAY) step(event, data.steps);
    const isP = event.key === "p" || event.key === "P";
    if (isP && !isIn(event, IS_TYPED_IN)) window.togglePresenting();
  });
}
"""
_BUTTON = """
button { font: inherit; color: var(--st-text-color); background: transparent; width: 100%;
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius);
  padding: .4rem .75rem; cursor: pointer; min-height: 2.5rem; }
button:hover { border-color: var(--st-primary-color); }
:focus-visible { outline: 3px solid var(--st-link-color); outline-offset: 1px; }
"""
_switch = st.components.v2.component(
    "mlm_presenting", html='<button type="button"></button>', css=_BUTTON, js=packed_script(_SCRIPT)
)


def is_on() -> bool:
    """Return whether this visit presents."""
    return bool(st.session_state.get(PRESENTING))


def arrive() -> None:
    """Follow the link, and keep the mode in it from page to page."""
    asked = st.query_params.get(PRESENTS)
    if asked is not None:
        st.session_state[PRESENTING] = asked == ON
    _keep()


def draw_switch() -> None:
    """Draw the button in the sidebar; its script also listens for the key."""
    words = read_words("frame")
    _switch(
        key=SWITCH,
        data={
            "on": is_on(),
            "enter": words.plain("present"),
            "leave": words.plain("present_leave"),
            "width": WIDTH,
            "smallest": SMALLEST_ZOOM,
            "largest": LARGEST_ZOOM,
            "zoom": st.session_state.get(ZOOM, USUAL_ZOOM),
            "steps": STEPS,
        },
        on_toggled_change=_toggle,
        on_measured_change=lambda: _note_zoom("measured"),
    )


def hides_opening() -> bool:
    """Return whether a lesson's opening isn't drawn, where it was decided above."""
    return is_on() and not st.session_state.get(OPENING_SHOWN, False)


def shows_opening() -> bool:
    """Return whether a lesson's opening is drawn: folded while presenting, until asked for."""
    if not is_on():
        return True
    return st.toggle(
        read_words("frame").label("present_opening"), key=OPENING_SHOWN, persist_state="session"
    )


def _toggle() -> None:
    st.session_state[PRESENTING] = not is_on()
    _note_zoom("toggled")
    _keep()


def _note_zoom(trigger: str) -> None:
    """Keep what the browser has measured; anything else that it could send is left."""
    told = st.session_state[SWITCH].get(trigger)
    if isinstance(told, int | float) and SMALLEST_ZOOM <= told <= LARGEST_ZOOM:
        st.session_state[ZOOM] = float(told)


def _keep() -> None:
    if is_on():
        st.query_params[PRESENTS] = ON
        st.session_state.setdefault(ZOOM, USUAL_ZOOM)
    else:
        st.query_params.pop(PRESENTS, None)
        st.session_state.pop(ZOOM, None)
