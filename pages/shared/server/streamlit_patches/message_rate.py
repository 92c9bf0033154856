"""Read a connection's messages no faster than a person sends them.

Upstream: the loop of `_websocket_endpoint` (web/server/starlette/starlette_websocket.py) takes a
message as soon as the last one was handed on. One connection that sends without a pause keeps the
event loop busy, and every other visit waits for it.
A connection may send a burst, then `PER_SECOND` units a second: a message is one unit, and one
more for each `UNIT_BYTES`, five at most. What comes faster waits in its own connection, nothing is
lost. A slider that is dragged sends some ten messages a second, of 5 to 15 kB each, and a run's
timer one; each message holds all fields, up to 900 kB with a long text of one's own.
Worth it, measured with `make load LOAD="attack attacks=messages seconds=45"`, fifteen learners
beside two such connections: a change took 1,938 ms (p50) and 3,266 (p95); with this 39 and 437.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TYPE_CHECKING

from pages.shared.server import streamlit_patches

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

BURST, PER_SECOND = 60.0, 25.0  # units
UNIT_BYTES = 20_000
MOST_FOR_BYTES = 4.0  # units
ALLOWANCE = "mlm_allowance"  # of a connection: units that are left, and when that was


def wait_seconds(left: float, then: float, now: float, n_bytes: int) -> tuple[float, float]:
    """Return how long a message has to wait, and how many units are left after it.

    >>> wait_seconds(60.0, 0.0, 1.0, 20_000)
    (0.0, 58.0)
    >>> wait_seconds(0.0, 0.0, 0.0, 2_000_000)
    (0.2, -5.0)
    """
    left = min(BURST, left + (now - then) * PER_SECOND)
    left -= 1 + min(MOST_FOR_BYTES, n_bytes / UNIT_BYTES)
    return max(0.0, -left / PER_SECOND), left


def read_slowly(original: Callable[..., Awaitable[bytes]]) -> Callable[..., Awaitable[bytes]]:
    """Return what stands for `WebSocket.receive_bytes`."""

    @wraps(original)
    async def receive_bytes(self: "WebSocket") -> bytes:
        data = await original(self)
        left, then = getattr(self, ALLOWANCE, (BURST, 0.0))
        now = time.monotonic()
        seconds, left = wait_seconds(left, then, now, len(data))
        setattr(self, ALLOWANCE, (left, now))
        if seconds:
            await asyncio.sleep(seconds)
        return data

    return receive_bytes


def install() -> None:
    """Replace `receive_bytes` of the websockets that Streamlit's server reads."""
    from starlette.websockets import WebSocket

    streamlit_patches.replace(WebSocket, "receive_bytes", read_slowly)
