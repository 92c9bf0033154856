"""Our drawings in the page: SVG and HTML from mlm_core/figures, with parts that can be clicked.

An element with data-value="..." is a button: a click, Enter or Space reports its value.
Elements that also have data-row and data-column are reached with the arrow keys.
"""

from collections.abc import Callable

import streamlit as st

from mlm_core.figures import (
    answer_spans,
    attention,
    bars,
    bert,
    by_examples,
    chips,
    classification,
    classification_confusion,
    classification_terms,
    classification_variants,
    corruption,
    counts,
    curves,
    cutting,
    entity_spans,
    heads,
    isotropy,
    isotropy_dots,
    isotropy_layers,
    isotropy_shares,
    language_sampling,
    losses,
    matrix,
    packing,
    parameter_count,
    piece_tags,
    predictions,
    resamples,
    sense_map,
    sense_map_layers,
    sense_map_uses,
    sentence_pairs,
    tag_distribution,
    tag_rows,
    tokens,
)
from mlm_core.figures.theme import escaped

_SCRIPT = """
export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const box = parentElement.querySelector(".drawing");
  const inside = box.getRootNode().activeElement;
  const focused = inside && box.contains(inside) ? inside.getAttribute("data-value") : null;
  const find = (value) => box.querySelector(`[data-value="${CSS.escape(value)}"][tabindex], ` +
    `button[data-value="${CSS.escape(value)}"]`);
  if (box.innerHTML !== data.html) {
    box.innerHTML = data.html;
    if (focused !== null) find(focused)?.focus();
  }
  // What scrolls by itself has to be reached with the keyboard, which then scrolls it.
  const reach = () => box.querySelectorAll("div").forEach((part) => {
    const scrolls = part.scrollWidth > part.clientWidth &&
      ["auto", "scroll"].includes(getComputedStyle(part).overflowX);
    if (scrolls) part.tabIndex = 0; else part.removeAttribute("tabindex");
  });
  reach();
  if (!box.watched) { box.watched = true; new ResizeObserver(reach).observe(box); }
  const report = (target) => {
    const hit = target.closest("[data-value]");
    if (hit) setTriggerValue("clicked", hit.getAttribute("data-value"));
  };
  box.onclick = (event) => report(event.target);
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
      const next = find(`${row},${column}`);
      if (next) { event.preventDefault(); next.focus(); }
    }
  };
}
"""

_STYLE = (
    chips.CHIP_STYLE
    + matrix.STYLE
    + attention.FLOW_STYLE
    + bars.STYLE
    + heads.STYLE
    + tokens.STYLE
    + cutting.STYLE
    + bert.STYLE
    + sentence_pairs.STYLE
    + packing.STYLE
    + language_sampling.STYLE
    + predictions.STYLE
    + losses.STYLE
    + counts.STYLE
    + corruption.STYLE
    + curves.STYLE
    + answer_spans.STYLE
    + by_examples.STYLE
    + entity_spans.STYLE
    + isotropy.STYLE
    + isotropy_dots.STYLE
    + isotropy_layers.STYLE
    + isotropy_shares.STYLE
    + parameter_count.STYLE
    + piece_tags.STYLE
    + sense_map.STYLE
    + sense_map_uses.STYLE
    + sense_map_layers.STYLE
    + tag_rows.STYLE
    + tag_distribution.STYLE
    + resamples.STYLE
    + classification.STYLE
    + classification_confusion.STYLE
    + classification_terms.STYLE
    + classification_variants.STYLE
    + """
.drawing { color: var(--st-text-color); }
.drawing :focus-visible { outline: 3px solid var(--st-link-color); outline-offset: 1px; }
@media print {
  .drawing div { overflow: visible !important; }
  .drawing svg { min-width: 0 !important; max-width: 100%; }
}
"""
)

_mount = st.components.v2.component(
    "mlm_drawing", html='<div class="drawing"></div>', css=_STYLE, js=_SCRIPT
)


def drawing(html: str, *, key: str, on_click: Callable[[str], None] | None = None) -> None:
    """Show a drawing; `on_click` gets the data-value of what was clicked, before the rerun.

    Only of what this drawing has: a browser can send anything, and in earnest the value of the
    drawing that was here before.
    """

    def report() -> None:
        clicked = st.session_state[key].clicked
        if on_click is not None and isinstance(clicked, str) and _has(html, clicked):
            on_click(clicked)

    _mount(key=key, data={"html": html}, on_clicked_change=report)


def _has(html: str, value: str) -> bool:
    """Return whether something in the drawing can be clicked that reports this value."""
    return f'data-value="{escaped(value)}"' in html
