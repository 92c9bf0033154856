"""What this process takes of the machine, read from Linux."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from pages.shared.caches import cache_training
from tests.browser.live import ROOT
from tests.caches import own_caches

CODE_OF_MANY_SHAPES = """
from pages.shared.server import process_memory
process_memory.take_little()
import torch

def gelu(n_tokens):
    torch.nn.functional.gelu(torch.zeros(1, n_tokens, 1024))

for n_tokens in range(1, 20):
    gelu(n_tokens)
before = process_memory.memory_bytes()
for n_tokens in range(20, 220):
    gelu(n_tokens)
print(process_memory.memory_bytes() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_texts_of_many_lengths_leave_no_code_for_each_length():
    command = [sys.executable, "-c", CODE_OF_MANY_SHAPES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 60_000_000  # 197 MB without the limit


@pytest.fixture
def own_service() -> Iterator[None]:
    with own_caches():
        yield


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives threads a priority")
def test_a_trainer_that_takes_over_has_the_low_priority_of_the_first(
    own_service: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cache_training, "LOWEST_PRIORITY", 19)  # no test's (tests/conftest.py)

    def work() -> Iterator[int]:
        while True:
            yield os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    def dying() -> float:
        if threading.current_thread().name == "trainer":
            raise SystemExit  # ends a thread without a word
        return time.monotonic()

    def next_priority(n_before: int) -> int:
        stop_at = time.monotonic() + 60
        while service.look(ticket).n_pieces <= n_before:
            assert time.monotonic() < stop_at, "nobody trains"
            time.sleep(0.01)
        return service.look(ticket).snapshot

    service = cache_training.training_service()
    ticket, first = service.start("a", work), service._thread
    assert next_priority(0) == 19
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service, "_clock", dying)
        first.join(60)
    assert next_priority(service.look(ticket).n_pieces) == 19
    assert service._thread is not first
