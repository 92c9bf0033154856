"""One browser tab without a browser: a session with the app over its websocket.

It does what Streamlit's frontend does with what the server sends: keeps the elements of the
page and the values of its widgets, sends all of them with each rerun, takes over the link,
reruns fragments when their timers say so, and forgets what a run did not draw again.

Source: streamlit/proto/{BackMsg,ForwardMsg}.proto, streamlit/web/server/starlette/
starlette_websocket.py (subprotocols), and the frontend's handling of autoRerun; version 1.67.
"""

import asyncio
import contextlib
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bench.load.page import Page

PATIENCE = 60.0  # seconds for one answer; a learner has left by then
# Requests of one session are answered in order, two at most being under way before ours.
MOST_OTHERS = 5


class SessionDroppedError(Exception):
    """The server closed the connection, or did not answer."""


class RerunLostError(Exception):
    """The server forgot a rerun, as it may when a timer's rerun comes at the same moment.

    It takes what a script runner still has to say for nothing once another has begun
    (streamlit/runtime/app_session.py, _handle_scriptrunner_event_on_event_loop). In a browser
    the widget has moved then and the page has not.
    """


def with_parameter(query: str, name: str, value: Any) -> str:
    """Return a link's parameters with one of them set, as a browser writes a bound widget's."""
    others = [one for one in parse_qsl(query, keep_blank_values=True) if one[0] != name]
    values = value if isinstance(value, list) else [value]
    return urlencode([*others, *((name, _as_text(one)) for one in values)])


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    is_whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if is_whole else value)


@dataclass(eq=False)
class _Wait:
    """Somebody waits for a run that began after they asked."""

    fragment_id: str  # "" for the whole page
    done: asyncio.Future = field(default_factory=lambda: asyncio.Future())
    has_begun: bool = False
    n_others: int = 0  # runs that finished meanwhile and were not this one


class Session(Page):
    """One tab on one page. Use: `await session.open()`, then `await session.change(key)`."""

    def __init__(self, server_url: str, page: str, query: str = "", *, cookie: str = "") -> None:
        """`cookie` is sent as a browser would, "name=value": a proxy may ask for one."""
        self._address = server_url.replace("http", "ws", 1) + "/_stcore/stream"
        super().__init__()
        self.page, self.query, self._cookie = page, query, cookie
        self.n_reruns = 0
        self.n_page_runs = 0  # runs of the whole page that began, not of a part alone
        # Received, as they were before the connection's own compression, without the states of a
        # bar that shows how long something takes: how many come depends on the machine.
        self.n_bytes = 0
        self.is_dropped = False
        self.session_id = ""  # on the server, for uploads
        self._page_hash = ""
        self._triggers: list[WidgetState] = []
        self._timers: dict[str, tuple[float, asyncio.Task]] = {}
        self._waits: list[_Wait] = []
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task | None = None

    async def open(self) -> float:
        """Connect and run the page; return the milliseconds to the end of its first run."""
        began = time.perf_counter()
        try:
            self._socket = await connect(
                self._address,
                # The second takes the place of the token that a browser reads from a cookie.
                subprotocols=["streamlit", "PLACEHOLDER"],
                additional_headers={"Cookie": self._cookie} if self._cookie else None,
                max_size=None,
                proxy=None,
                close_timeout=1.0,  # a tab doesn't wait until all that it sent has been read
            )
        except (OSError, TimeoutError) as error:
            self.is_dropped = True
            raise SessionDroppedError(f"no connection: {error}") from error
        self._reader = asyncio.create_task(self._read())
        await self._rerun("")
        return 1000 * (time.perf_counter() - began)

    async def go_to(self, page: str, query: str = "") -> float:
        """Go to another page as a link of the sidebar does; return the milliseconds it took."""
        self.page, self.query, self._page_hash = page, query, ""
        began = time.perf_counter()
        await self._rerun("")
        return 1000 * (time.perf_counter() - began)

    async def close(self) -> None:
        """Leave the page as a closed tab does."""
        self._stop_timers()
        if self._reader is not None:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader
        if self._socket is not None:
            # websockets aborts a connection that was reset, and asyncio has none to abort then.
            with contextlib.suppress(AttributeError):
                await self._socket.close()

    async def change(self, key: str, value: Any = True) -> float:
        """Change a widget; return the milliseconds until the rerun it asks for has finished."""
        widget = self.widget(key)
        if widget.kind == "button":
            self._triggers.append(widget.state(True))
        else:
            self.values[widget.proto.id] = value
            if name := getattr(widget.proto, "query_param_key", ""):
                self.query = with_parameter(self.query, name, value)
        began = time.perf_counter()
        await self._rerun(widget.fragment_id)
        return 1000 * (time.perf_counter() - began)

    async def _rerun(self, fragment_id: str) -> None:
        wait = _Wait(fragment_id)
        self._waits.append(wait)
        try:
            await self.send_rerun(fragment_id)
            # wait_for of Python 3.11 forgets that it was cancelled if the rerun ends just then.
            async with asyncio.timeout(PATIENCE):
                await wait.done
        except (ConnectionClosed, TimeoutError) as error:
            self.is_dropped = True
            raise SessionDroppedError(f"no answer on {self.page}: {error!r}") from error
        finally:
            if wait in self._waits:
                self._waits.remove(wait)

    async def send_rerun(self, fragment_id: str = "", *, is_auto_rerun: bool = False) -> None:
        """Ask for a run of the page, or of one part, without waiting for it."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.fragment_id = self.query, fragment_id
        state.page_script_hash = self._page_hash
        state.page_name = "" if self._page_hash else self.page
        state.is_auto_rerun = is_auto_rerun
        state.widget_states.widgets.extend(self.states())
        state.widget_states.widgets.extend(self._triggers)
        self._triggers.clear()
        await self.send(message.SerializeToString())

    @property
    def is_open(self) -> bool:
        """Return whether the server is listened to."""
        return self._reader is not None and not self._reader.done()

    async def send(self, data: bytes | str) -> None:
        """Send one message, whatever it is."""
        await self._socket.send(data)
        await asyncio.sleep(0)  # lets the reader see an end

    async def _read(self) -> None:
        run_id, fragments = "", ()
        try:
            async for data in self._socket:
                message = ForwardMsg.FromString(data)
                if message.delta.new_element.WhichOneof("type") != "progress":
                    self.n_bytes += len(data)
                kind = message.WhichOneof("type")
                if kind == "new_session":
                    run = message.metadata.run
                    run_id, fragments = run.script_run_id, tuple(run.fragment_ids)
                    self._page_hash = self._page_hash or message.new_session.page_script_hash
                    self.session_id = message.new_session.initialize.session_id
                    self._begin(fragments)
                elif kind == "delta":
                    place = tuple(message.metadata.delta_path)
                    self.draw(place, message.delta, run_id)
                elif kind == "script_finished":
                    self._finish(message.script_finished, run_id, fragments)
                elif kind == "page_info_changed":
                    self.query = message.page_info_changed.query_string
                elif kind == "navigation":
                    # new_session may still name the first page; this comes later and is right.
                    self._page_hash = message.navigation.page_script_hash
                elif kind == "auto_rerun":
                    self._set_timer(message.auto_rerun.fragment_id, message.auto_rerun.interval)
                elif kind == "stop_auto_rerun":
                    self._stop_timers(message.stop_auto_rerun.fragment_ids)
                elif kind in ("page_not_found", "session_event"):
                    self.errors.append(f"{kind} on {self.page}")
        except ConnectionClosed:
            pass
        finally:
            self._end_of_stream()

    def _end_of_stream(self) -> None:
        """Tell whoever waits that nothing will come: the connection is gone."""
        self._stop_timers()
        for wait in self._waits:
            if not wait.done.done():
                wait.done.set_exception(ConnectionClosed(None, None))
        self.is_dropped = self.is_dropped or not asyncio.current_task().cancelling()

    def _begin(self, fragments: tuple[str, ...]) -> None:
        if not fragments:
            self.n_page_runs += 1
            self._stop_timers()
        for wait in self._waits:
            # A run of the whole page brings what a fragment's would have.
            wait.has_begun = wait.has_begun or not fragments or wait.fragment_id in fragments

    def _finish(self, status: int, run_id: str, fragments: tuple[str, ...]) -> None:
        if status == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            for wait in self._waits:
                wait.has_begun = False
            return
        self.n_reruns += 1
        if status == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
            self.errors.append(f"{self.page} does not compile")
        self.forget(run_id, fragments)
        for wait in self._waits:
            wait.n_others += not wait.has_begun
            if wait.done.done():
                continue
            if wait.has_begun:
                wait.done.set_result(None)
            elif wait.n_others >= MOST_OTHERS:
                wait.done.set_exception(RerunLostError(f"a rerun of {self.page} was lost"))

    def _set_timer(self, fragment_id: str, seconds: float) -> None:
        if self._timers.get(fragment_id, (None,))[0] == seconds:
            return
        self._stop_timers([fragment_id])
        task = asyncio.create_task(self._poll(fragment_id, seconds))
        self._timers[fragment_id] = (seconds, task)

    async def _poll(self, fragment_id: str, seconds: float) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                await asyncio.sleep(seconds)
                await self.send_rerun(fragment_id, is_auto_rerun=True)

    def _stop_timers(self, fragment_ids: Any = None) -> None:
        for fragment_id in list(self._timers) if fragment_ids is None else fragment_ids:
            if fragment_id in self._timers:
                self._timers.pop(fragment_id)[1].cancel()
