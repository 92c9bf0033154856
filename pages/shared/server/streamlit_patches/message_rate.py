"""Read a connection's messages no faster than a person sends them.

Upstream: the loop of `_websocket_endpoint` (web/server/starlette/starlette_websocket.py) takes a
message as soon as the last one was handed on. One connection that sends without a pause keeps the
event loop busy, and every other visit waits for it.
A connection may send a burst, then `PER_SECOND` units a second: a message is one unit, and one
more for each `UNIT_BYTES`, five at most. What comes faster waits in its own connection, nothing is
lost. A slider that is dragged sends some ten messages a second, of 5 to 15 kB each, and a run's
timer one; each message holds all fields, up to 900 kB with a long text of one's own.
While all connections together send more than `ALL_PER_SECOND`, each may send a burst and then
`CROWDED_PER_SECOND`: a learner, who sends one a second, does not wait, and those that send most do.
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
ALL_BURST, ALL_PER_SECOND = 300.0, 150.0  # units of a process; a class of thirty sends 40 a second
CROWDED_PER_SECOND = 2.0
ALLOWANCE = "mlm_allowance"  # of a connection: units that are left, and when that was


def units_of(n_bytes: int) -> float:
    """Return how many units a message is.

    >>> units_of(20_000), units_of(2_000_000)
    (2.0, 5.0)
    """
    return 1 + min(MOST_FOR_BYTES, n_bytes / UNIT_BYTES)


def read_slowly(original: Callable[..., Awaitable[bytes]]) -> Callable[..., Awaitable[bytes]]:
    """Return what stands for `WebSocket.receive_bytes`."""
    left_for_all, last = ALL_BURST, 0.0

    @wraps(original)
    async def receive_bytes(self: "WebSocket") -> bytes:
        nonlocal left_for_all, last
        data = await original(self)
        now, units = time.monotonic(), units_of(len(data))
        left_for_all = min(ALL_BURST, left_for_all + (now - last) * ALL_PER_SECOND) - units
        left_for_all, last = max(-ALL_BURST, left_for_all), now
        per_second = CROWDED_PER_SECOND if left_for_all < 0 else PER_SECOND
        left, then = getattr(self, ALLOWANCE, (BURST, 0.0))
        left = min(BURST, left + (now - then) * per_second) - units
        setattr(self, ALLOWANCE, (left, now))
        if left < 0:
            await asyncio.sleep(-left / per_second)
        return data

    return receive_bytes


def install() -> None:
    """Replace `receive_bytes` of the websockets that Streamlit's server reads."""
    from starlette.websockets import WebSocket

    streamlit_patches.replace(WebSocket, "receive_bytes", read_slowly)
