"""Lead the reader to what was asked for: a part's heading, or another element that a link names.

On a phone the steps are one row, to be scrolled. Elsewhere they stay in view and cover what is
above, or else Streamlit's own bar does. A page may become long enough only later, so it is done
again while the page grows, until the reader moves it. The script is sent once a page, with
page_style.py's; a move to a part sends where to go.
"""

import streamlit as st

SCRIPT = """
window.mlmLand = (data) => {
  if (window.mlmLanded === data.landing) return;
  window.mlmLanded = data.landing;
  if (data.folds !== undefined) window.mlmFold?.(data.folds);
  const land = () => {
    const place = document.querySelector("." + data.of_class);
    if (!place) return;
    const row = document.querySelector('.st-key-steps [role="radiogroup"]');
    const chosen = row?.querySelector('[aria-checked="true"]');
    if (chosen) row.scrollLeft = chosen.offsetLeft - row.offsetLeft - 8;
    const height = (name) => document.querySelector(".st-key-" + name)?.offsetHeight ?? 0;
    const steps = height("steps"), banner = height("room_banner");
    place.style.scrollMarginTop =
      (innerWidth > 640 && steps ? steps + banner + 12 : 76 + (banner || steps)) + "px";
    place.scrollIntoView({ block: data.block ?? "start" });
    const heading = data.focuses && place.querySelector("h3");
    if (heading) { heading.tabIndex = -1; heading.focus({ preventScroll: true }); }
  };
  const growing = new ResizeObserver(land), end = () => growing.disconnect();
  growing.observe(document.querySelector(".stMainBlockContainer"));
  setTimeout(end, 5000);
  for (const name of ["wheel", "pointerdown", "keydown"])
    addEventListener(name, end, { once: true });
};
"""

scroll_to = st.components.v2.component(
    "mlm_scroll_to",
    html="<span></span>",
    js="""export default function go(component) {
if (window.mlmLand) window.mlmLand(component.data); else setTimeout(go, 50, component); }""",
)
