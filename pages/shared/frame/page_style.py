"""How a page looks and behaves around its figures: width, text that reads, focus, and print.

WCAG 2.2 AA asks for a contrast of 4.5 for text and 3 for what marks the focus, in both themes.
Streamlit's own captions and axes have less, and its links mark the focus by a shade alone.
"""

from mlm_core.figures import chips
from mlm_core.figures.theme import INK  # the light theme's text, which is what paper wants
from pages.shared.frame import term_notes

FOCUS = "light-dark(#00629c, #6fbcf0)"  # the themes' link colours in .streamlit/config.toml

_WIDTH = """
[data-testid="stMainBlockContainer"] { max-width: 68rem; padding-top: 4rem; }
[data-testid="stMarkdownContainer"] > :is(p, ul, ol) { max-width: 70ch; }
[data-testid="stMarkdownContainer"]:has(> table) { overflow-x: auto; }
[data-testid="stPageLink-NavLink"] :is(span, p) { white-space: normal; overflow: visible; }
.st-key-drawings, .st-key-mlm_room_cookie, .st-key-mlm_desk_cookie { display: none; }
[data-testid="stLayoutWrapper"]:has(> * > * > .st-key-room_banner) { position: sticky;
  top: 3.75rem; z-index: 9; background: light-dark(#fff, #12161d); }
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding-left: 1rem; padding-right: 1rem; }
}
"""

# White on the dark theme's lighter blue has 2.9, Streamlit's colours of code 2.2 and more.
_CONTRAST = """
.stApp [data-testid="stCaptionContainer"] { color: inherit; opacity: .8; }
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
.stApp :is(button[kind^="primary"], [data-tag]), .stApp :is(button[kind^="primary"], [data-tag]) * {
  color: light-dark(#fff, #12161d); }
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
  [data-testid="stToastContainer"],
  [data-testid="stButtonGroup"] button:not([aria-checked="true"]),
  [data-testid="stExpander"]:has([data-testid="stVerticalBlock"]:empty) {{
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

STYLE = (
    f"<style>\n{chips.STYLE}{_WIDTH}{_CONTRAST}{_FOCUS}{_PRINT}{_MOTION}{term_notes.STYLE}</style>"
)

# Screen readers and browsers that translate go by the language. What scrolls by itself is made a
# stop of the tab key: some browsers do so themselves, others would never reach it.
SCRIPT = """
const SCROLLING = '.katex-display, .stCode pre, [data-testid="stVerticalBlock"][overflow="auto"]' +
  ', [data-testid="stMarkdownContainer"]:has(> table)';

export default function (component) {
  document.documentElement.lang = component.data.language;
  if (window.reachesWhatScrolls) return;
  window.reachesWhatScrolls = true;
  let isDue = false;
  const reach = () => {
    isDue = false;
    for (const part of document.querySelectorAll(SCROLLING)) {
      const { overflowX, overflowY } = getComputedStyle(part);
      const scrolls = (overflowX === "auto" && part.scrollWidth > part.clientWidth) ||
        (overflowY === "auto" && part.scrollHeight > part.clientHeight);
      if (scrolls) part.tabIndex = 0; else part.removeAttribute("tabindex");
    }
  };
  const soon = () => { if (!isDue) { isDue = true; requestAnimationFrame(reach); } };
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  window.addEventListener("resize", soon);
  soon();
}
"""
