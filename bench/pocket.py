"""The pocket edition's encoder in Chromium beside torch in the server: milliseconds a token.

Both read the same text, which is in no cache, on one thread each. A processor that is slowed four
times stands for a phone. Also: how long after a tap on the first button something moves.
"""

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.comparison import Comparison, Remark

SLOWER = 4
LENGTHS = (12, 40)  # tokens
AIM = "under 50 ms"

# The worker's script in the page itself: Chromium slows down the thread of a page alone.
LOAD = """async (packed) => {
  new Function(document.getElementById("worker").textContent)();
  window.asked = (question, about) => new Promise((resolve) =>
    onmessage({ data: { question, about }, ports: [{ postMessage: resolve }] }));
  await asked("load", { ...unmask.about, packed });
}"""
ASKED = """async (ids) => {
  const started = performance.now();
  const { answer } = await asked("fill", { ids, positions: [1], n: 6 });
  return answer[0].best.length === 6 && performance.now() - started;
}"""


# Until the second frame has begun, the first one is on the screen.
TAPPED = """async () => {
  const started = performance.now(), frame = () => new Promise(requestAnimationFrame);
  document.querySelector("form.guess").requestSubmit();
  await frame();
  await frame();
  return document.querySelector(".working, .bars") && performance.now() - started;
}"""


def measure(repetitions: int) -> Iterator[Comparison | Remark]:
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
        packed = file.read_text("utf-8").partition('id="weights">')[2].partition("<")[0]
        for slower in (1, SLOWER):
            moved = statistics.median(_moved(tab, slower) for _ in range(repetitions))
            yield Remark(f"pocket, from a tap to movement, processor / {slower}: {moved:.0f} ms")
            tab.evaluate(LOAD, packed)
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


def _moved(tab, slower: int) -> float:
    tab.reload()  # which ends a slowing down
    session = tab.context.new_cdp_session(tab)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    tab.evaluate("async () => { await unmask.ask('states', { ids: [2, 3], position: 0 }); }")
    return tab.evaluate(TAPPED)


def _with_torch(model, ids: list[int]) -> float:
    import torch

    started = time.perf_counter()
    with torch.inference_mode():
        states = model.bert.last_states(torch.tensor([ids]))
        model.bert.masked_language_logits(states[0, 1]).softmax(-1).topk(6)
    return 1000 * (time.perf_counter() - started)
