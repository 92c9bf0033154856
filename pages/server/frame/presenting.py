"""Presentation mode: for a projector, no sidebar, the whole width, everything larger.

    masking?present=1      by the link, or by the key P, which also ends it

What was in view is projected: a lesson's opening, or its chosen part. landing.py scrolls until the
first figure is wholly in view. The choice of parts, the opening and the way out are in a corner.

The content is enlarged so that it is 1,040 units wide, whatever the screen: at 1,920 pixels text
of 16 is drawn with 29.5 and the smallest text of charts, 13, with 24. plotly measures its place in
pixels of the screen, so its charts are not enlarged by the browser: they are drawn with larger text
and marks (`ZOOM`). The mode goes from page to page with the visit. Locks and rooms are as without
it.

In and out of the mode, the arrow keys press what leads a teacher on and back (`STEPS`), unless
something that moves by them has the focus. A clicker's keys, PageUp and PageDown, do so in the
mode; out of it they scroll. A switch turns off the keys of one letter, P and Streamlit's own R and
C; the browser's tab remembers it.
"""

import streamlit as st

from pages.server.course.words import read_words
from pages.server.figures.sent_code import packed_script
from pages.server.figures.show import ZOOM
from pages.server.link.controls import PRESENTS
from pages.server.room import teacher_bar, votes

ON = "1"
PRESENTING = "presenting"  # session state
WIDTH = 1_040  # pixels of the content before it is enlarged
SMALLEST_ZOOM, LARGEST_ZOOM = 1.15, 6.0
USUAL_ZOOM = 1_920 / WIDTH  # until the browser has told its own
SWITCH = "presenting_switch"
STEPS = (votes.WAYS, teacher_bar.WAYS)  # keys of two buttons; the first pair on the page is meant

STYLE = """
[data-presenting] :is([data-testid="stSidebar"], [data-testid="stExpandSidebarButton"],
  [data-testid="stHeader"], .st-key-fold_opening) { display: none; }
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
.mlm-folded[data-presenting] .stMain:has(.st-key-part_top) :is([data-testid="stHeading"]:has(h1),
  .st-key-lesson_question) { display: none; }
[data-presenting] [data-testid="stLayoutWrapper"]:has(> .st-key-steps) { display: none; }
[data-presenting][data-menu] [data-testid="stLayoutWrapper"]:has(> .st-key-steps) {
  display: block; position: fixed; top: auto; right: .5rem; bottom: 2.5rem; max-width: 38rem;
  padding: 0 .75rem; z-index: 999993; border: 1px solid currentColor; border-radius: .5rem; }
[data-presenting][data-menu] .st-key-steps { border: 0; }
[data-presenting] .st-key-room_bar { bottom: 2.5rem; }
[data-presenting] .st-key-room_banner_desk { zoom: .75; }
#presenting-corner { position: fixed; right: .75rem; bottom: .5rem; z-index: 999993; display: flex;
  gap: .5rem; }
#presenting-corner button { font: inherit; padding: .2rem .7rem; border-radius: .5rem;
  cursor: pointer; opacity: .75; color: inherit; background: light-dark(#f3f5f8, #1b212b);
  border: 1px solid currentColor; }
#presenting-corner button:is(:hover, :focus-visible, [aria-expanded="true"]) { opacity: 1; }
:is(html:not([data-menu]), html:not(.mlm-folded)) #show-opening { display: none; }
@media print { #presenting-corner { display: none; } }
"""

_SCRIPT = """
const IS_TYPED_IN = `input:not([type="checkbox"], [type="radio"]), textarea, select,
  [contenteditable="true"], [role="textbox"]`;
const isIn = (event, what) => event.composedPath().some((one) => one.matches?.(what));
const WAY = { ArrowLeft: 0, ArrowRight: 1, PageUp: 0, PageDown: 1 };  // a clicker sends the latter
const HAS_PAGES = `${IS_TYPED_IN}, .film, [role="slider"], [role="spinbutton"],
  [role="listbox"], [role="combobox"], [role="menu"], [role="grid"]`;
const HAS_LETTERS = `[role="listbox"], [role="menu"], [role="grid"]`;
const HAS_ARROWS = `${HAS_PAGES}, [type="radio"], [role="radio"], [role="tab"], [data-row]`;
const buttonOf = (key) => document.querySelector(`.st-key-${key} button`);
const root = document.documentElement, PRESSED = "keys_of_one_letter";  // kept by the tab
const isLetter = (event, letters) => event.key.length === 1 &&
  letters.includes(event.key.toLowerCase()) &&
  !event.ctrlKey && !event.metaKey && !event.altKey && !isIn(event, IS_TYPED_IN);
const areLettersOn = () => sessionStorage.getItem(PRESSED) !== "off";

const step = (event, steps) => {
  const ways = steps.find((pair) => pair.some(buttonOf));
  const button = ways && buttonOf(ways[WAY[event.key]]);
  const isPage = event.key.startsWith("Page");
  if (isPage && !("presenting" in root.dataset)) return;
  const keeps = isPage ? HAS_PAGES : HAS_ARROWS;
  if (!button || event.defaultPrevented || event.shiftKey || isIn(event, keeps)) return;
  event.preventDefault();
  if (!event.repeat) button.click();
};

// The menu in the corner: the way out, and what is projected instead.
const showMenu = (isOpen) => {
  root.toggleAttribute("data-menu", isOpen);
  const chosen = document.querySelector('.st-key-steps [aria-checked="true"]');
  const menu = document.getElementById("presenting-menu");
  menu?.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) chosen?.focus();
};
const drawCorner = (data, leave) => {
  document.getElementById("presenting-corner")?.remove();
  showMenu(false);
  if (!data.on) return;
  const corner = document.createElement("div");
  corner.id = "presenting-corner";
  const add = (id, text, press) => {
    const button = document.createElement("button");
    Object.assign(button, { id, type: "button", textContent: text, onclick: press });
    corner.append(button);
  };
  if (document.querySelector(".st-key-steps")) {
    add("show-opening", data.opening, () => { showMenu(false); window.mlmFold?.(false); });
    add("presenting-menu", data.menu, () => showMenu(!root.hasAttribute("data-menu")));
  }
  add("leave-presenting", data.leave[areLettersOn() ? 0 : 1], leave);
  (document.querySelector('[data-testid="stApp"]') ?? document.body).append(corner);
  showMenu(false);
};

// What is in view is projected: the opening is folded where the part's heading is higher.
const foldWhatIsNotInView = () => {
  const part = document.querySelector(".st-key-part_top");
  if (part && !root.classList.contains("mlm-folded")) {
    window.mlmFold?.(part.getBoundingClientRect().top < window.innerHeight / 2);
  }
};

export default function ({ data, parentElement, setTriggerValue }) {
  const enter = parentElement.querySelector("button");
  const letters = parentElement.querySelector("input");
  const nameEnter = () => { enter.textContent = data.enter[areLettersOn() ? 0 : 1]; };
  parentElement.querySelector("span").textContent = data.letters;
  letters.checked = areLettersOn();
  letters.onchange = () => {
    sessionStorage.setItem(PRESSED, letters.checked ? "on" : "off");
    nameEnter();
  };
  nameEnter();
  const zoom = () =>
    Math.min(data.largest, Math.max(data.smallest, window.innerWidth / data.width));
  const toggle = () => {
    if (!data.on) foldWhatIsNotInView();
    setTriggerValue("toggled", zoom());
  };
  enter.onclick = toggle;
  window.togglePresenting = toggle;
  const enlarge = () => root.style.setProperty("--presenting-zoom", zoom());
  enlarge();
  // A page that was opened by a link has charts for another screen.
  if (data.on && Math.abs(zoom() / data.zoom - 1) > 0.1) setTriggerValue("measured", zoom());
  root.toggleAttribute("data-presenting", data.on);
  drawCorner(data, toggle);
  window.mlmProject?.();
  if (window.listensForPresenting) return;
  window.listensForPresenting = true;
  window.addEventListener("resize", enlarge);
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in WAY) step(event, data.steps);
    if (event.key === "Escape" && root.hasAttribute("data-menu")) {
      showMenu(false);
      document.getElementById("presenting-menu")?.focus();
    }
    if (isLetter(event, "p") && areLettersOn()) window.togglePresenting();
  });
  window.addEventListener("keydown", (event) => {
    if (areLettersOn() || !isLetter(event, "rc") || isIn(event, HAS_LETTERS)) return;
    event.stopImmediatePropagation();
  }, true);
  document.addEventListener("click", (event) => {
    if (event.target.closest?.('.st-key-steps [role="radio"]')) showMenu(false);
  }, true);  // its own listener lets a press go no further
}
"""
_BUTTON = """
button { font: inherit; color: var(--st-text-color); background: transparent; width: 100%;
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius);
  padding: .4rem .75rem; cursor: pointer; min-height: 2.5rem; }
button:hover { border-color: var(--st-primary-color); }
:focus-visible { outline: 3px solid var(--st-link-color); outline-offset: 1px; }
label { display: flex; gap: .5rem; align-items: center; min-height: 24px; padding-top: .4rem;
  font-size: .875rem; color: var(--st-text-color); cursor: pointer; }
input { width: 1rem; height: 1rem; margin: 0; accent-color: var(--st-primary-color); }
"""
_HTML = """<button type="button"></button>
<label><input type="checkbox" role="switch"><span></span></label>"""
_switch = st.components.v2.component(
    "mlm_presenting", html=_HTML, css=_BUTTON, js=packed_script(_SCRIPT)
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
            "width": WIDTH,
            "smallest": SMALLEST_ZOOM,
            "largest": LARGEST_ZOOM,
            "zoom": st.session_state.get(ZOOM, USUAL_ZOOM),
            "steps": STEPS,
        },
        on_toggled_change=_toggle,
        on_measured_change=lambda: _note_zoom("measured"),
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
