"""The pocket edition's encoder in Chromium beside torch in the server: milliseconds a token.

Both read texts that are in no cache, on one thread each. Chromium's CPU throttling, by a factor of
four, is a stand-in for a phone. It slows a page's main thread, not its workers (a loop in a worker
takes as long as without it), so the worker's script runs in the page here. Full speed, throttled
and torch take turns. Also: how long after a tap on the first button something moves.
"""

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.comparison import Comparison, Remark

SPEEDS = (1, 4)  # factors of the throttling
LENGTHS = (12, 40)  # tokens
AIM = "under 50 ms"

# The worker's script in the page itself.
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
    """Yield the times of both at full speed, and of the browser throttled."""
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
        session = tab.context.new_cdp_session(tab)
        for slower in SPEEDS:
            moved = statistics.median(_moved(tab, session, slower) for _ in range(repetitions))
            yield Remark(f"pocket, from a tap to movement, processor / {slower}: {moved:.0f} ms")
        packed = file.read_text("utf-8").partition('id="weights">')[2].partition("<")[0]
        tab.evaluate(LOAD, packed)
        for n in LENGTHS:
            ours, theirs = {slower: [] for slower in SPEEDS}, []
            for k in range(-1, repetitions):  # the first one warms both up
                for slower in SPEEDS:
                    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
                    ours[slower].append(tab.evaluate(ASKED, _ids(n, k, slower)) / n)
                theirs.append(_with_torch(model, _ids(n, k, 1)) / n)
            for slower in SPEEDS:
                what = f"pocket, a token of {n}, processor / {slower}"
                times = {"ours": ours[slower][1:], "theirs": theirs[1:]}
                yield Comparison(what=what, **times, than="torch, / 1", aim=AIM)
        browser.close()


def _ids(n: int, k: int, slower: int) -> list[int]:
    """Return a text of n tokens that no other measurement has."""
    first = 1001 + k + 500 * slower
    return [2, *range(first, first + n - 2), 3]


def _moved(tab, session, slower: int) -> float:
    tab.reload()
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
