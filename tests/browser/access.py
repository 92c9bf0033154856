"""What axe-core says of a page, of its figures' names and keys, and whether it scrolls sideways.

axe-core's rules of WCAG 2.2 level A and AA, of every impact, with nothing left out: what it
found has been mended. How, and what no program can see: docs/accessibility.md.
"""

from collections.abc import Sequence
from pathlib import Path

import axe_playwright_python

from tests.browser.live import wait_until_finished
from tests.browser.widths import NARROWEST_COLUMNS, found_at_rest, unreadable_at

AXE_SCRIPT = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# What is drawn anew by itself every few seconds fades meanwhile on a busy machine.
UNFADED = "[data-stale=true] { opacity: 1 !important; transition: none !important; }"
PHONE, ZOOMED = 360, 640  # pixels; 640 is a laptop's 1280 at 200 %

MAIN = "main"  # the whole of the page's main column
# From the element with a key on, in the page's main column, so that what all parts of a lesson
# share is read once; the whole page without one.
_RUN_AXE = """async ([key, runOnly, overlaps]) => {
  let where = document;
  const column = document.querySelector(
    "[data-testid=stMainBlockContainer] > [data-testid=stVerticalBlock]");
  if (key === "main") where = column;
  else if (key) {
    let at = document.querySelector(`.st-key-${key}`);
    while (at.parentElement !== column) at = at.parentElement;
    where = { include: [] };
    for (; at; at = at.nextElementSibling) where.include.push(at);
  }
  const found = await axe.run(where, {
    runOnly, resultTypes: ["violations"], preload: false,
    rules: Object.fromEntries(["color-contrast", "link-in-text-block", "target-size"]
      .map((id) => [id, { enabled: overlaps }])),
  });
  return found.violations.flatMap(({ id, impact, nodes }) => nodes.map((node) =>
    `${id} (${impact}): ${node.html.slice(0, 200)}\\n  ${node.failureSummary}`));
}"""

# What waits for a new run is faded.
_THEME_IS = """theme => "axe" in window && !document.querySelector("[data-stale=true]")
  && getComputedStyle(document.querySelector(".stApp")).colorScheme === theme"""

_DRAWINGS = """[...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")]
  .map((box) => box.shadowRoot).filter(Boolean)"""

_NAMELESS = f"""() => {{
  const charts = [...document.querySelectorAll("[data-testid=stPlotlyChart]:not([aria-label])")];
  const named = "[aria-hidden=true], [role=img][aria-label], svg[role=group][aria-label]";
  return [...charts, ...{_DRAWINGS}.flatMap((root) => [...root.querySelectorAll("svg")])
    .filter((svg) => !svg.closest(named))]
    .map((figure) => `a figure without a name: ${{figure.outerHTML.slice(0, 200)}}`);
}}"""

# What a click on a drawing can reach, the tab key and the arrow keys (clickable.py) must, too.
_UNREACHED = f"""() => {_DRAWINGS}.flatMap((root) => {{
  const stops = [...root.querySelectorAll("button[data-value], [data-value][tabindex]")];
  const reached = stops.filter((stop) => stop.tabIndex === 0);
  for (const at of reached) {{
    const [row, column] = [Number(at.dataset.row), Number(at.dataset.column)];
    const beside = [[row - 1, column], [row + 1, column], [row, column - 1], [row, column + 1]];
    for (const [i, j] of beside) {{
      const next = stops.find((stop) => stop.dataset.value === `${{i}},${{j}}`);
      if (at.dataset.row && next && !reached.includes(next)) reached.push(next);
    }}
  }}
  const values = new Set(reached.map((stop) => stop.dataset.value));
  return [...root.querySelectorAll("[data-value]")].filter((one) => !values.has(one.dataset.value))
    .map((one) => `no key leads to ${{one.outerHTML.slice(0, 200)}}`);
}})"""

_TOO_WIDE = """() => [document.documentElement, document.querySelector("[data-testid=stMain]")]
  .filter((box) => box.scrollWidth > box.clientWidth)
  .map((box) => `${box.tagName} is ${box.scrollWidth} wide in ${box.clientWidth} pixels`)"""

# What scrolls has to show that more follows.
_ENDS = f"""() => {_DRAWINGS}.flatMap((root) => [...root.querySelectorAll("div")])
  .filter((box) => box.scrollWidth > box.clientWidth + 2)
  .map((box) => [box, getComputedStyle(box)])
  .filter(([, style]) => style.overflowX === "auto" && style.maskImage === "none")
  .map(([box]) => `no sign that more follows: ${{box.outerHTML.slice(0, 200)}}`)"""

_AT_A_WIDTH = f"() => [...({_TOO_WIDE})(), ...({_ENDS})()]"

# What a finger presses in a drawing, on a phone.
_TOO_SMALL = f"""() => {_DRAWINGS}
  .flatMap((root) => [...root.querySelectorAll("button[data-value], [data-value][tabindex]")])
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.width && Math.min(box.width, box.height) < 23.5)
  .map(([one, box]) => `${{box.width}} × ${{box.height}} pixels: ${{one.outerHTML.slice(0, 200)}}`)
"""

_IN_ALL = f"() => [...({_NAMELESS})(), ...({_UNREACHED})(), ...({_TOO_SMALL})()]"


def go_on_a_phone(tab) -> None:
    """Fold the menu away, which would lie over the page, and make the window a phone's."""
    menu = tab.locator("[data-testid=stSidebar][data-collapsed=false]")  # a small window folded it
    if menu.count():  # the button shows under the mouse alone
        menu.locator("[data-testid=stSidebarCollapseButton] button").dispatch_event("click")
        left = "document.querySelector('[data-testid=stMain]').getBoundingClientRect().x"
        tab.wait_for_function(f"{left} === 0")  # it folds in steps
    tab.set_viewport_size({"width": PHONE, "height": 900})


def findings(
    tab,
    *,
    from_key: str | None = None,
    themes: Sequence[str] = ("light", "dark"),
    widths: Sequence[int] = (NARROWEST_COLUMNS, ZOOMED, PHONE),
    overlaps: bool = True,
    and_back: bool = True,
) -> list[str]:
    """Return what is wrong with a page, or with it from an element on.

    All rules in the first theme, those of contrast again in the others; without `overlaps` none
    that look for what lies over what. Names of figures and keys to what can be clicked in them;
    sideways scrolling and words that can't be read on a phone, at twice the size and where columns
    are narrowest, and what a finger would miss. Without `widths`, of a page that is on a phone.
    Each change of theme draws the page anew: it ends in the last one. Each change of the width
    draws its charts anew: it ends in the first one, or without `and_back` in the last.
    """
    found, rules = [], {"type": "tag", "values": WCAG}
    for theme in themes:
        if not tab.evaluate(_THEME_IS, theme):
            if not tab.evaluate("() => 'axe' in window"):
                tab.evaluate(AXE_SCRIPT)
                tab.add_style_tag(content=UNFADED)
            tab.emulate_media(color_scheme=theme, reduced_motion="reduce")
            tab.wait_for_function(_THEME_IS, arg=theme)
        found += [
            f"{theme}: {each}" for each in tab.evaluate(_RUN_AXE, [from_key, rules, overlaps])
        ]
        rules = ["color-contrast"]
    size = tab.viewport_size
    for width in widths or (PHONE,):
        found += [*unreadable_at(tab, width), *found_at_rest(tab, _AT_A_WIDTH)]
    found += tab.evaluate(_IN_ALL)
    if and_back and tab.viewport_size != size:
        tab.set_viewport_size(size)
        wait_until_finished(tab)  # a button that still moves would lose the next click
    return found
