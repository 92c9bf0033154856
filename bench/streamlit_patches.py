"""What four changes to Streamlit buy: the app with all of them, and without that one.

They are made in pages/shared/server/streamlit_patches.
Lost changes are counted on a small page with a timer, with the websocket client of tests/load.
Processor time is the server's own. The memory of widgets that are gone is measured in a process
without Python's own allocator (PYTHONMALLOC=malloc), where the C library knows every byte.
"""

import asyncio
import ctypes
import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.run import Comparison, Remark

LOST_CHANGES = 240  # widgets that are moved on each page
TIMER_PAGE = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from pages.shared.server import streamlit_patches
streamlit_patches.install()
import streamlit as st

@st.fragment(run_every=0.05)
def timer():
    st.text("a timer")

@st.fragment
def inner():
    st.text(f"inner {{st.slider('inner', 0, 10_000, key='inner')}}")

@st.fragment
def outer():
    st.text(f"outer {{st.slider('outer', 0, 10_000, key='outer')}}")
    inner()

timer()
outer()
"""


def measure(repetitions: int) -> Iterator[Comparison | Remark]:
    """Yield a row for each change that is for speed, memory, or against lost changes."""
    yield _state_lookup(repetitions)
    for change in ("rerun_requests", "finished_parts"):
        lost = [asyncio.run(_lost_changes(without)) for without in ("", change)]
        yield Remark(
            f"{change}: of {LOST_CHANGES} changes beside a timer {lost[0]} did not reach the page,"
            f" {lost[1]} without it"
        )
    command = [sys.executable, "-m", "bench.streamlit_patches"]
    measured = subprocess.run(
        command,
        env=os.environ | {"PYTHONMALLOC": "malloc"},
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    yield Remark(measured.stdout.strip().splitlines()[-1])


@contextmanager
def _server(without: str, page: str = "") -> Iterator:
    from tests.browser.live import ROOT, Server

    with tempfile.TemporaryDirectory() as name:
        app = ROOT / "app.py"
        if page:
            app = Path(name) / "page.py"
            app.write_text(page)
        server = Server(Path(name), app, without=without)
        try:
            yield server
        finally:
            server.stop()


def _state_lookup(repetitions: int) -> Comparison:
    """Compare the processor time of a page in a visit that knows all lessons."""
    with _server("") as ours, _server("state_lookup") as theirs:
        times = asyncio.run(_reruns_in_turns([ours, theirs], repetitions))
    return Comparison(
        what="state_lookup: a page after all lessons, CPU",
        ours=times[0],
        theirs=times[1],
        than="without it",
        aim="less",
    )


async def _reruns_in_turns(servers: list, repetitions: int) -> list[list[float]]:
    from bench.load.session import Session
    from pages.shared.course.lessons import LESSONS

    visits, times = [], [[] for _ in servers]
    for server in servers:
        visit = Session(server.url, LESSONS[0].slug)
        await visit.open()
        for lesson in LESSONS[1:]:
            await visit.go_to(lesson.slug)
        visits.append(visit)
    for _ in range(repetitions):
        for server, visit, taken in zip(servers, visits, times, strict=True):
            before = server.processor_seconds()
            for _ in range(5):  # the system counts in steps of 10 ms
                await visit.go_to("train_an_encoder")
            taken.append(1000 * (server.processor_seconds() - before) / 5)
    for visit in visits:
        await visit.close()
    return times


async def _lost_changes(without: str) -> int:
    """Return how many changes did not reach a page with a timer."""
    from bench.load.session import RerunLostError, Session

    lost = 0
    with _server(without, TIMER_PAGE) as server:
        visit = Session(server.url, "")
        await visit.open()
        for number in range(1, LOST_CHANGES + 1):
            key = ("outer", "inner")[number % 2]
            try:
                await visit.change(key, [float(number)])
                lost += f"{key} {number}" not in visit.text()
            except RerunLostError:
                lost += 1
        await visit.close()
    return lost


class _Allocated(ctypes.Structure):
    """The C library's mallinfo2."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks"),
            *("uordblks", "fordblks", "keepcost"),
        )
    ]


def _allocated_bytes() -> int:
    library = ctypes.CDLL(None)
    library.mallinfo2.restype = _Allocated
    gc.collect()
    now = library.mallinfo2()
    return now.uordblks + now.hblkhd


def widget_metadata_row() -> str:
    """Return what a visit keeps of gone widgets after a walk through all lessons."""
    from streamlit.testing.v1 import AppTest

    from pages.shared.course.lessons import LESSONS
    from pages.shared.server.streamlit_patches import widget_metadata

    widget_metadata.forget = lambda: None
    app = AppTest.from_file(str(Path(__file__).parents[1] / "app.py"), default_timeout=120)
    app.switch_page("pages/4_prediction_and_loss.py").run()
    for number in range(30):
        sentence = f"The river {number} was near the old bank today."
        fields = [*app.text_input, *app.text_area]
        next(one for one in fields if "text" in one.key).set_value(sentence).run()
    for lesson in LESSONS:
        app.switch_page(lesson.file).run()
    app.run()
    state = app._session_state._state
    known, values = state._new_widget_state.widget_metadata, state._new_widget_state.states
    gone = known.keys() - values.keys() - state._old_state.keys()
    before = _allocated_bytes()
    for one in list(gone):
        del known[one]
    freed = before - _allocated_bytes()
    return f"widget_metadata: {len(gone)} gone widgets of one visit keep {freed / 1000:,.0f} kB"


if __name__ == "__main__":
    print(widget_metadata_row())
