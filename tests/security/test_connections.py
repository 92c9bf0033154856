"""What a browser's connection can do to the others: ask without rest, send without an end."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bench.load.attacks import LARGEST
from bench.load.session import Session
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
