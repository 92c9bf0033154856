"""One widget change until its figure has changed, in Chromium, against the smallest page.

The clock runs in the browser: from the click or key to the first frame with the new content.
"""

import tempfile
from pathlib import Path

from bench.run import Comparison

SMALLEST_PAGE = """
import streamlit as st
number = st.slider("Number", 0, 100, 50)
st.markdown(f"The number is {number}")
"""

# Stamp the learner's act, then look at every frame until what `show` returns has changed.
WATCH = """([event, show]) => {
  const shown = new Function("return " + show);
  const before = shown();
  window.milliseconds = new Promise(resolve => {
    window.addEventListener(event, () => {
      const started = performance.now();
      const look = () => shown() !== before
        ? resolve(performance.now() - started) : requestAnimationFrame(look);
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  });
}"""
DRAWING = """[...document.querySelectorAll('.st-key-attention_mask_contrast *')]
  .flatMap(element => element.shadowRoot?.querySelector('.drawing')?.innerHTML ?? []).join()"""
MARKDOWN = "document.querySelector('[data-testid=stMarkdown]').innerText"


def measure(repetitions: int) -> list[Comparison]:
    """Return the times of the mask switch and of the smallest page's slider."""
    from playwright.sync_api import sync_playwright

    from tests.browser.live import Server, launch_chromium, wait_until_finished

    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        (folder / "smallest.py").write_text(SMALLEST_PAGE)
        servers = [Server(folder), Server(folder, folder / "smallest.py")]
        try:
            browser = launch_chromium(playwright)
            lesson, smallest = browser.new_page(), browser.new_page()
            lesson.goto(f"{servers[0].url}/attention_mask")
            smallest.goto(servers[1].url)
            wait_until_finished(lesson)
            wait_until_finished(smallest)
            for number in range(repetitions + 1):
                lesson.bring_to_front()
                _new_sentence(lesson, number)
                lesson.evaluate(WATCH, ["click", DRAWING])
                lesson.locator(
                    ".st-key-attention_mask_switch button[aria-checked=false]"
                ).first.click()
                ours.append(lesson.evaluate("() => window.milliseconds"))
                smallest.bring_to_front()
                smallest.locator("input[type=range]").focus()
                smallest.evaluate(WATCH, ["keydown", MARKDOWN])
                smallest.keyboard.press("ArrowRight")
                theirs.append(smallest.evaluate("() => window.milliseconds"))
            browser.close()
        finally:
            for server in servers:
                server.stop()
    return [
        Comparison(
            what="mask switch to new drawing",
            ours=ours[1:],  # the first change of a server warms it up
            theirs=theirs[1:],
            than="one slider, one text",
            aim="at most +150 ms",
        )
    ]


def _new_sentence(lesson, number: int) -> None:
    """Type a sentence that was not seen before, so that the switch finds nothing cached."""
    from tests.browser.live import wait_until_finished

    field = lesson.locator(".st-key-attention_mask_first input")
    if not field.is_visible():  # folded below the figure
        lesson.locator(".st-key-opening_figure [data-testid=stExpander] summary").first.click()
    field.fill(f"The bank of river {number} was steep.")
    field.press("Enter")
    wait_until_finished(lesson)
