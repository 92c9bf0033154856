"""Which files each visit holds: its newest.

Streamlit keeps every file that is sent, asked for or not, until the visit ends. To refuse one would
lock out a learner who tries several versions.
Read before this: door.py.
"""

import re
from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Of one visit. One file has 5 MB at most (server.maxUploadSize), so the two newest always fit.
MOST_BYTES = 12_000_000
MOST_FILES = 12
MOST_VISITS = 2_000  # whose files and pages are known; of those long gone Streamlit has none
UPLOAD = re.compile(r"(?P<folder>.*/_stcore/upload_file/(?P<visit>[^/]+)/)(?P<file>[^/]+)")


class VisitsFiles:
    """Which files each visit holds, and how large they are."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app
        self._visits: OrderedDict[str, OrderedDict[str, int]] = OrderedDict()

    async def serve(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Let a file be kept or removed, and drop the visit's oldest ones that are too many."""
        n_bytes, is_done = 0, False

        async def count() -> "Message":
            nonlocal n_bytes
            message = await receive()
            n_bytes += len(message.get("body", b""))
            return message

        async def look(message: "Message") -> None:
            nonlocal is_done
            if message["type"] == "http.response.start":
                is_done = message["status"] < 300
            await send(message)

        await self._app(scope, count, look)
        named = UPLOAD.fullmatch(scope["path"])
        if not is_done or named is None:
            return
        if scope["method"] == "DELETE":
            self.forget(named["visit"], named["file"])
        else:
            for file in self.note(named["visit"], named["file"], n_bytes):
                await self._drop(scope, named["folder"] + file)

    async def _drop(self, scope: "Scope", path: str) -> None:
        """Ask Streamlit to forget a file, as the browser that has sent it would."""

        async def nothing() -> "Message":
            return {"type": "http.request", "body": b"", "more_body": False}

        async def ignore(message: "Message") -> None:
            pass

        asked = {"method": "DELETE", "path": path, "raw_path": path.encode()}
        await self._app({**scope, **asked}, nothing, ignore)

    def note(self, visit: str, file: str, n_bytes: int) -> Iterator[str]:
        """Note a visit's newest file; yield the oldest ones that are too many beside it."""
        files = self._visits.setdefault(visit, OrderedDict())
        self._visits.move_to_end(visit)
        if len(self._visits) > MOST_VISITS:
            self._visits.popitem(last=False)
        files[file] = n_bytes
        files.move_to_end(file)
        while len(files) > 1 and (sum(files.values()) > MOST_BYTES or len(files) > MOST_FILES):
            yield files.popitem(last=False)[0]

    def forget(self, visit: str, file: str) -> None:
        """Count a file no more that its browser removed."""
        self._visits.get(visit, {}).pop(file, None)
