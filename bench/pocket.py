"""The pocket edition's encoder in Chromium beside torch in the server: milliseconds a token.

Both read the same text, which is in no cache, on one thread each. A processor that is slowed four
times stands for a phone.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.comparison import Comparison

SLOWER = 4
LENGTHS = (12, 40)  # tokens
AIM = "under 50 ms"

# The worker's script in the page itself: Chromium slows down the thread of a page alone.
LOAD = """async (packed) => {
  const script = document.getElementById("worker").textContent;
  new Function("postMessage", script)((message) => { window.answered = message; });
  await onmessage({ data: { question: "load", about: { ...unmask.about, packed } } });
}"""
ASKED = """async (ids) => {
  const started = performance.now();
  await onmessage({ data: { question: "fill", about: { ids, position: 1 } } });
  return answered.answer.best.length === 6 && performance.now() - started;
}"""


def measure(repetitions: int) -> Iterator[Comparison]:
    """Yield the times of both at full speed, and of the browser slowed down."""
    import torch
    from playwright.sync_api import sync_playwright

    from mlm_core.encoder.pretrained import load
    from pocket.build import build
    from tests.browser.live import launch_chromium

    torch.set_num_threads(1)
    model = load()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        build(file := Path(name) / "pocket.html", language="en")
        browser = launch_chromium(playwright)
        tab = browser.new_context(bypass_csp=True).new_page()
        tab.goto(f"file://{file}")
        packed = file.read_text(encoding="utf-8").partition('id="weights">')[2]
        tab.evaluate(LOAD, packed.partition("<")[0])
        for slower in (1, SLOWER):
            session = tab.context.new_cdp_session(tab)
            session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
            for n in LENGTHS:
                ours, theirs = [], []
                for k in range(repetitions + 1):
                    ids = [2, *range(1000 + k, 998 + n + k), 3]
                    one = tab.evaluate(ASKED, ids) / n
                    other = _with_torch(model, ids) / n
                    if k:  # the first one warms both up
                        ours.append(one)
                        theirs.append(other)
                what = f"pocket, a token of {n}, processor / {slower}"
                yield Comparison(what=what, ours=ours, theirs=theirs, than="torch, / 1", aim=AIM)
        browser.close()


def _with_torch(model, ids: list[int]) -> float:
    import torch

    started = time.perf_counter()
    with torch.inference_mode():
        states = model.bert.last_states(torch.tensor([ids]))
        model.bert.masked_language_logits(states[0, 1]).softmax(-1).topk(6)
    return 1000 * (time.perf_counter() - started)
