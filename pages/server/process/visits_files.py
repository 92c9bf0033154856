"""Which files each visit holds, and all of them: the newest.

Streamlit keeps every file that is sent, asked for or not, until the visit ends. To refuse one would
lock out a learner who tries several versions, or a class whose neighbours send many. Pages read a
file as soon as it has come; one that made way before that is said to be gone (pages/kit/files.py).
Read before this: door.py.
"""

import re
from collections import OrderedDict
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from pages.server.process.process_memory import memory_bytes

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Of one visit. One file has 5 MB at most (server.maxUploadSize), so the two newest always fit.
MOST_BYTES = 12_000_000
MOST_FILES = 12
# Of all visits: a part of the memory that this process has or may still take, within these bounds.
PART_OF_MEMORY, LEAST_OF_ALL, MOST_OF_ALL = 0.05, 2 * MOST_BYTES, 80_000_000
MOST_FILES_OF_ALL = 2_000
MOST_VISITS = 2_000  # whose pages are known
UPLOAD = re.compile(r"(?P<folder>.*/_stcore/upload_file/)(?P<visit>[^/]+)/(?P<file>[^/]+)")

File = tuple[str, str]  # its visit and its id


@cache
def most_bytes_of_all() -> int:
    """Return how much the files of all visits may take, by the memory that there was at first."""
    from mlm_core.encoder.fetching import available_bytes  # with what only a model needs

    whole = memory_bytes() + available_bytes()
    return int(min(MOST_OF_ALL, max(LEAST_OF_ALL, PART_OF_MEMORY * whole)))


def is_held(visit: str, file: str) -> bool:
    """Return whether Streamlit still has a file; it drops those of a visit that ended."""
    from streamlit.runtime import Runtime

    return bool(Runtime.instance().uploaded_file_mgr.get_files(visit, [file]))


class VisitsFiles:
    """Which files there are, the oldest first, and how large they are."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app
        self._files: OrderedDict[File, int] = OrderedDict()

    async def serve(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Let a file be kept or removed, and drop the oldest ones that are too many."""
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
        sent = (named["visit"], named["file"])
        if scope["method"] == "DELETE":
            self._files.pop(sent, None)
        else:
            for visit, file in self.note(sent, n_bytes):
                await self._drop(scope, f"{named['folder']}{visit}/{file}")

    async def _drop(self, scope: "Scope", path: str) -> None:
        """Ask Streamlit to forget a file, as the browser that has sent it would."""

        async def nothing() -> "Message":
            return {"type": "http.request", "body": b"", "more_body": False}

        async def ignore(message: "Message") -> None:
            pass

        asked = {"method": "DELETE", "path": path, "raw_path": path.encode()}
        await self._app({**scope, **asked}, nothing, ignore)

    def note(self, sent: File, n_bytes: int) -> Iterator[File]:
        """Note the newest file; yield the oldest ones that are too many beside it.

        Those that went with their visit are not counted any more.
        """
        for one in [one for one in self._files if not is_held(*one)]:
            del self._files[one]
        self._files.pop(sent, None)
        self._files[sent] = n_bytes
        while too_old := self._too_old(sent):
            del self._files[too_old]
            yield too_old

    def _too_old(self, sent: File) -> File | None:
        """Return a file that makes way: of the same visit, or the oldest of all; None for none."""
        of_visit = [one for one in self._files if one[0] == sent[0]]
        n_bytes = sum(self._files[one] for one in of_visit)
        if len(of_visit) > MOST_FILES or n_bytes > MOST_BYTES:
            oldest = of_visit[0]
        elif (
            len(self._files) > MOST_FILES_OF_ALL or sum(self._files.values()) > most_bytes_of_all()
        ):
            oldest = next(iter(self._files))
        else:
            return None
        return None if oldest == sent else oldest
