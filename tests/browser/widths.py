"""What of a view's words is cut, overlaps or is too small to read, at the widths of screens in use.

    python -m tests.browser.widths                       # all views in both languages: minutes
    python -m tests.browser.widths isotropy home --de    # of some pages, in German

The tests look at all parts on a phone, at a third of them where columns are narrowest, and in
German at home, the loss and one other view at all widths: test_first_use.py, test_views.py.
"""

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.browser.live import Server, launch_chromium, wait_until_finished

WIDTHS = (1920, 1366, 1200, 1024, 820, 768, 683, 390)
NARROWEST_COLUMNS = 683  # a laptop at 200 %: below 640 pixels, and beside a menu, they are stacked
SMALLEST = 8.9  # pixels of a letter
MOST_LOOKS, MS_BETWEEN_LOOKS = 20, 100

# Every text of the page's main column, in drawings too. A line's box is higher than its letters.
# What scrolls may go on, and its sign that it does is looked for elsewhere (access.py).
UNREADABLE = """smallest => {
  const main = document.querySelector("[data-testid=stMain]");
  const shadows = [...main.querySelectorAll("*")].map((one) => one.shadowRoot).filter(Boolean);
  const left_out = "style, script, title, desc, [hidden], .katex, .modebar, .passed, "
    + "[data-testid=stIconMaterial], [data-stale=true] *";
  const up = (one) => one.parentElement ?? one.getRootNode().host;
  const seen = { visibilityProperty: true, opacityProperty: true };
  const [found, lines, styles] = [new Set(), [], new Map()];
  const range = document.createRange();
  const box = (one) => one.getBoundingClientRect();
  const style = (one) => styles.get(one) ?? styles.set(one, getComputedStyle(one)).get(one);
  const words = (one) => {
    const key = (at) => at && ([...at.classList].find((name) => name.startsWith("st-key-")) ??
      key(up(at)));
    return `“${one.textContent.trim().slice(0, 50)}” in ${key(one)?.slice(7)}`;
  };
  for (const root of [main, ...shadows]) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const one = node.parentElement;
      if (!node.data.trim() || one.closest(left_out) || !one.checkVisibility(seen)) continue;
      range.selectNodeContents(node);
      const text = range.getBoundingClientRect();
      if (text.width < 2 || text.height < 2) continue;
      let ends = "";
      for (let at = one; at !== main && !ends; at = up(at)) {
        const { overflowX, overflowY, clipPath } = style(at);
        const outer = box(at);
        if (clipPath !== "none" || outer.width <= 1) ends = "hidden";
        if (overflowX === "visible") continue;
        const is_out = text.right > outer.right + 1.5 || text.left < outer.left - 1.5;
        if (is_out) ends = /auto|scroll/.test(overflowX) ? "scrolls" : "cut";
        const is_low = text.bottom > outer.bottom + 4 || text.top < outer.top - 4;
        if (is_low && outer.height > 1 && /hidden|clip/.test(overflowY)) ends ||= "cut below";
      }
      if (ends === "hidden") continue;
      if (ends.startsWith("cut")) found.add(`${ends}: ${words(one)}`);
      const matrix = one.getScreenCTM?.();
      const size = parseFloat(style(one).fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1);
      if (size < smallest) found.add(`of ${size.toFixed(1)} pixels: ${words(one)}`);
      if (ends) continue;
      if (text.right > box(main).right + 1) found.add(`off screen: ${words(one)}`);
      for (const line of range.getClientRects()) {
        const [half, middle] = [size * .34, (line.top + line.bottom) / 2];
        const [left, right] = [line.left + 1, line.right - 1];
        lines.push({ one, left, right, top: middle - half, bottom: middle + half });
      }
    }
  }
  lines.sort((a, b) => a.top - b.top);
  lines.forEach((a, i) => {
    for (let j = i + 1; j < lines.length && lines[j].top < a.bottom; j++) {
      const b = lines[j];
      if (a.one !== b.one && a.right > b.left && b.right > a.left) {
        found.add(`overlap: ${words(a.one)}, ${words(b.one)}`);
      }
    }
  });
  return [...found];
}"""

# A chart is drawn again a moment after its box has another width.
_FITS = """width => innerWidth === width && new Promise((done) => requestAnimationFrame(() =>
  requestAnimationFrame(() => done([...document.querySelectorAll("[data-testid=stPlotlyChart]")]
    .every((chart) => !chart.offsetParent || chart.querySelector(".main-svg") &&
      chart.querySelector(".main-svg").getBoundingClientRect().width <
        chart.closest("[data-testid=stElementContainer]").clientWidth + 2)))))"""


def unreadable_at(tab, width: int) -> list[str]:
    """Return what of a view can't be read at a width; the window keeps it."""
    if tab.viewport_size["width"] != width:
        tab.set_viewport_size({"width": width, "height": tab.viewport_size["height"]})
    tab.wait_for_function(_FITS, arg=width)
    return found_at_rest(tab, UNREADABLE, SMALLEST)


def found_at_rest(tab, script: str, arg: object = None) -> list[str]:
    """Return what a script still finds once nothing moves.

    After a change of the width a chart's words move to their places, and what scrolls begins to
    fade with the frame after the next.
    """
    for _ in range(MOST_LOOKS):
        found = tab.evaluate(script, arg)
        if not found:
            break
        tab.wait_for_timeout(MS_BETWEEN_LOOKS)
    return found


def unreadable(tab, widths: Sequence[int] = WIDTHS) -> dict[str, list[int]]:
    """Return what of a view can't be read, with the widths at which it is so."""
    found: dict[str, list[int]] = {}
    for width in widths:
        for one in unreadable_at(tab, width):
            found.setdefault(one, []).append(width)
    return found


def number_of_run(config) -> int:
    """Return another number in every run of the tests, and the same one with the same seed."""
    return int(re.sub("[^0-9]", "", str(config.getoption("random_order_seed"))) or 0)


def views() -> Iterator[tuple[str, str]]:
    """Give the page and the link of each view; a lesson's first one has its opening."""
    from pages.server.course.lessons import BESIDE, LESSONS
    from pages.server.link.controls import part_key

    yield "home", "/?"
    for page in (*LESSONS, *BESIDE):
        yield page.slug, f"/{page.slug}?"
        for part in page.parts[1:]:
            yield page.slug, f"/{page.slug}?{part_key(page.slug)}={part}"


def main(arguments: Sequence[str]) -> None:
    """Print what can't be read in each view."""
    from playwright.sync_api import sync_playwright

    pages = [one for one in arguments if not one.startswith("--")]
    languages = [one[2:] for one in arguments if one.startswith("--")] or ["en", "de"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        try:
            context = launch_chromium(playwright).new_context(
                base_url=server.url, reduced_motion="reduce"
            )
            for page, link in views():
                for language in languages if not pages or page in pages else ():
                    tab = context.new_page()
                    tab.set_viewport_size({"width": WIDTHS[0], "height": 900})
                    tab.goto(f"{link}&lang={language}")
                    wait_until_finished(tab)
                    print(language, link, flush=True)
                    for one, widths in unreadable(tab).items():
                        print("   ", *widths, one, flush=True)
                    tab.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
