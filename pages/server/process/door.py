"""The one door: what a browser may ask of this server, before Streamlit reads it.

`streamlit run app.py` finds the `st.App` there, which puts a `Door` before all of Streamlit's own
(https://docs.streamlit.io/develop/api-reference/server/st.app). It is an ASGI middleware: it hands
on what a browser and Streamlit send each other, and changes nothing of Streamlit's. It bounds

- how many tabs are connected, in all and from one public address; a private one may be a proxy's,
  and everybody's. Where no place is free, a tab that has been silent for a minute makes way; its
  browser comes again by itself.
- how many connections have asked for nothing: few, and the oldest makes way. Streamlit hears of a
  tab when it asks for a page. A new one does so at once, or is closed after some seconds; one that
  lost its connection may stay silent. If it had a page here, Streamlit still has its visit, and it
  is let in without asking.
- how fast new tabs come from one address: a burst, then `ARRIVE_PER_SECOND`. Each is a visit with a
  page to be drawn, also if its tab has left meanwhile. A new tab waits ten seconds at most: by then
  it is let in, or refused and comes again. One that leaves while it waits takes no turn.
- how fast a tab's messages are read. A message is one unit, and one more for each `UNIT_BYTES`,
  five at most; a tab may send a burst, then `PER_SECOND`. What comes faster waits in its own
  connection, nothing is lost. A slider that is dragged sends some ten messages a second, of 5 to
  15 kB each, and a run's timer one. While all tabs together send more than `ALL_PER_SECOND`, each
  has `CROWDED_PER_SECOND` after its burst: a learner, who sends one a second, does not wait.
- when a tab's next page is asked for: after its last one was sent, which it would end half drawn.
  A page that is drawn for more than half a second may be ended. What a tab asks of the same part
  meanwhile is one request, as of a slider that is dragged, but for clicks, each of which is drawn.
  A timer's question is dropped: it asks again.
- which kinds of messages are answered: those that our pages send (messages.py). A new kind in
  Streamlit's protocol is dropped until somebody has looked at it.
- which files a visit holds: its newest (visits_files.py).
- who has a page drawn for nobody, and the process's figures: this host alone.

How large a message may be before it is complete is set in .streamlit/config.toml, whose page is
drawn next is decided in page_turns.py. What each bound is worth: docs/decisions/0005.
"""

import asyncio
import logging
import secrets
import time
from collections import Counter, OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.server.process import page_turns
from pages.server.process.addresses import address_of, is_this_host, may_be_a_proxys
from pages.server.process.messages import (
    ASKED,
    ASKS,
    HEARTBEAT,
    asks_for_page,
    has_ended,
    is_answered,
    takes_the_place,
    units_of,
)
from pages.server.process.visits_files import MOST_VISITS, VisitsFiles

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger("mlm_app")

MOST_TABS = 1_000  # of a process
# Tabs of a public address, never more than a part of all; a class behind one router has one.
MOST_OF_ADDRESS, MOST_PART = 200, 0.75
ARRIVE_BURST, ARRIVE_PER_SECOND = 60, 4.0  # of an address: a class and its second tabs, at once
ARRIVE_SECONDS = 10.0  # that a new tab waits; Streamlit's page gives up after 15 and comes again
ASK_SECONDS = 5.0  # until a new tab asks for a page, which it does as soon as it is connected
MOST_SILENT = 100  # connections that have asked for nothing yet; a browser asks within 0.1 s
SILENT_SECONDS = 60.0  # after which a tab makes way; in a room each asks every three seconds
# A tab's websocket, the event loop that Streamlit gives each visit, and for each tab a connection
# that has asked for nothing. What is open beside them: the loops of 128 visits that may come back,
# files, requests.
HANDLES_OF_TAB, OTHER_HANDLES = 5, 600

BURST, PER_SECOND = 60.0, 25.0  # units
ALL_BURST, ALL_PER_SECOND = 300.0, 150.0  # units of a process; a class of thirty sends 40 a second
CROWDED_PER_SECOND = 2.0
LARGE_BYTES = 100_000
END, MOST_OF_END = "script_finished", 1_000  # the last message of a page, and its size
# For this host alone: each request draws a page, or measures all caches. In a path; Starlette takes
# it also with a line's end behind it.
FOR_HOST = ("/_stcore/script-health-check", "/_stcore/metrics")

TAB = "x-mlm-tab"  # a header, for pages: which tab they are drawn for


@dataclass(eq=False)
class Tab:
    """One connected tab of a browser."""

    address: str
    task: asyncio.Task | None
    heard: float  # when its last message came
    visit: str = ""  # its id, which Streamlit sends with the first page
    name: str = field(default_factory=secrets.token_hex)
    units: float = BURST  # that it may send now
    at: float = 0.0  # when that was
    makes_way: bool = False
    has_left: bool = False
    holds_large: bool = False  # its last message, for Streamlit
    ahead: asyncio.Future | None = None  # what it sends while it waits to be let in
    next: asyncio.Future | None = None  # what it asked first, or while its last page is drawn


class NotLetInError(Exception):
    """A tab that Streamlit shall not hear of: it asks for nothing, has no place, or has left."""


class Door:
    """Lets pass what a browser may ask; an ASGI middleware."""

    def __init__(self, app: "ASGIApp", most_tabs: int | None = None) -> None:
        """`most_tabs`: as many as the process has file handles for, if not given."""
        self._app = app
        self._most_tabs = most_tabs or tabs_for_handles()
        self._most_of_address = min(MOST_OF_ADDRESS, max(1, int(MOST_PART * self._most_tabs)))
        self._tabs: set[Tab] = set()
        self._silent: dict[Tab, None] = {}  # that have asked for nothing yet, the oldest first
        self._visits: OrderedDict[str, None] = OrderedDict()  # that had a page
        self._arrivals: dict[str, float] = {}  # by address: until when its arrivals take it
        self._units, self._at = ALL_BURST, 0.0  # that all tabs may send now
        self._files = VisitsFiles(app)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one connection or one request."""
        if scope["type"] == "websocket":
            await self._serve_tab(scope, receive, send)
        elif any(one in scope.get("path", "") for one in FOR_HOST) and not is_this_host(scope):
            await send({"type": "http.response.start", "status": 404, "headers": []})
            await send({"type": "http.response.body"})
        elif scope["type"] == "http" and scope["method"] in ("PUT", "DELETE"):
            await self._files.serve(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _serve_tab(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        tab = Tab(address_of(scope), asyncio.current_task(), time.monotonic())
        headers = [one for one in scope["headers"] if one[0] != TAB.encode()]
        headers.append((TAB.encode(), tab.name.encode()))

        async def write(message: "Message") -> None:
            await self._write(tab, send, message)
            if message["type"] == "websocket.accept":  # after which Streamlit begins a visit
                await self._let_in(tab, scope, receive)

        try:
            read = partial(self._read, tab, receive)
            await self._app({**scope, "headers": headers}, read, write)
        except NotLetInError:
            if not tab.has_left:
                await send({"type": "websocket.close", "code": 1013})  # try again later
        except asyncio.CancelledError:
            if not tab.makes_way:
                raise
        finally:
            self._tabs.discard(tab)
            page_turns.count_sent(tab.name)
            for message in (tab.ahead, tab.next):
                if message is not None:
                    message.cancel()

    async def _let_in(self, tab: Tab, scope: "Scope", receive: "Receive") -> None:
        """Wait for a connected tab to ask for a page, and for its turn. Raises NotLetInError."""
        # As a browser sends it: the protocol, a token, and the visit it had before.
        before = "".join(scope.get("subprotocols", ())[2:3])
        if before in self._visits and all(one.visit != before for one in self._tabs):
            self._note_visit(tab, before)
        elif not await self._asks(tab, receive, None if before else ASK_SECONDS):
            raise NotLetInError
        if not self._make_place(tab.address):
            raise NotLetInError
        self._tabs.add(tab)
        if not await self._arrives(tab, receive):
            raise NotLetInError

    async def _asks(self, tab: Tab, receive: "Receive", seconds: float | None) -> bool:
        """Return whether a tab asks for something in time, and before it makes way."""
        self._silent[tab] = None
        if len(self._silent) > min(MOST_SILENT, self._most_tabs):
            ((address, _),) = Counter(one.address for one in self._silent).most_common(1)
            self._send_away(next(one for one in self._silent if one.address == address))
        until = None if seconds is None else time.monotonic() + seconds
        try:
            while True:
                asked = self._ahead(tab, receive)
                left = None if until is None else until - time.monotonic()
                await asyncio.wait([asked], timeout=left)
                if not asked.done() or ASKED not in asked.result():  # too late, or no question
                    tab.has_left = asked.done() and has_ended(asked.result())
                    return False
                if asked.result()[ASKED].WhichOneof("type") in ASKS:
                    return True
                tab.next = None
        finally:
            self._silent.pop(tab, None)

    async def _arrives(self, tab: Tab, receive: "Receive") -> bool:
        """Let a new tab wait for its turn; return whether it is let in."""
        seconds = self._seconds_to_arrive(tab.address)
        if not seconds:
            return True
        until, has_turn = time.monotonic() + seconds, seconds <= ARRIVE_SECONDS
        tab.ahead = asyncio.ensure_future(receive())
        await asyncio.wait([tab.ahead], timeout=min(seconds, ARRIVE_SECONDS))
        tab.has_left = tab.ahead.done() and has_ended(tab.ahead.result())
        if tab.has_left and has_turn and tab.address in self._arrivals:
            self._arrivals[tab.address] -= 1 / ARRIVE_PER_SECOND
        elif tab.ahead.done() and has_turn:  # it sends more; nothing behind that is read
            await asyncio.sleep(until - time.monotonic())
        return has_turn and not tab.has_left

    def _seconds_to_arrive(self, address: str) -> float:
        """Return how long a new tab of an address waits; count it if that is not too long."""
        now = time.monotonic()
        self._arrivals = {one: until for one, until in self._arrivals.items() if until > now}
        busy = self._arrivals.get(address, now) - now
        seconds = max(0.0, busy - (ARRIVE_BURST - 1) / ARRIVE_PER_SECOND)
        if seconds <= ARRIVE_SECONDS:
            self._arrivals[address] = now + busy + 1 / ARRIVE_PER_SECOND
        return seconds

    def _make_place(self, address: str) -> bool:
        """Return whether one more tab from an address has a place; a silent one makes way."""
        n_tabs = Counter(tab.address for tab in self._tabs)
        if n_tabs[address] < self._most_of_address or may_be_a_proxys(address):
            if len(self._tabs) < self._most_tabs:
                return True
            address = n_tabs.most_common(1)[0][0]
        silent = min((t for t in self._tabs if t.address == address), key=lambda t: t.heard)
        if time.monotonic() - silent.heard < SILENT_SECONDS:
            logger.warning("no place for one more tab: %d are connected", len(self._tabs))
            return False
        self._send_away(silent)
        return True

    def _send_away(self, tab: Tab) -> None:
        """Close a tab's connection, so that another has its place."""
        tab.makes_way = True
        self._tabs.discard(tab)
        self._silent.pop(tab, None)
        if tab.task is not None:
            tab.task.cancel()

    def _note_visit(self, tab: Tab, visit: str) -> None:
        tab.visit = visit
        self._visits[visit] = None
        self._visits.move_to_end(visit)
        if len(self._visits) > MOST_VISITS:
            self._visits.popitem(last=False)

    async def _read(self, tab: Tab, receive: "Receive") -> "Message":
        """Return the next message of a tab for Streamlit."""
        if tab.holds_large:
            # Streamlit keeps a message, twice, until the next one comes.
            tab.holds_large = False
            return {"type": "websocket.receive", "bytes": HEARTBEAT}
        message = await self._take(tab, receive)
        while asks_for_page(message) and page_turns.is_under_way(tab.name):
            newer = self._ahead(tab, receive)
            await asyncio.wait([newer], timeout=page_turns.GLANCE_SECONDS)
            if newer.done() and takes_the_place(newer.result(), message):
                page_turns.charge(tab.name)
                message = await self._take(tab, receive)
            elif newer.done() and has_ended(newer.result()):
                break
            elif newer.done():  # it comes behind, so nothing is to be looked for
                await asyncio.sleep(page_turns.GLANCE_SECONDS)
        if asks_for_page(message):
            page_turns.count_request(tab.name)
        message.pop(ASKED, None)
        tab.holds_large = len(message.get("bytes") or b"") > LARGE_BYTES
        return message

    def _ahead(self, tab: Tab, receive: "Receive") -> asyncio.Future:
        """Return a tab's next message that is answered, which may not have come yet."""
        if tab.next is None:
            tab.next = asyncio.ensure_future(self._answered(tab, receive))
        return tab.next

    async def _take(self, tab: Tab, receive: "Receive") -> "Message":
        try:
            return await self._ahead(tab, receive)
        finally:
            tab.next = None

    async def _answered(self, tab: Tab, receive: "Receive") -> "Message":
        """Return a tab's next message that is answered, no sooner than the tab may send it."""
        while True:
            ahead, tab.ahead = tab.ahead, None
            message = await (receive() if ahead is None else ahead)
            data = message.get("bytes")
            if data is None:  # the beginning, the end, or a text, which Streamlit refuses
                return message
            if seconds := self._seconds_to_wait(tab, len(data)):
                await asyncio.sleep(seconds)
            try:
                asked = BackMsg.FromString(data)
            except DecodeError:  # at which Streamlit ends the connection
                return message
            is_timers = asked.rerun_script.is_auto_rerun
            if is_answered(asked) and not (is_timers and page_turns.is_under_way(tab.name)):
                return {**message, ASKED: asked}
            del message, data, asked  # which would be kept until the next one comes

    async def _write(self, tab: Tab, send: "Send", message: "Message") -> None:
        """Send a tab what Streamlit has for it, and note whose it is and when a page was sent."""
        await send(message)
        data = message.get("bytes")
        if data and (len(data) < MOST_OF_END or not tab.visit):
            sent = ForwardMsg.FromString(data)
            if visit := sent.new_session.initialize.session_id:
                self._note_visit(tab, visit)
            # After a run that ended early for another one comes that other one.
            if sent.HasField(END) and sent.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                page_turns.count_sent(tab.name)

    def _seconds_to_wait(self, tab: Tab, n_bytes: int) -> float:
        """Count a message, and return how long the tab waits for it to be handed on."""
        now, units = time.monotonic(), units_of(n_bytes)
        self._units = min(ALL_BURST, self._units + (now - self._at) * ALL_PER_SECOND) - units
        self._units, self._at = max(-ALL_BURST, self._units), now
        per_second = CROWDED_PER_SECOND if self._units < 0 else PER_SECOND
        tab.units = min(BURST, tab.units + (now - tab.at) * per_second) - units
        tab.heard = tab.at = now
        return max(0.0, -tab.units / per_second)


def tabs_for_handles() -> int:
    """Return how many tabs this process has file handles for, after it took all it may have."""
    try:
        import resource
    except ImportError:  # Windows, where nothing bounds them
        return MOST_TABS
    wanted = OTHER_HANDLES + MOST_TABS * HANDLES_OF_TAB
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MOST_TABS
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if most > soft:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return max(1, (soft - OTHER_HANDLES) // HANDLES_OF_TAB)
