"""The helper process: one, apart from the server, small, and started again when it dies."""

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor
from importlib.util import find_spec
from pathlib import Path

import pytest

from pages.server.process import helper_process
from pages.server.process.helper_process import HelperDiedError, Obstacle, Work
from tests.waiting import wait_until

PATIENCE = 90.0  # seconds: the first fit compiles, on a busy machine
IDLE = 2.0  # longer than a work is on its way to a helper that just started, on a busy machine
# On a busier one loky starts another helper for the work, and says so; as an error, the warning
# would end the thread that starts it.
STARTS_ANOTHER = pytest.mark.filterwarnings("ignore:A worker stopped while some jobs")


def about_the_helper() -> dict:
    """Return what the helper knows of itself. Sent by value: it holds nothing of this module."""

    def look() -> dict:
        import os
        import sys

        return {
            "pid": os.getpid(),
            "nice": os.nice(0),
            "modules": sorted(sys.modules),
        }

    return Work(look).result(PATIENCE)


def test_the_helper_is_one_process_apart_that_gives_way_and_has_no_torch():
    pids, before = [], about_the_helper()
    ask = [threading.Thread(target=lambda: pids.append(about_the_helper()["pid"])) for _ in "abcd"]
    [one.start() for one in ask]
    [one.join() for one in ask]
    assert set(pids) == {before["pid"]} and before["pid"] != os.getpid()
    assert before["nice"] >= helper_process.NICENESS
    assert not {"torch", "streamlit"} & set(before["modules"])


def test_a_helper_that_dies_is_started_again_once(tmp_path: Path):
    def die_the_first_time(mark: str) -> str:
        import os

        if os.path.exists(mark):
            return "alive"
        open(mark, "w").close()
        os._exit(9)

    work = Work(die_the_first_time, str(tmp_path / "mark"))
    with pytest.raises(TimeoutError):  # the first death; the work is started again
        work.result(PATIENCE)
    assert work.result(PATIENCE) == "alive"


def test_a_work_that_kills_the_helper_twice_is_given_up_for_a_minute(monkeypatch):
    work = Work(os._exit, 9)
    with pytest.raises(TimeoutError):
        work.result(PATIENCE)
    for _ in range(2):
        with pytest.raises(HelperDiedError):
            work.result(PATIENCE)
    assert Work(max, 3, 4).result(PATIENCE) == 4  # others' works are not concerned
    monkeypatch.setattr(helper_process, "REST_SECONDS", 0.0)
    for _ in range(2):  # tried again, and started once more
        with pytest.raises(TimeoutError):
            work.result(PATIENCE)
    work._future.exception(PATIENCE)  # the last death is no other test's


def test_an_error_of_the_work_itself_comes_back():
    with pytest.raises(ValueError, match="math domain error"):
        import math

        Work(math.sqrt, -1.0).result(PATIENCE)


@STARTS_ANOTHER
def test_the_helper_ends_without_work_and_comes_back_with_the_next(monkeypatch):
    monkeypatch.setattr(helper_process, "IDLE_SECONDS", IDLE)
    first = about_the_helper()["pid"]
    wait_for_the_end_of(first)
    assert about_the_helper()["pid"] != first


@STARTS_ANOTHER
def test_the_death_of_a_helper_that_came_back_is_seen(monkeypatch):
    monkeypatch.setattr(helper_process, "IDLE_SECONDS", IDLE)
    wait_for_the_end_of(about_the_helper()["pid"])
    assert isinstance(Work(os._exit, 9)._future.exception(PATIENCE), BrokenExecutor)


def wait_for_the_end_of(helper: int) -> None:
    wait_until(lambda: not Path(f"/proc/{helper}").exists(), patience=30)


MAIN = """
import sys, time
print("the main script runs")
sys.path.insert(0, {root!r})
from pages.server.process import helper_process
if __name__ == "__main__":
    assert helper_process.Work(max, 3, 4).result({patience}) == 4
    works = [helper_process.Work(time.sleep, 3600) for _ in "ab"]  # one waits for the other
    helper_process.end()
    helper_process.Work(time.sleep, 3600)  # of a page that is still drawn
"""


def test_the_main_script_runs_once_and_ends_without_waiting_for_the_helper(tmp_path: Path):
    script = tmp_path / "main.py"
    root = Path(__file__).parents[2]
    script.write_text(MAIN.format(root=str(root), patience=PATIENCE))
    command = [sys.executable, script]  # no fork: the helper asks what the main script is
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.count("the main script runs") == 1


@pytest.mark.parametrize(
    ("module", "package"), [("umap", "umap-learn"), ("sklearn", "scikit-learn")]
)
def test_a_package_that_is_missing_is_named(module, package, monkeypatch):
    monkeypatch.setattr(
        helper_process, "find_spec", lambda name: None if name == module else find_spec(name)
    )
    assert helper_process.obstacle("umap", "sklearn") == Obstacle("not_installed", package=package)


def test_too_little_memory_is_told_unless_the_helper_has_its_own_already(monkeypatch):
    monkeypatch.setattr(helper_process, "free_bytes", lambda: 320_000_000)
    monkeypatch.setattr(helper_process, "is_warm", lambda: False)
    assert helper_process.obstacle("umap") == Obstacle("no_memory", free_bytes=320_000_000)
    monkeypatch.setattr(helper_process, "is_warm", lambda: True)
    assert helper_process.obstacle("umap") is None


def test_the_line_of_works_has_an_end(monkeypatch, tmp_path: Path):
    def wait_for(file: str) -> None:
        import os
        import time

        while not os.path.exists(file):
            time.sleep(0.01)

    monkeypatch.setattr(helper_process, "MOST_WAITING", 3)
    file = tmp_path / "go on"
    works = [Work(wait_for, str(file)) for _ in range(3)]
    assert helper_process.obstacle("sklearn") == Obstacle("busy")
    file.touch()
    for work in works:
        work.result(PATIENCE)
    give_up_at = time.monotonic() + PATIENCE  # a work is counted until a moment after its result
    while helper_process.obstacle("sklearn") and time.monotonic() < give_up_at:
        time.sleep(0.01)
    assert helper_process.obstacle("sklearn") is None
