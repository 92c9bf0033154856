"""Our drawings in the page: SVG and HTML from mlm_core/figures, with parts that can be clicked.

An element with data-value="..." is a button: a click, Enter or Space reports its value.
Elements that also have data-row and data-column are reached with the arrow keys. In a drawing with
data-drag, a mouse that is drawn over several reports all their values, with spaces between.
"""

import importlib
import zlib
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from mlm_core import figures
from mlm_core.figures.theme import escaped

# What unpacks in the browser what `packed` gave.
UNPACK = """
const unpack = (bytes) => new Response(
  new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
"""

# A drawing is sent packed and without style or script, which come with the page, once. Whichever
# of the two arrives first, a drawing appears when both are there, and never without its style.
_SCRIPT = (
    UNPACK
    + """
const find = (box, value) => box.querySelector(`[data-value="${CSS.escape(value)}"][tabindex], ` +
  `button[data-value="${CSS.escape(value)}"]`);

// What scrolls by itself has to be reached with the keyboard, which then scrolls it.
const reach = (box) => box.querySelectorAll("div").forEach((part) => {
  const scrolls = part.scrollWidth > part.clientWidth &&
    ["auto", "scroll"].includes(getComputedStyle(part).overflowX);
  if (scrolls) part.tabIndex = 0; else part.removeAttribute("tabindex");
});

// What has its like in the drawing before moves from there, fades or flips: cause is seen.
const MOVED = ["x", "y", "width", "height", "cx", "cy", "r", "stroke-width"];
const SHADED = ["fill-opacity", "stroke-opacity", "opacity", "fill"];
const MOST_MOVED = 2000;
const moves = matchMedia("(prefers-reduced-motion: no-preference)");

const change = (before, now) => {
  const from = {};
  for (const name of [...MOVED, ...SHADED, "d"]) {
    const [a, b] = [before.getAttribute(name), now.getAttribute(name)];
    if (a === null || b === null || a === b) continue;
    if (name === "d") from.d = `path("${a}")`;
    else if (`${a}${b}`.includes("url(")) from.opacity = 0;
    else from[name.replace(/-(.)/, (_, c) => c.toUpperCase())] =
      MOVED.includes(name) ? `${parseFloat(a)}px` : a;
  }
  if (now instanceof HTMLElement && !now.children.length) {
    if (before.textContent !== now.textContent) from.transform = "rotateX(90deg)";
    else if (before.className !== now.className) from.opacity = 0;
  }
  return from;
};

const move = (box, before) => {
  const now = [...box.querySelectorAll("*")];
  if (!moves.matches || now.length > MOST_MOVED) return;
  for (const tag of new Set(now.map((one) => one.tagName))) {
    const [old, ours] = [before, now].map((all) => all.filter((one) => one.tagName === tag));
    if (old.length === ours.length) ours.forEach((one, i) => {
      const from = change(old[i], one);
      if (Object.keys(from).length) one.animate([from, {}], { duration: 350, easing: "ease-out" });
    });
  }
};

const draw = async ({ data, parentElement, setTriggerValue }) => {
  const box = parentElement.querySelector(".drawing"), root = box.getRootNode();
  box.newest = data;
  const html = await unpack(data);
  if (box.newest !== data) return;
  if (!root.adoptedStyleSheets.includes(window.mlmDrawings.style)) {
    root.adoptedStyleSheets.push(window.mlmDrawings.style);
  }
  const inside = root.activeElement;
  const focused = inside && box.contains(inside) ? inside.getAttribute("data-value") : null;
  if (box.html !== html) {
    const before = [...box.querySelectorAll("*")];
    box.innerHTML = box.html = html;
    if (before.length) move(box, before);
    if (focused !== null) find(box, focused)?.focus();
  }
  reach(box);
  if (!box.watched) { box.watched = true; new ResizeObserver(() => reach(box)).observe(box); }
  const report = (target) => {
    const hit = target.closest("[data-value]");
    if (hit) setTriggerValue("clicked", hit.getAttribute("data-value"));
  };
  let passed = new Set();
  box.onclick = (event) => { if (passed.size < 2) report(event.target); };
  box.onpointerdown = ({ target, pointerType }) => {
    const first = target.closest("[data-drag] [data-value]");
    passed = new Set(first ? [first] : []);
    if (!first || pointerType === "touch") return;
    box.onpointermove = ({ target }) => {
      const one = target.closest("[data-drag] [data-value]");
      if (one) passed.add(one);
      if (passed.size > 1) passed.forEach((one) => one.classList.add("passed"));
    };
    window.addEventListener("pointerup", () => {
      box.onpointermove = null;
      passed.forEach((one) => one.classList.remove("passed"));
      const values = [...passed].map((one) => one.getAttribute("data-value"));
      if (values.length > 1) setTriggerValue("clicked", values.join(" "));
    }, { once: true });
  };
  box.onkeydown = (event) => {
    const at = event.target;
    if ((event.key === "Enter" || event.key === " ") && at.tagName !== "BUTTON") {
      event.preventDefault();
      report(at);
    }
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (step[event.key] && at.hasAttribute("data-row")) {
      const row = Number(at.getAttribute("data-row")) + step[event.key][0];
      const column = Number(at.getAttribute("data-column")) + step[event.key][1];
      const next = find(box, `${row},${column}`);
      if (next) { event.preventDefault(); next.focus(); }
    }
  };
};

export default async function ({ data }) {
  const page = window.mlmDrawings ??= { waiting: [] };
  const style = await unpack(data);
  page.style ??= new CSSStyleSheet();
  page.style.replaceSync(style);
  page.draw = draw;
  page.waiting.splice(0).forEach(draw);
}
"""
)
# As short as it can be: it goes with every drawing.
_HAND_OVER = """
export default it => { const page = window.mlmDrawings ??= { waiting: [] };
page.draw ? page.draw(it) : page.waiting.push(it) }
"""


def packed(html: str) -> bytes:
    """Return a text as it is sent: a sixth of the bytes, for 1 ms of the server a 60 kB drawing.

    >>> zlib.decompress(packed("<svg/>"))
    b'<svg/>'
    """
    return zlib.compress(html.encode())


def _style() -> str:
    """Return the STYLE of every figure that has one, chips first, which others build on.

    Only those are imported: some of the others need torch or plotly, which a page may not.
    """
    folder = Path(figures.__file__).parent
    files = [f for f in folder.rglob("*.py") if "\nSTYLE = " in f.read_text(encoding="utf-8")]
    files.sort(key=lambda file: (file.stem != "chips", file))
    names = [".".join(file.relative_to(folder).with_suffix("").parts) for file in files]
    modules = [importlib.import_module(f"{figures.__name__}.{name}") for name in names]
    return "".join(module.STYLE for module in modules) + _AROUND


_AROUND = """
.drawing { color: var(--st-text-color); }
.drawing [data-drag] { user-select: none; }
.drawing .passed :is(rect, .box) { filter: brightness(.8); opacity: .75; }
.drawing :focus-visible { outline: 3px solid var(--st-link-color); outline-offset: 1px; }
@media print {
  .drawing div { overflow: visible !important; }
  .drawing svg { min-width: 0 !important; max-width: 100%; }
}
"""
_STYLE = packed(_style())

_page = st.components.v2.component("mlm_drawings", html="<span></span>", js=_SCRIPT)
_mount = st.components.v2.component(
    "mlm_drawing", html='<div class="drawing"></div>', js=_HAND_OVER
)


def prepare_drawings() -> None:
    """Send what all drawings of a page share; page_style.py lets it take no room."""
    _page(key="drawings", data=_STYLE)


def drawing(html: str, *, key: str, on_click: Callable[[str], None] | None = None) -> None:
    """Show a drawing; `on_click` gets the data-value of what was clicked, before the rerun.

    A value that this drawing doesn't have is ignored: a browser can send anything, and a click on
    the drawing before this one may still arrive.
    """

    def report() -> None:
        clicked = st.session_state[key].clicked
        if on_click is not None and isinstance(clicked, str) and _has(html, clicked):
            on_click(clicked)

    _mount(key=key, data=packed(html), on_clicked_change=report)


def _has(html: str, value: str) -> bool:
    """Return whether something in the drawing can be clicked, or several dragged over, for this."""
    values = value.split(" ") if " data-drag" in html else [value]
    return all(f'data-value="{escaped(one)}"' in html for one in values)
