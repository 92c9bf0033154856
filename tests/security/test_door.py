"""The door: how many tabs, how fast, what they may ask; all else waits or is ignored."""

import asyncio
import logging
import resource
import selectors
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession

from pages.server.caches import cache_training
from pages.server.process import door, page_turns, visits_files
from pages.server.process.door import (
    ARRIVE_BURST,
    ARRIVE_PER_SECOND,
    ASK_SECONDS,
    LARGE_BYTES,
    MOST_OF_ADDRESS,
    MOST_OF_END,
    MOST_SILENT,
    SILENT_SECONDS,
    TAB,
    Door,
    tabs_for_handles,
)
from pages.server.process.messages import HEARTBEAT, MOST_FILE_NAMES, MOST_WIDGETS, is_answered
from tests import own_loop
from tests.caches import own_caches

RERUN = BackMsg(rerun_script={}).SerializeToString()


def changed(value: float, part: str = "", *, clicked: bool = False) -> bytes:
    """Return what a browser sends when a slider was moved, or a button was pressed."""
    message = BackMsg(rerun_script={"fragment_id": part})
    message.rerun_script.widget_states.widgets.add(id="a", double_value=value)
    if clicked:
        message.rerun_script.widget_states.widgets.add(id="b", trigger_value=True)
    return message.SerializeToString()


TIMERS = BackMsg(rerun_script={"fragment_id": "b", "is_auto_rerun": True}).SerializeToString()
FINISHED, EARLY = (
    ForwardMsg(script_finished=status).SerializeToString()
    for status in (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_EARLY_FOR_RERUN)
)


class Browser:
    """A tab's connection: what it sends, and what Streamlit gets of it behind a door."""

    def __init__(self, address: str = "11.0.0.1", headers: tuple = (), *before: str) -> None:
        """`before`: the visit that it had before its connection was lost."""
        self.scope = {"type": "websocket", "client": (address, 5000), "headers": [*headers]}
        self.scope["subprotocols"] = ["streamlit", "a token", *before]
        self.sends: asyncio.Queue = asyncio.Queue()
        self.sends.put_nowait({"type": "websocket.connect"})
        self.got: list[bytes] = []
        self.was_told: list[dict] = []
        self.headers: list = []
        self.task: asyncio.Task | None = None

    def send(self, data: bytes) -> None:
        self.sends.put_nowait({"type": "websocket.receive", "bytes": data})

    def leave(self) -> None:
        self.sends.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def through(self, door: Door) -> None:
        async def tell(message: dict) -> None:
            if message["type"] != "websocket.accept":
                self.was_told.append(message)

        await door({**self.scope, "mlm_test": self}, self.sends.get, tell)


def newcomer(address: str = "11.0.0.1") -> Browser:
    """Return a tab that asks for a page as soon as it is connected, as a browser does."""
    browser = Browser(address)
    browser.send(RERUN)
    return browser


async def come_in() -> None:
    """Let all that are connected come as far as they can before the time goes on."""
    for _ in range(20):
        await asyncio.sleep(0)


async def streamlit(scope: dict, receive, send) -> None:
    """Read and answer as Streamlit does, until the browser has left."""
    browser = scope["mlm_test"]
    assert (await receive())["type"] == "websocket.connect"
    await send({"type": "websocket.accept"})
    browser.headers = scope["headers"]
    while (message := await receive())["type"] != "websocket.disconnect":
        assert message.keys() == {"type", "bytes"}
        browser.got.append(message["bytes"])
        begun = ForwardMsg()
        begun.new_session.initialize.session_id = f"visit of {browser.scope['client'][0]}"
        begun.new_session.name = "x" * MOST_OF_END
        for data in (begun.SerializeToString(), FINISHED):
            await send({"type": "websocket.send", "bytes": data})


@contextmanager
def time_passes(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """Give a clock that goes on when a test says so; who has to wait is asleep for no time."""
    clock = SimpleNamespace(now=100.0, waited=[])

    async def sleep(seconds: float) -> None:
        clock.waited.append(seconds)

    own = SimpleNamespace(**{name: getattr(asyncio, name) for name in asyncio.__all__})
    own.sleep = sleep
    with monkeypatch.context() as patch:
        patch.setattr(door, "time", SimpleNamespace(monotonic=lambda: clock.now))
        patch.setattr(door, "asyncio", own)
        yield clock


@pytest.mark.parametrize(
    "kind",
    ["clear_cache", "load_git_info", "set_run_on_save", "debug_shutdown_runtime"],
)
def test_caches_are_not_cleared_and_git_is_not_run(kind: str):
    assert not is_answered(BackMsg(**{kind: True}))


def test_addresses_for_a_few_files_are_given_and_for_many_none():
    message = BackMsg()
    message.file_urls_request.file_names.extend([""] * MOST_FILE_NAMES)
    assert is_answered(message)
    message.file_urls_request.file_names.append("")
    assert not is_answered(message)


def test_a_page_has_so_many_widgets_and_no_more():
    message = BackMsg()
    for number in range(MOST_WIDGETS):
        message.rerun_script.widget_states.widgets.add(id=str(number))
    assert is_answered(message)
    message.rerun_script.widget_states.widgets.add(id="one more")
    assert not is_answered(message)


@pytest.mark.parametrize(
    ("operation", "passes"),
    [
        ("deferred_file", True),
        ("dataframe_chunk", True),
        ("install_skills", False),
        ("dismiss_skills_nudge", False),
    ],
)
def test_an_operation_that_writes_on_the_host_is_ignored(operation: str, passes: bool):
    message = BackMsg()
    getattr(message.backend_operation_request, operation).SetInParent()
    assert is_answered(message) == passes


def test_what_is_ignored_is_one_short_line_in_the_log(caplog: pytest.LogCaptureFixture):
    message = BackMsg()
    message.file_urls_request.file_names.extend(["zanzibarine"] * 99)
    with caplog.at_level(logging.WARNING, logger="mlm_app"):
        is_answered(message)
    (record,) = caplog.records
    assert record.getMessage() == "a browser's request was ignored: file_urls_request"


def test_streamlit_gets_what_is_answered_in_its_order_and_nothing_else():
    stop = BackMsg(stop_script=True).SerializeToString()
    no_message = b"\x0a" * 99  # Streamlit ends the connection

    async def play() -> Browser:
        browser = Browser()
        for data in (RERUN, BackMsg(clear_cache=True).SerializeToString(), no_message, stop):
            browser.send(data)
        browser.leave()
        await browser.through(Door(streamlit))
        return browser

    assert own_loop.run(play()).got == [RERUN, no_message, stop]


def test_each_request_is_charged_to_the_tab_that_pages_are_told(monkeypatch):
    """And to no other: a browser cannot name its tab itself."""
    charged = []
    monkeypatch.setattr(page_turns, "count_request", charged.append)

    async def play() -> Browser:
        browser = Browser(headers=((TAB.encode(), b"another's"), (b"host", b"h")))
        browser.send(RERUN)
        browser.leave()
        await browser.through(Door(streamlit))
        return browser

    named = dict(own_loop.run(play()).headers)
    assert charged == [named[TAB.encode()].decode()] and charged != ["another's"]
    assert named[b"host"] == b"h"


@pytest.mark.parametrize(
    ("sent", "got", "n_merged"),
    [
        ([changed(1, "a"), changed(2, "b"), changed(3, "c")], [[0], [0, 1], [0, 1, 2]], 0),
        # A slider that is dragged is one request; a click is in one message alone.
        ([changed(1), changed(2), changed(3), changed(4)], [[0], [0, 3], [0, 3]], 2),
        ([changed(1), changed(2, clicked=True), changed(3)], [[0], [0, 1], [0, 1, 2]], 0),
        # A timer asks again by itself.
        ([changed(1), TIMERS, TIMERS], [[0], [0], [0]], 0),
    ],
    ids=["parts", "slider", "click", "timer"],
)
def test_a_tabs_next_request_waits_until_its_page_was_sent(monkeypatch, sent, got, n_merged):
    """Else it would end that page half drawn; a page that takes long may be ended.

    What is merged is charged, too: a tab that asks without rest goes behind one that computed.
    """
    clock, charged = SimpleNamespace(now=0.0), []
    monkeypatch.setattr(page_turns, "charge", charged.append)
    turns = page_turns.Turns(lambda: clock.now)
    for name in ("count_request", "count_sent", "is_under_way"):
        monkeypatch.setattr(page_turns, name, getattr(turns, name))
    browser, seen, tell = Browser(), [], []

    async def streamlit_that_draws(scope: dict, receive, send) -> None:
        async def ignore(message: dict) -> None:
            pass

        tell.append(send)
        await streamlit(scope, receive, ignore)

    async def look() -> None:
        await asyncio.sleep(5 * page_turns.GLANCE_SECONDS)
        seen.append([sent.index(message) for message in browser.got])

    async def play() -> None:
        connection = asyncio.create_task(browser.through(Door(streamlit_that_draws)))
        for message in sent[:-1]:
            browser.send(message)
        await asyncio.sleep(0)
        await tell[0]({"type": "websocket.send", "bytes": EARLY})  # another run comes
        await look()
        await tell[0]({"type": "websocket.send", "bytes": FINISHED})
        await look()
        clock.now += page_turns.KEPT_SECONDS
        await look()
        browser.send(changed(5, "d"))
        browser.leave()
        await look()
        assert connection.done()  # who leaves is not held
        await connection

    sent = [*sent, changed(5, "d")]
    run_in_leaps(monkeypatch, play())
    assert seen[:3] == got and len(charged) == n_merged


def test_a_large_message_is_not_kept_until_the_next_one():
    """Streamlit holds the last message, so a small one follows that it does nothing for."""

    async def play() -> Browser:
        browser = Browser()
        large = BackMsg()
        large.rerun_script.query_string = "x" * LARGE_BYTES
        browser.send(large.SerializeToString())
        browser.send(RERUN)
        browser.leave()
        await browser.through(Door(streamlit))
        return browser

    _, after, last = own_loop.run(play()).got
    assert BackMsg.FromString(after).WhichOneof("type") == "app_heartbeat" and last == RERUN


def test_an_address_has_so_many_tabs_and_another_one_has_places(caplog, monkeypatch):
    async def play() -> None:
        behind = Door(streamlit)
        tabs, tasks = [newcomer() for _ in range(MOST_OF_ADDRESS)], []
        for tab in tabs:
            tasks.append(asyncio.create_task(tab.through(behind)))
            await come_in()
        one_more, another = newcomer(), newcomer("11.0.0.2")
        await one_more.through(behind)
        assert one_more.was_told == [{"type": "websocket.close", "code": 1013}]
        tasks.append(asyncio.create_task(another.through(behind)))
        tabs[0].leave()
        await tasks[0]
        again = newcomer()
        tasks.append(asyncio.create_task(again.through(behind)))
        await come_in()
        assert another.headers and again.headers  # both have reached Streamlit
        for tab in (*tabs[1:], another, again):
            tab.leave()
        await asyncio.gather(*tasks)

    monkeypatch.setattr(door, "ARRIVE_BURST", 2 * MOST_OF_ADDRESS)
    own_loop.run(play())
    assert "no place for one more tab" in caplog.text


def test_the_tab_that_was_silent_longest_makes_way_where_no_place_is_free(monkeypatch):
    """First one of the address that has most of the process's tabs."""

    async def play(clock: SimpleNamespace) -> None:
        behind = Door(streamlit, most_tabs=3)
        silent, speaks, learner = newcomer("11.0.0.9"), newcomer("11.0.0.9"), newcomer()
        tabs = [silent, speaks, learner]
        tasks = [asyncio.create_task(tab.through(behind)) for tab in tabs]
        await come_in()
        clock.now += SILENT_SECONDS
        speaks.send(RERUN)
        while not speaks.got:
            await asyncio.wait(tasks, timeout=0)
        late = newcomer("11.0.0.2")
        tasks.append(asyncio.create_task(late.through(behind)))
        await asyncio.wait_for(tasks[0], 5)
        assert late.headers and not any(task.done() for task in tasks[1:])
        for tab in (speaks, learner, late):
            tab.leave()
        await asyncio.gather(*tasks)

    with time_passes(monkeypatch) as clock:
        own_loop.run(play(clock))


def run_in_leaps(monkeypatch: pytest.MonkeyPatch, play: Coroutine) -> None:
    """Run a play whose time leaps to the next moment that somebody waits for."""
    clock = SimpleNamespace(now=100.0)

    class Leaps(selectors.DefaultSelector):
        def select(self, timeout: float | None = None) -> list:
            clock.now += timeout or 0.0
            return super().select(0)

    loop = asyncio.SelectorEventLoop(Leaps())
    loop.time = lambda: clock.now
    with monkeypatch.context() as patch:
        patch.setattr(door, "time", SimpleNamespace(monotonic=lambda: clock.now))
        own_loop.run(asyncio.wait_for(play, 600), lambda: loop)


async def comes_again_and_again(browser: Browser, behind: Door) -> float:
    """Do what Streamlit's page does until it is let in; return how long that took."""
    now = asyncio.get_running_loop().time
    began = now()
    while True:
        browser.task = asyncio.create_task(browser.through(behind))
        tried = now()
        while not (browser.headers or browser.was_told) and now() - tried < 15:
            await asyncio.sleep(0.05)
        if browser.headers:
            return now() - began
        browser.leave()
        await browser.task
        browser.__init__(*browser.scope["client"][:1])
        browser.send(RERUN)


def test_a_class_comes_at_once_and_who_comes_again_and_again_waits(monkeypatch):
    async def play() -> None:
        behind, now = Door(streamlit), asyncio.get_running_loop().time

        async def arrive(address: str = "11.0.0.1") -> float:
            browser, began = newcomer(address), now()
            with connected(behind, browser):
                while not browser.headers:
                    await asyncio.sleep(0.01)
            return now() - began

        at_once = [arrive() for _ in range(ARRIVE_BURST + 3)]
        seconds = [*await asyncio.gather(*at_once), await arrive("11.0.0.2")]
        wanted = [*[0.0] * ARRIVE_BURST, 0.25, 0.5, 0.75, 0.0]
        assert seconds == pytest.approx(wanted, abs=0.02)
        await asyncio.sleep(100)
        assert await arrive() < 0.02

    run_in_leaps(monkeypatch, play())


def test_connections_that_ask_for_nothing_keep_no_learner_of_their_address_waiting(monkeypatch):
    """Streamlit hears of none, and each is closed after some seconds."""

    async def play() -> None:
        behind, silent, learners = Door(streamlit), [], []
        for k in range(900):  # for a minute
            silent.append(Browser())
            # A heartbeat asks for nothing, either.
            silent[-1].send(HEARTBEAT if k % 2 else BackMsg(stop_script=True).SerializeToString())
            if k % 90 == 89:
                learners.append(newcomer())
            for tab in (silent[-1], *learners[-1:]):
                tab.task = tab.task or asyncio.create_task(tab.through(behind))
            await come_in()
            assert all(tab.headers for tab in learners)
            await asyncio.sleep(1 / 15)
        await asyncio.sleep(ASK_SECONDS)
        assert not any(tab.headers for tab in silent)
        assert all(tab.was_told == [{"type": "websocket.close", "code": 1013}] for tab in silent)
        for tab in learners:
            tab.leave()
        await asyncio.gather(*[tab.task for tab in (*learners, *silent)])

    run_in_leaps(monkeypatch, play())


def test_of_too_many_connections_that_ask_for_nothing_the_oldest_makes_way():
    """One of the address that has most of them."""

    async def play() -> None:
        behind, other = Door(streamlit), Browser("11.0.0.2")
        silent = [Browser() for _ in range(MOST_SILENT + 3)]
        with connected(behind, other, *silent):
            await come_in()
            assert [tab.task.done() for tab in silent] == [True] * 4 + [False] * (MOST_SILENT - 1)
            for tab in (other, silent[-1]):
                tab.send(RERUN)
            await come_in()
            assert other.headers and silent[-1].headers

    own_loop.run(play())


def test_a_tab_that_comes_again_may_be_silent_and_is_let_in_if_it_had_a_page_here(monkeypatch):
    """Streamlit keeps its visit for that. The page of a tab asks for nothing if it is complete."""

    async def play() -> None:
        behind, first = Door(streamlit), newcomer()
        visit = "visit of 11.0.0.1"
        same_visit, another, unknown = (
            Browser("11.0.0.1", (), before) for before in (visit, visit, "visit of nobody")
        )
        with connected(behind, first):
            await come_in()
        await come_in()
        with connected(behind, same_visit, another, unknown):
            await come_in()
            assert same_visit.headers and not another.headers and not unknown.headers
            await asyncio.sleep(100 * ASK_SECONDS)
            assert not any(tab.task.done() for tab in (same_visit, another, unknown))
            unknown.send(RERUN)
            await come_in()
            assert unknown.got == [RERUN]

    run_in_leaps(monkeypatch, play())


def test_two_hundred_tabs_of_an_address_are_all_let_in_after_a_restart(monkeypatch):
    async def play() -> None:
        behind, tabs = Door(streamlit), [newcomer() for _ in range(MOST_OF_ADDRESS)]
        seconds = await asyncio.gather(*[comes_again_and_again(tab, behind) for tab in tabs])
        # No later than four a second allow, and a tenth for the next try of those refused.
        assert max(seconds) < 1.1 * (MOST_OF_ADDRESS - ARRIVE_BURST) / ARRIVE_PER_SECOND
        for tab in tabs:
            tab.leave()
        await asyncio.gather(*[tab.task for tab in tabs])

    run_in_leaps(monkeypatch, play())


def test_a_tab_that_leaves_while_it_waits_is_gone_at_once_and_takes_no_turn(monkeypatch):
    """Also when the server ends, which waits for each of them."""

    async def play() -> None:
        behind, now = Door(streamlit), asyncio.get_running_loop().time
        inside, leave = [newcomer() for _ in range(ARRIVE_BURST)], [newcomer() for _ in range(40)]
        last, began = newcomer(), now()
        with connected(behind, *inside, *leave):
            await asyncio.sleep(0.01)
            for tab in leave:
                tab.leave()
            await asyncio.wait([tab.task for tab in leave])
            assert now() - began < 0.1
            assert not any(tab.headers or tab.was_told for tab in leave)
            with connected(behind, last):
                await asyncio.sleep(0.3)
                assert last.headers

    run_in_leaps(monkeypatch, play())


def test_no_address_has_all_the_tabs_of_a_process_with_few_handles():
    async def play() -> None:
        behind, tabs = Door(streamlit, most_tabs=8), [newcomer() for _ in range(7)]
        tasks = [asyncio.create_task(tab.through(behind)) for tab in tabs]
        await come_in()
        assert sum(bool(tab.headers) for tab in tabs) == 6
        another = newcomer("11.0.0.2")
        another.leave()
        await another.through(behind)
        assert another.headers
        for tab in tabs:
            tab.leave()
        await asyncio.gather(*tasks)

    own_loop.run(play())


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", "fd00::1", "100.64.0.1", ""]
)
def test_behind_a_proxy_that_names_nobody_all_places_are_everybodys(address: str):
    async def play() -> None:
        behind, tabs = Door(streamlit, most_tabs=8), [newcomer(address) for _ in range(8)]
        with connected(behind, *tabs):
            await come_in()
            assert all(tab.headers for tab in tabs)
            one_more = newcomer(address)
            await one_more.through(behind)
            assert one_more.was_told

    own_loop.run(play())


def test_a_process_with_handles_for_one_tab_lets_it_in_and_no_other():
    async def play() -> None:
        behind, first, second = Door(streamlit, most_tabs=1), newcomer(), newcomer("11.0.0.2")
        with connected(behind, first):
            await come_in()
            await second.through(behind)
            assert first.headers and second.was_told

    own_loop.run(play())


@pytest.mark.parametrize(
    ("soft", "hard", "raised_to", "n_tabs"),
    [
        (256, 256, None, 1),
        (512, 512, None, 1),
        (1_024, 1_024, None, 84),
        (1_024, 4_096, 4_096, 699),
        (1_024, 1_048_576, 5_600, 1_000),
        (256, resource.RLIM_INFINITY, 5_600, 1_000),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, None, 1_000),
    ],
)
def test_a_process_lets_in_no_more_tabs_than_it_has_file_handles_for(
    monkeypatch, soft: int, hard: int, raised_to: int | None, n_tabs: int
):
    raised = []
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: raised.append(limits))
    assert tabs_for_handles() == n_tabs
    assert raised == ([] if raised_to is None else [(raised_to, hard)])


async def ask(behind: Door, method: str, path: str, n_bytes: int = 0, **scope: Any) -> list:
    """Send a request, and return the answer's status, if there is one."""
    statuses = []

    async def receive() -> dict:
        return {"type": "http.request", "body": bytes(n_bytes)}

    async def send(message: dict) -> None:
        statuses.extend([message["status"]] if "status" in message else [])

    await behind({"type": "http", "method": method, "path": path} | scope, receive, send)
    return statuses


def test_a_file_that_its_browser_removed_pushes_out_none(monkeypatch: pytest.MonkeyPatch):
    files = []
    monkeypatch.setattr(visits_files, "is_held", lambda visit, file: file in files)

    async def keep_or_remove(scope: dict, receive, send) -> None:
        await receive()
        change = files.append if scope["method"] == "PUT" else files.remove
        change(scope["path"][-1])
        await send({"type": "http.response.start", "status": 204})

    async def play() -> None:
        behind, folder = Door(keep_or_remove), "/_stcore/upload_file/visit/"
        await ask(behind, "PUT", folder + "b", 5_000_000)
        await ask(behind, "PUT", folder + "a", 5_000_000)
        await ask(behind, "DELETE", folder + "a")
        await ask(behind, "PUT", folder + "c", 5_000_000)

    own_loop.run(play())
    assert files == ["b", "c"]


@pytest.mark.parametrize(
    ("address", "header", "status"),
    [
        *[(one, b"host", 200) for one in ("127.0.0.1", "::1", "::ffff:127.0.0.1")],
        *[(one, b"host", 404) for one in ("11.0.0.1", "10.0.0.1", "")],
        # A proxy on this host, which uvicorn does not trust at this address.
        *[("::ffff:127.0.0.1", one, 404) for one in (b"x-forwarded-for", b"forwarded")],
    ],
)
@pytest.mark.parametrize("path", ["{}", "/base{}", "{}\n"])
@pytest.mark.parametrize("asked", ["script-health-check", "metrics"])
def test_only_this_host_has_a_page_drawn_for_nobody_or_all_caches_measured(
    address: str, header: bytes, status: int, path: str, asked: str
):
    async def well(scope: dict, receive, send) -> None:
        await send({"type": "http.response.start", "status": 200})

    path = path.format(f"/_stcore/{asked}")
    came = {"client": (address, 5000), "headers": [(header, b"a value")]}
    assert own_loop.run(ask(Door(well), "GET", path, **came)) == [status]


def test_clearing_all_of_streamlits_caches_ends_no_training():
    """As upstream does on `clear_cache`, wherever there is no door."""
    from streamlit.runtime import caching

    with own_caches():
        service = cache_training.training_service()
        ticket = service.start(("a run",), lambda: iter(range(3)))
        caching.cache_data.clear()
        caching.cache_resource.clear()
        assert cache_training.training_service() is service
        assert service.look(ticket).status in ("queued", "running", "finished")
    assert "_handle_clear_cache_request" in vars(AppSession), "see what upstream calls now"


def test_a_closed_trainer_is_followed_by_a_new_one():
    with own_caches():
        first = cache_training.training_service()
        cache_training.close_training_service()
        cache_training.close_training_service()
        assert cache_training.training_service() is not first


def rerun_of(n_bytes: int) -> bytes:
    message = BackMsg()
    message.rerun_script.query_string = "x" * n_bytes
    return message.SerializeToString()


async def send_at(clock: SimpleNamespace, tab, n_messages: int, seconds: float, data: bytes):
    """Send messages with so many seconds between them, and wait until each has passed."""
    for _ in range(n_messages):
        clock.now += seconds
        n_got = len(tab.got)
        tab.send(data)
        while len(tab.got) == n_got:
            await asyncio.wait([tab.task], timeout=0)


@contextmanager
def connected(behind: Door, *tabs: Browser) -> Iterator[None]:
    """Connect tabs, inside of a running loop."""
    for tab in tabs:
        tab.task = asyncio.create_task(tab.through(behind))
    yield
    for tab in tabs:
        tab.task.cancel()


def test_a_tab_that_sends_without_a_pause_waits_and_another_does_not(monkeypatch):
    async def play(clock: SimpleNamespace) -> None:
        attacker, learner = Browser("11.0.0.9"), Browser()
        with connected(Door(streamlit), attacker, learner):
            await send_at(clock, attacker, 100, 0.0, RERUN)
            assert len(clock.waited) == 41  # a burst of 60 units passes, six bytes more each
            clock.waited.clear()
            # A slider dragged for half a minute: ten messages a second.
            await send_at(clock, learner, 300, 0.1, rerun_of(15_000))
            assert not clock.waited

    with time_passes(monkeypatch) as clock:
        own_loop.run(play(clock))


def test_when_all_send_too_much_those_wait_that_sent_most(monkeypatch):
    async def play(clock: SimpleNamespace) -> set[int]:
        tabs, learner, late = [Browser(f"11.0.1.{n}") for n in range(40)], Browser(), set()
        with connected(Door(streamlit), learner, *tabs):
            for _ in range(10):
                for number, tab in enumerate(tabs):
                    await send_at(clock, tab, 10, 0.0, RERUN)
                    if clock.waited:
                        late.add(number)
                        clock.waited.clear()
                await send_at(clock, learner, 1, 1.0, RERUN)
                assert not clock.waited
        return late

    with time_passes(monkeypatch) as clock:
        # Their own rate of 25 a second lets all of them pass.
        assert own_loop.run(play(clock)) == set(range(40))


def test_a_long_text_of_ones_own_does_not_make_its_timer_wait(monkeypatch):
    async def play(clock: SimpleNamespace) -> None:
        learner = Browser()
        with connected(Door(streamlit), learner):
            # 300,000 characters of three bytes, and the heartbeat behind each.
            await send_at(clock, learner, 100, 1.0, rerun_of(900_000))
        assert not clock.waited

    with time_passes(monkeypatch) as clock:
        own_loop.run(play(clock))
