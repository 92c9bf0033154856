"""Bound what a connection takes below messages: frames, unread answers, requests that never come.

Upstream: `WebSocketsSansIOProtocol` (uvicorn/protocols/websockets/websockets_sansio_impl.py). It
parses all that came in one go, 256 kB, before anybody sees a message: 40,000 frames of nothing. It
answers every ping, also where nobody reads the answers; and a closed connection stays until its
browser has read the rest. A tab that read nothing had 500 messages waiting in Streamlit.
Worth it, measured beside one learner, 1 MB/s for 12 seconds: with pings on one connection a change
took 8.4 s, with empty parts of one message 18 s, with empty messages on 56 connections no answer
came at all; now 0.2 s, and each of these connections is closed at once.

A connection that sends no request, or only the beginning of one, stayed until its client closed it
(`H11Protocol`, uvicorn/protocols/http/h11_impl.py): a few thousand take all file handles.

Read before this: door.py, which bounds whole messages.
"""

import time
from asyncio import Transport
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING

from uvicorn.protocols.http.h11_impl import H11Protocol, h11
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from pages.server.process import streamlit_patches

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

READ_BYTES = 4_096  # parsed in one go: 680 frames at most
# Frames of a connection. A browser sends a message as one or a few; the door reads 25 a second.
# Of those that waited unread 256 kB come at once: 500 of the smallest that a page sends.
BURST, PER_SECOND = 500.0, 50.0
# Of all connections; a page is 80 to 280 kB, so half of a class may leave ten of them unread.
MOST_UNREAD_BYTES = 48_000_000
UNREAD_BYTES = 100_000  # of one connection, below which nothing is added up
HEAD_SECONDS = 10.0  # for the head of a request; between two, uvicorn waits five for the next


class Connection(WebSocketsSansIOProtocol):
    """A connection that is cut when it sends too many frames, or leaves most of all unread."""

    _frames_left, _counted_at = BURST, 0.0

    def data_received(self, data: bytes) -> None:
        """Parse what came, in small pieces."""
        for start in range(0, len(data), READ_BYTES):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + READ_BYTES])

    def handle_events(self) -> None:
        """Handle the frames of a piece, or cut the connection if these are too many."""
        now = time.monotonic()
        regained = self._frames_left + PER_SECOND * (now - self._counted_at)
        self._frames_left = min(BURST, regained) - len(self.conn.events)
        self._counted_at = now
        if self._frames_left < 0:
            self.cut()
        else:
            super().handle_events()

    def pause_writing(self) -> None:
        """Let nobody wait for a browser that reads slowly: all that it leaves unread is counted."""

    async def send(self, message: "ASGISendEvent") -> None:
        """Send a message; of all connections the one that left most unread may be cut."""
        await super().send(message)
        if self.transport.get_write_buffer_size() > UNREAD_BYTES:
            unread = {
                one: one.transport.get_write_buffer_size()
                for one in self.connections
                if isinstance(one, Connection)
            }
            if sum(unread.values()) > MOST_UNREAD_BYTES:
                max(unread, key=unread.__getitem__).cut()

    def keepalive_timeout(self) -> None:
        """Cut a connection whose browser answers no ping."""
        self.cut()

    def cut(self) -> None:
        """End the connection at once, with all that it has not read and all that it has sent."""
        while not self.queue.empty():
            self.queue.get_nowait()
        self.transport.abort()

    async def run_asgi(self) -> None:
        """Serve the connection; when that has ended, do not wait for its last bytes for ever."""
        await super().run_asgi()
        self.loop.call_later(self.close_timeout, self.transport.abort)


def make_connection(original: Callable) -> Callable:
    """Return what stands for `WebSocketsSansIOProtocol.__init__`."""

    @wraps(original)
    def init(self: WebSocketsSansIOProtocol, *args: object, **more: object) -> None:
        original(self, *args, **more)
        self.__class__ = Connection

    return init


def close_without_request(original: Callable) -> Callable:
    """Return what stands for `H11Protocol.connection_made`."""

    @wraps(original)
    def connection_made(self: H11Protocol, transport: Transport) -> None:
        original(self, transport)
        self.loop.call_later(HEAD_SECONDS, _look_for_request, self, None)

    return connection_made


def _look_for_request(self: H11Protocol, before: object) -> None:
    """Cut a connection that has no request, and had none since `before`."""
    if self not in self.connections:  # it was closed, or is a websocket's now
        return
    if self.cycle is before and self.conn.their_state is h11.IDLE:
        self.transport.abort()
    else:
        self.loop.call_later(HEAD_SECONDS, _look_for_request, self, self.cycle)


def install() -> None:
    """Let each websocket's connection be a `Connection`, and close those without a request.

    uvicorn has chosen its classes before it imports the app, which so cannot give it other ones.
    """
    streamlit_patches.replace(WebSocketsSansIOProtocol, "__init__", make_connection)
    streamlit_patches.replace(H11Protocol, "connection_made", close_without_request)
