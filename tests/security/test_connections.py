"""What a browser's connection can do to the others: ask without rest, send without an end."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import uvicorn
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from bench.load.attacks import LARGEST
from bench.load.session import Session
from pages.server.process import connection
from pages.server.process.connection import BURST, MOST_UNREAD_BYTES, UNREAD_BYTES
from tests import own_loop
from tests.browser.live import Server

N_TABS, PAUSE_SECONDS = 20, 0.2
# Pages of theirs that are begun while a learner waits for one change. Measured on a machine with
# ten times the load it bears: 51 at most; where pages are drawn faster than they are sent, 400 and
# more; without turns for pages above 1,000, or no answer at all.
MOST_BEGUN = 100


def test_tabs_that_ask_without_rest_do_not_stop_a_learners_page(server: Server):
    async def ask(tab: Session) -> None:
        while True:
            await tab.send_rerun()
            await asyncio.sleep(PAUSE_SECONDS)

    async def play(url: str) -> list[int]:
        learner, *tabs = sessions = [Session(url, "masking") for _ in range(N_TABS + 1)]
        for session in sessions:
            await session.open()
        asking = [asyncio.create_task(ask(tab)) for tab in tabs]
        begun = []
        for seed in range(300, 303):
            before = sum(tab.n_page_runs for tab in tabs)
            await learner.change("masking_seed", seed)
            begun.append(sum(tab.n_page_runs for tab in tabs) - before)
            await asyncio.sleep(PAUSE_SECONDS)
        for task in asking:
            task.cancel()
        for session in sessions:
            await session.close()
        return begun

    begun = own_loop.run(play(server.url))
    assert max(begun) < MOST_BEGUN, begun


@pytest.mark.parametrize("n_bytes", [LARGEST // 20, 2 * LARGEST], ids=["in parts", "at once"])
def test_a_message_that_grows_too_large_ends_its_connection_before_it_is_complete(
    server: Server, n_bytes: int
):
    async def parts(tab: ClientConnection) -> AsyncIterator[bytes]:
        for _ in range(1 + 2 * LARGEST // n_bytes):
            yield bytes(n_bytes)
        await (await tab.ping())  # the server has read all of it
        raise AssertionError("the connection is still open")

    async def play(url: str) -> None:
        address = url.replace("http", "ws", 1) + "/_stcore/stream"
        protocols = ["streamlit", "PLACEHOLDER"]
        async with connect(address, subprotocols=protocols, proxy=None) as tab:
            # One that asks for nothing for long is closed for that, which this doesn't look at.
            await tab.send(BackMsg(rerun_script=ClientState()).SerializeToString())
            await tab.send(parts(tab))

    # Which code it is closed with isn't compared: it is lost where the server resets the
    # connection, because some of the message was still unread.
    with pytest.raises(ConnectionClosed):
        own_loop.run(play(server.url))


class Wire(asyncio.Transport):
    """A connection's network: what was sent stays unread until the connection is cut."""

    n_unread, is_cut = 0, False

    def write(self, data: bytes) -> None:
        self.n_unread += len(data)

    def get_write_buffer_size(self) -> int:
        return self.n_unread

    def abort(self) -> None:
        self.n_unread, self.is_cut = 0, True

    def is_closing(self) -> bool:
        return self.is_cut

    def ignore(self) -> None:
        pass

    pause_reading = resume_reading = close = ignore


def connected(state: ServerState) -> tuple[WebSocketsSansIOProtocol, Wire]:
    """Return a browser's connection as uvicorn makes it, with its network."""

    async def app(scope: dict, receive, send) -> None:
        await send({"type": "websocket.accept"})

    connection.install()
    config = uvicorn.Config(app, log_config=None, interface="asgi3", proxy_headers=False)
    browser, wire = WebSocketsSansIOProtocol(config, state, {}), Wire()
    browser.connection_made(wire)
    browser.data_received(
        b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    return browser, wire


@pytest.mark.parametrize(
    "opcode", [Opcode.PING, Opcode.PONG, Opcode.CONT, Opcode.BINARY], ids=lambda one: one.name
)
def test_frames_of_any_kind_are_counted_before_they_are_kept(opcode: Opcode):
    is_part = opcode is Opcode.CONT
    frame = Frame(opcode, b"", fin=not is_part).serialize(mask=True)
    begins = Frame(Opcode.BINARY, b"", fin=False).serialize(mask=True) if is_part else b""

    async def play() -> None:
        browser, wire = connected(ServerState())
        await asyncio.sleep(0)
        browser.data_received(begins + frame * (int(BURST) - 2))
        assert not wire.is_cut, "a browser may send so many"
        browser.data_received(frame * 40_000)
        assert wire.is_cut and browser.queue.empty() and len(browser.frames) < BURST
        assert len(browser.conn.reader.buffer) < len(frame), "the rest was never taken"

    own_loop.run(play())


def test_of_all_connections_the_one_that_left_most_unread_is_cut():
    async def play() -> None:
        state = ServerState()
        all_of_them = [connected(state) for _ in range(20)]
        await asyncio.sleep(0)
        page = {"type": "websocket.send", "bytes": bytes(UNREAD_BYTES)}
        (slow, wire_of_slow), *others = all_of_them
        await slow.send(page)
        for _ in range(2 * MOST_UNREAD_BYTES // UNREAD_BYTES // len(others)):
            for browser, wire in others:
                if not wire.is_cut:
                    await browser.send(page)
                unread = sum(wire.n_unread for _, wire in all_of_them)
                assert unread <= MOST_UNREAD_BYTES + 2 * UNREAD_BYTES
        assert sum(wire.is_cut for _, wire in others) > 1
        assert not wire_of_slow.is_cut, "it left little unread"

    own_loop.run(play())


GET = b"GET / HTTP/1.1\r\nHost: a\r\n"


@pytest.mark.parametrize("sent", [b"", GET, GET + b"\r\n" + GET], ids=["none", "half", "second"])
def test_a_connection_without_a_whole_request_is_cut(sent: bytes, monkeypatch: pytest.MonkeyPatch):
    async def app(scope: dict, receive, send) -> None:
        if scope["path"] == "/slow":
            await is_cut.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    async def play() -> None:
        nonlocal is_cut
        is_cut = asyncio.Event()
        connection.install()
        config = uvicorn.Config(app, log_config=None, interface="asgi3", proxy_headers=False)
        wires = [Wire(), Wire()]
        for wire, data in zip(wires, (sent, b"GET /slow" + GET[5:] + b"\r\n"), strict=True):
            protocol = H11Protocol(config, ServerState(), {})
            protocol.connection_made(wire)
            if data:  # none would be the end
                protocol.data_received(data)
        async with asyncio.timeout(60):
            while not wires[0].is_cut:
                await asyncio.sleep(0.01)
        assert not wires[1].is_cut, "its answer takes long"
        is_cut.set()

    is_cut = None
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.05)
    own_loop.run(play())


def test_a_server_cuts_a_connection_that_sends_ping_after_ping(server: Server):
    async def play(url: str) -> None:
        address = url.replace("http", "ws", 1) + "/_stcore/stream"
        async with connect(address, subprotocols=["streamlit"], proxy=None) as tab:
            await tab.send(BackMsg(rerun_script=ClientState()).SerializeToString())
            for _ in range(10 * int(BURST)):
                await tab.ping()
            async for _ in tab:
                pass
            await tab.ping()

    with pytest.raises(ConnectionClosed):
        own_loop.run(play(server.url))
