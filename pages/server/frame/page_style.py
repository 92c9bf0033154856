"""How a page looks and behaves around its figures: width, text that reads, focus, and print.

WCAG 2.2 AA asks for a contrast of 4.5 for text and 3 for what marks the focus, in both themes.
Streamlit's own captions and axes have less, and its links mark the focus by a shade alone.
"""

import streamlit as st

from mlm_core.figures import chips
from mlm_core.figures.svg import FADE, MORE_FOLLOWS
from mlm_core.figures.theme import INK  # the light theme's text, which is what paper wants
from pages.server.figures.sent_code import packed_script, without_indents
from pages.server.frame import chart_motion, landing, presenting, term_notes
from pages.server.process.streamlit_patches import browser_history

FOCUS = "light-dark(#00629c, #6fbcf0)"  # the themes' link colours in .streamlit/config.toml

_WIDE_TABLES = f"""
{FADE}
[data-testid="stMarkdownContainer"]:has(> table) {{ {MORE_FOLLOWS} }}
"""
# Up to 1060 pixels a page beside the open menu has as little room as a phone's, whose columns
# Streamlit stacks; it asks for the width of the window alone.
_WIDTH = """
[data-testid="stMainBlockContainer"] { max-width: 68rem; padding-top: 3rem; }
[data-testid="stMain"] .katex-display > .katex > .katex-html > .tag { position: static;
  padding-left: 1em; }
[data-testid="stMarkdownContainer"] > :is(p, ul, ol) { max-width: 70ch; }
[data-testid="stMarkdownContainer"]:has(> table) { overflow-x: auto; }
[data-testid="stPageLink-NavLink"] :is(span, p) { white-space: normal; overflow: visible; }
[data-testid="stMain"] :is(.stMarkdownEllipsis, .stMarkdownEllipsis p) { white-space: normal;
  overflow: visible; overflow-wrap: anywhere; }
[data-testid="stMain"] [data-testid="stMetricLabel"] { height: auto; }
[data-testid="stButtonGroup"] :is(button, button *) { white-space: normal; height: auto;
  overflow: visible; }
[class*="st-key-"][class*="_keep"] > :first-child { flex: 1 1 12rem; max-width: max-content; }
.st-key-opening_lead p { max-width: 96ch; }
.st-key-lesson_question { margin-top: -1rem; }
.st-key-lesson_question p { font-size: 1.25rem; font-weight: 600; }
.st-key-opening_goals { border-left: 2px solid light-dark(#d8dde5, #38414f); padding-left: 1rem; }
.st-key-opening_goals :is(p, li) { font-size: .875rem; line-height: 1.4; }
.st-key-opening_goals ul { margin-bottom: .5rem; }
.st-key-opening_goals a { min-height: 24px; }
[data-testid="stElementContainer"]:has(> [data-testid="stHtml"] > style),
.st-key-drawings, .st-key-mlm_room_cookie, .st-key-mlm_desk_cookie,
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-tab_memory_"]) { display: none; }
[data-testid="stLayoutWrapper"]:has(> * > * > [class*="st-key-room_banner"]) { position: sticky;
  top: 0; z-index: 999992; background: light-dark(#fff, #12161d); }
.st-key-room_banner { flex-wrap: nowrap; min-height: 2.75rem; gap: .5rem; white-space: nowrap; }
.mlm-room-chip { position: fixed; bottom: 1rem; left: 50%; transform: translateX(-50%);
  z-index: 999992; width: max-content; min-height: 44px; max-width: calc(100vw - 2rem);
  padding: .4rem 1rem; border: 0;
  border-radius: 22px; font: inherit; cursor: pointer; color: light-dark(#fff, #12161d);
  background: light-dark(#00629c, #3f9fdc); box-shadow: 0 2px 8px rgb(0 0 0 / .3); }
.mlm-room-chip[hidden] { display: none; }
.st-key-room_call { min-width: 0; white-space: normal; }
@media (max-width: 1200px) {
  .st-key-room_call { position: fixed; bottom: 1rem; left: 1rem; right: 1rem; width: auto;
    align-items: center; pointer-events: none; }
  .st-key-room_call button { min-height: 44px; border-radius: 22px; pointer-events: auto; }
  .stMain:has(.st-key-room_call) .mlm-room-chip { bottom: 4.75rem; }
  .stMain:has(.st-key-room_call) [data-testid="stMainBlockContainer"] { padding-bottom: 6rem; }
}
.st-key-room_banner_desk { border-bottom: 1px solid light-dark(#d8dde5, #38414f);
  padding-bottom: .4rem; }
.st-key-room_bar { position: fixed; right: 1rem; bottom: 1rem; width: min(24rem, 92vw);
  z-index: 999992; padding: .8rem 1rem; border-radius: .5rem; background: light-dark(#fff, #12161d);
  border: 1px solid light-dark(#a9b3c1, #566070); }
[data-testid="stTextInput"] [data-testid="InputInstructions"] { display: none; }
@media (max-width: 1060px) {
  [data-testid="stMain"] table :is(th, td) { padding: .3rem .45rem; font-size: .85rem; }
}
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding: 3.75rem 1rem 2rem; }
  [data-testid="InputInstructions"] { position: static; text-align: right; }
  [data-testid="stMain"] table :is(th, td) { padding: .25rem .3rem; font-size: .8rem; }
}
@media (min-width: 641px) and (max-width: 1060px) {
  .stApp:has([data-testid="stSidebar"][data-collapsed="false"])
    [data-testid="stMain"] [data-testid="stColumn"] { min-width: calc(100% - 1.5rem); }
}
@media (min-width: 641px) {
  [data-testid="stColumn"]:has(> * > * > [data-testid="stMetric"]) { min-width: 4.6rem; }
}
"""

# A curve of a run, its letters and the settings beside it need room: else one is below the other.
_TRAINING = """
[class*="st-key-training_"] > * > [data-testid="stHorizontalBlock"] > [data-testid="stColumn"] {
  min-width: min(16rem, 100%); }
.st-key-training_curve > * > [data-testid="stHorizontalBlock"] > [data-testid="stColumn"]:has(
  [class*="_keep"]) { min-width: min(420px, 100%); }
"""

# Three doors and the cards of the course map: each is one large link.
_HOME = """
.st-key-home_try { background: light-dark(#f3f5f8, #1b212b); gap: .6rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-home_last) { min-width: min(11.5rem, 100%); }
@media (min-width: 641px) { .st-key-home_last { padding-top: 1.75rem; } }
:is(.st-key-home_doors, .st-key-course_map) { display: grid; gap: 1rem; align-items: stretch; }
.st-key-home_doors { grid-template-columns: repeat(3, 1fr); }
.st-key-course_map { grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); }
.large-link { position: relative; height: 100%; gap: .4rem; }
:is(.st-key-home_doors, .st-key-course_map) > * { display: grid; height: auto; }
[class*="st-key-door_"] { border: 1px solid light-dark(#a9b3c1, #566070); border-radius: .5rem;
  padding: .6rem .9rem .8rem; gap: 0; }
.st-key-door_course { background: light-dark(#00629c, #3f9fdc); border-color: transparent; }
.stApp .st-key-door_course :is(a, p, span, [data-testid="stCaptionContainer"]) {
  color: light-dark(#fff, #12161d) !important; opacity: 1; }
.large-link :is(a, [data-testid="stPageLink"], [data-testid="stElementContainer"],
  [data-testid="stPageLink"] > div) { position: static; padding: 0; }
.large-link a { background: transparent !important; }
.large-link a::after { content: ""; position: absolute; inset: 0; border-radius: .5rem; }
.large-link:has(a:hover) { border-color: light-dark(#00629c, #6fbcf0); }
.large-link a:focus-visible { outline: none; }
.large-link a:focus-visible::after { outline: 3px solid light-dark(#00629c, #6fbcf0);
  outline-offset: 2px; }
[class*="st-key-progress_"] { position: relative; z-index: 1; }
[class*="st-key-progress_"] a::after { content: none !important; }
@media (max-width: 640px) { .st-key-home_doors { grid-template-columns: 1fr; gap: .5rem; } }
""".replace(".large-link", ':is([class*="st-key-door_"], [class*="st-key-card_"])')

# The steps of a lesson stay in view; its opening folds to one line once a part was chosen.
_STEPS = """
[data-testid="stButtonGroup"] [role="radiogroup"] { gap: .35rem; }
[data-testid="stButtonGroup"] [role="radiogroup"] button { border-radius: .5rem !important;
  margin: 0; border: 1px solid light-dark(#8a94a3, #707c8c) !important; }
[data-testid="stButtonGroup"] [role="radiogroup"] button[aria-checked="true"] {
  border-color: light-dark(#00629c, #6fbcf0) !important; }
[data-testid="stLayoutWrapper"]:has(> .st-key-steps) { position: sticky; top: 0; z-index: 999991;
  background: light-dark(#fff, #12161d); }
.stMain:has(.st-key-room_banner) [data-testid="stLayoutWrapper"]:has(> .st-key-steps) {
  top: 2.75rem; }
.stMain:has(.st-key-room_banner_desk) [data-testid="stLayoutWrapper"]:has(> .st-key-steps) {
  position: static; }
.st-key-steps { padding: .5rem 0; border-bottom: 1px solid light-dark(#d8dde5, #38414f); }
.st-key-steps [role="radiogroup"] { gap: .35rem; padding: 3px; max-width: 100%; }
.st-key-steps [role="radiogroup"] button { flex: none; padding: .15rem .6rem; min-height: 1.9rem;
  border-style: dashed !important; }
.st-key-steps [role="radiogroup"] button::after { margin-left: .35rem; }
.st-key-word_senses_play button { min-width: 6.5rem; }
.st-key-part_top { scroll-margin-top: 9rem; }
.stMain:has(.st-key-room_banner_desk) .st-key-part_top { scroll-margin-top: 13rem; }
.st-key-part_top :is(h3):focus { outline: none; }
@media screen { .mlm-folded [data-testid="stLayoutWrapper"]:has(> [class*="st-key-opening_"]) {
  display: none; } }
@media (max-width: 640px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-steps) { top: 3.75rem; z-index: 9; }
  [data-testid="stLayoutWrapper"]:has(> * > * > .st-key-room_banner) { top: 3.75rem; z-index: 10; }
  .stMain:has(.st-key-room_banner) [data-testid="stLayoutWrapper"]:has(> .st-key-steps) {
    position: static; }
  .st-key-steps [data-testid="stWidgetLabel"] { display: none; }
  .st-key-steps [role="radiogroup"] { flex-wrap: nowrap; overflow-x: auto; }
}
"""

# White on the dark theme's lighter blue has 2.9, Streamlit's colours of code 2.2 and more.
_CONTRAST = """
.stApp [data-testid="stCaptionContainer"] { color: inherit; opacity: .87; }
.stApp blockquote { opacity: .8; }
[data-testid="stMainMenuPopover"] span { color: inherit; }
.stCode .token { color: inherit !important; }
.stCode .token:is(.keyword, .builtin, .function, .class-name, .decorator) {
  color: light-dark(#00629c, #6fbcf0) !important; }
.stCode .token:is(.string, .triple-quoted-string) {
  color: light-dark(#1c6b3c, #86d7a5) !important; }
.stCode .token:is(.number, .boolean) { color: light-dark(#8a4600, #f0b465) !important; }
.stCode .token.comment { color: light-dark(#566070, #a9b3c1) !important; }
.stApp [data-testid="stPlotlyChart"] svg text:not(.bartext-inside) {
  fill: currentColor !important; }
[data-testid="stPlotlyChart"] svg [style*="fill: rgb(28, 36, 48)"] {
  fill: currentColor !important; }
[data-testid="stPlotlyChart"] svg [style*="stroke: rgb(28, 36, 48)"] {
  stroke: currentColor !important; }
[data-testid="stPlotlyChart"] path:is(.point, .scatterpts)[style*="stroke: rgb(213, 94, 0)"] {
  stroke-dasharray: 3 3; }
[data-testid="stPlotlyChart"] .modebar-btn { height: 26px !important; }
[data-testid="stPlotlyChart"] .hovertext path {
  fill: light-dark(#fff, #1b212b) !important; stroke: currentColor !important; }
.stApp :is(button[kind^="primary"]:not(:disabled), [data-tag], [data-tag] *),
.stApp button[kind^="primary"]:not(:disabled) * {
  color: light-dark(#fff, #12161d); }
[data-lost] { font-size: 0; }
[data-lost]::before { content: attr(data-lost); font-size: 1rem; }
h2[data-lost]::before { font-size: 1.25rem; }
.stApp button[kind^="primary"]:not(:disabled):is(:hover, :active) {
  background-color: light-dark(#004a76, #62b4e8); }
"""

# The input of a field, of a radio button and of a slider is hidden or bare: what stands around
# it is marked.
_FOCUS = f"""
:is(a, button, summary, [tabindex="0"]):focus-visible,
div:has(> :is(input:not([type="range"]), textarea):focus-visible),
label:has(input:focus-visible), div:has(> div > input[type="range"]:focus-visible) {{
  outline: 3px solid {FOCUS}; outline-offset: 1px; }}
[data-testid="stPlotlyChart"] .modebar-btn:focus-visible {{
  outline: 3px solid {FOCUS} !important; }}
"""

# Streamlit itself lets a page that is printed grow over several sheets. Its theme can't change
# at that moment, so what is light is printed dark on white by hand. Columns with drawings are
# stacked: browsers lay one over the next where a sheet ends between them.
_PRINT = f"""
@media print {{
  [data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stToolbar"],
  [data-testid="stButton"], [data-testid="stDownloadButton"], [data-testid="stPopover"],
  [data-testid="stFormSubmitButton"], [data-testid="stFileUploader"], .modebar,
  [data-testid="stToastContainer"], .st-key-fold_opening,
  [data-testid="stButtonGroup"] button:not([aria-checked="true"]),
  [data-testid="stExpander"]:has([data-testid="stVerticalBlock"]:empty),
  [data-testid="stExpander"]:has(input, textarea, [role="radiogroup"]) {{
    display: none !important; }}
  [data-testid="stButtonGroup"] button {{ flex: none !important; max-width: none !important; }}
  .stApp {{ color-scheme: light !important; }}
  body, body * {{ color: {INK} !important; }}
  body, body :not([data-testid="stProgress"] *, [data-testid="stSlider"] *) {{
    background-color: transparent !important; }}
  [data-testid="stPlotlyChart"] svg text {{ fill: {INK} !important; }}
  [data-testid="stPlotlyChart"] .bg {{ fill: none !important; }}
  .stBidiComponent, .stBidiComponent * {{ --st-text-color: {INK} !important;
    --st-background-color: #fff !important; --st-secondary-background-color: #f3f5f8 !important; }}
  [data-testid="stMainBlockContainer"] {{ max-width: none; padding: 0; }}
  [data-testid="stMarkdownContainer"] > :is(p, ul, ol) {{ max-width: none; }}
  details::details-content {{ content-visibility: visible; block-size: auto; opacity: 1; }}
  :is(h1, h2, h3, h4) {{ break-after: avoid; }}
  [data-testid="stElementContainer"], tr {{ break-inside: avoid; }}
  [data-testid="stVerticalBlock"], [data-testid="stMarkdownContainer"]:has(> table) {{
    height: auto !important; max-height: none !important; overflow: visible !important; }}
  table {{ font-size: .8em; }}
  pre, pre * {{ white-space: pre-wrap !important; }}
  [data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"] .stBidiComponent) {{
    display: block; }}
  [data-testid="stHorizontalBlock"]:has(.stBidiComponent) > [data-testid="stColumn"] {{
    width: 100%; margin-bottom: 1rem; }}
}}
"""

_MOTION = """
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation-duration: .01ms !important; transition: none !important;
    animation-iteration-count: 1 !important; scroll-behavior: auto !important; }
}
"""

STYLE = without_indents(
    f"\n{chips.STYLE}{_WIDTH}{_WIDE_TABLES}{_TRAINING}{_HOME}{_STEPS}{_CONTRAST}{presenting.STYLE}{_FOCUS}"
    f"{_PRINT}{_MOTION}{term_notes.STYLE}"
)


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
    + chart_motion.SCRIPT
    + landing.SCRIPT
    + """
const SCROLLING = '.katex-display, .stCode pre, [data-testid="stVerticalBlock"][overflow="auto"]' +
  ', [data-testid="stMarkdownContainer"]:has(> table)';

const closeMenuOnPhones = () => {
  const open = () => innerWidth <= 768 &&
    document.querySelector('[data-testid="stSidebar"][data-collapsed="false"]');
  const close = (menu) =>
    menu.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
  let isSwallowed = false;
  const swallow = (event) => {
    const menu = open();
    if (event.type === "pointerdown") {
      isSwallowed = Boolean(menu) && event.isTrusted && !menu.contains(event.target) &&
        document.querySelector('[data-testid="stMain"]').contains(event.target);
    }
    if (!isSwallowed || !event.isTrusted) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    if (event.type === "pointerup" && menu) setTimeout(close, 0, menu);
  };
  for (const kind of ["pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend",
    "click"]) window.addEventListener(kind, swallow, { capture: true, passive: false });
  document.addEventListener("click", (event) => {
    const menu = open();
    if (menu && event.target.closest('[data-testid="stPageLink"] a')) setTimeout(close, 0, menu);
  });
};

export default function (component) {
  document.documentElement.lang = component.data.language;
  rememberViews(Object.fromEntries(component.data.views));
  window.mlmLost = component.data.lost;
  if (window.reachesWhatScrolls) return;
  closeMenuOnPhones();
  window.reachesWhatScrolls = true;
  let isDue = false;
  const reach = () => {
    isDue = false;
    watchCharts();
    window.mlmProject();
    for (const part of document.querySelectorAll(SCROLLING)) {
      const { overflowX, overflowY } = getComputedStyle(part);
      const scrolls = (overflowX === "auto" && part.scrollWidth > part.clientWidth) ||
        (overflowY === "auto" && part.scrollHeight > part.clientHeight);
      if (scrolls) part.tabIndex = 0; else part.removeAttribute("tabindex");
    }
    const [title, text] = document.querySelectorAll('[role="dialog"] > :is(h2, h2 + *)');
    if (text && title.textContent === "Connection error") {
      [title.dataset.lost, text.dataset.lost] = window.mlmLost;
    }
  };
  const soon = () => { if (!isDue) { isDue = true; requestAnimationFrame(reach); } };
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  window.addEventListener("resize", soon);
  document.fonts.addEventListener("loadingdone", soon);
  soon();
}
"""
)
