"""Every kind of message that a browser can send, while another visitor trains.

Raw websockets send each kind, plain, forged, repeated and as large as the server takes, and what
is no message at all. Meanwhile the other visitor's run goes on, the server answers a health check
soon, and its memory stays. The messages stand in bench/load/attacks.py.
"""

import asyncio
import re
import time
import urllib.request
from collections.abc import Callable

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from bench.load import attacker
from bench.load.attacks import KINDS, LARGEST, Seen, attack, malformed, messages
from bench.load.scenario import ATTACKS, DEFAULT_RUN
from bench.load.session import Session
from tests import own_loop
from tests.browser.live import Server

# The door reads some forty reruns of a tab meanwhile, and all the rest; so no message is sent again
# before each of its attacker was.
SECONDS = 3.0
MOST_HEALTH_SECONDS = 2.0
MOST_GROWTH_MB = 100
MOST_LOG_BYTES = 600_000  # of the whole attack; 4 kB for some ten places, ten times a minute
PATIENCE = 60.0
TYPES = BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields
LARGE = ("rerun_script", "file_urls_request", "backend_operation_request")
ATTACKERS = [LARGE[:1], LARGE[1:], tuple(kind for kind in KINDS if kind not in LARGE)]


def test_each_kind_of_the_protocol_is_sent():
    kinds = {one.name for one in TYPES}
    assert kinds == set(KINDS), "give each kind a builder"
    for kind, build in KINDS.items():
        sent = [BackMsg.FromString(data) for data in build(Seen())]
        assert {one.WhichOneof("type") for one in sent} == {kind}


def test_the_largest_messages_are_as_large_as_the_server_takes():
    sizes = {kind: max(len(data) for data in build(Seen())) for kind, build in KINDS.items()}
    assert max(len(data) for data in messages()) == LARGEST + 1
    for kind in LARGE:
        assert 0.9 * LARGEST < sizes[kind] <= LARGEST, kind
    assert any(isinstance(data, str) for data in malformed())


@pytest.mark.parametrize("url", ["http://192.0.2.1:80", "http://127.0.0.1.example.org"])
def test_only_this_machine_can_be_attacked(url: str):
    with pytest.raises(ValueError):
        own_loop.run(attack(url, seconds=1.0))
    with pytest.raises(ValueError):
        own_loop.run(attacker.attack(url, 1.0, ATTACKS))


def step_of(visit: Session) -> int:
    found = re.search(DEFAULT_RUN.progress, visit.text())
    return int(re.sub(r"[,\\]", "", found[1])) if found else 0


async def train(server: Server) -> Session:
    """Let a visitor start the longest run that the lesson offers, and see its first steps."""
    visit = Session(server.url, DEFAULT_RUN.page, "train_an_encoder_set_steps=5000")
    await visit.open()
    await visit.change(DEFAULT_RUN.start)
    await goes_on(visit, 0)
    return visit


async def goes_on(visit: Session, step: int) -> None:
    """Wait until a visitor sees a later step than this one."""
    async with asyncio.timeout(PATIENCE):
        while step_of(visit) <= step:
            await asyncio.sleep(0.1)


async def slowest_health(server: Server, while_: asyncio.Future) -> float:
    """Return the seconds of the slowest answer to a health check while a task goes on.

    They count as far as the server works meanwhile: on a busy machine it waits for its turn.
    """
    slowest = 0.0

    def ask() -> None:
        with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=PATIENCE) as answer:
            assert answer.status == 200

    while not while_.done():
        began, worked = time.perf_counter(), server.processor_seconds()
        await asyncio.to_thread(ask)
        took = time.perf_counter() - began
        slowest = max(slowest, min(took, server.processor_seconds() - worked))
        await asyncio.sleep(0.05)
    return slowest


async def attacked(server: Server) -> None:
    visit = await train(server)
    memory, log = server.memory()["VmRSS"], len(server.log())
    about = {"seconds": SECONDS, "page": DEFAULT_RUN.page, "repeats": 1}
    attacks = [attack(server.url, kinds=kinds, **about) for kinds in ATTACKERS]
    work = asyncio.gather(*attacks)
    slowest, n_sent = await slowest_health(server, work), await work
    assert all(n_sent), n_sent
    assert slowest < MOST_HEALTH_SECONDS, f"health after {slowest:.1f} s"
    grown = server.memory()["VmRSS"] - memory
    assert grown < MOST_GROWTH_MB, f"{grown} MB more"
    await goes_on(visit, step_of(visit))
    assert not visit.is_dropped and not visit.errors and not visit.toasts
    written = len(server.log()) - log
    assert written < MOST_LOG_BYTES, f"{written:,} bytes of log"
    assert "a browser's request was ignored" in server.log(), "the attack has reached the app"
    await visit.close()


def test_no_message_stops_another_visitors_run_or_the_server(new_server: Callable):
    with new_server() as server:
        own_loop.run(attacked(server))
