"""The pocket edition as files of this server: /pocket.html and /pocket.de.html.

`make pocket` builds them. Where nobody has, the first request does, in a process of its own: it
takes some ten seconds, and no start waits for it. Until then a page says so and asks again. A file
that is older than its sources is built again. A browser keeps a file for a day, then it asks
whether it has changed.

Read before this: ../../../pocket/build.py.
"""

import asyncio
import html
import logging
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from pages.server.course.words import read_words

logger = logging.getLogger("mlm_app")

ROOT = Path(__file__).parents[3]
LANGUAGES = {"pocket.html": "en", "pocket.de.html": "de"}
BUILD = (sys.executable, "-m", "pocket.build")
SOURCES = ("pocket/**/*.*", "mlm_core/figures/**/*.py", "pages/server/figures/*.js")
KEPT_SECONDS, AGAIN_SECONDS = 86_400, 5


class PocketFiles:
    """Serves the files of a folder, and builds them once where they are missing or old."""

    def __init__(self, folder: Path = ROOT / "dist", build: Sequence[str] = BUILD) -> None:
        self._folder, self._build = folder, build
        self._files = StaticFiles(directory=folder, check_dir=False)
        self._building: asyncio.Task | None = None
        self._has_failed = False

    @property
    def routes(self) -> list[Route]:
        """Return what st.App serves beside the app."""
        return [Route(f"/{name}", self._serve) for name in LANGUAGES]

    async def _serve(self, request: Request) -> Response:
        name = request.url.path.rpartition("/")[2]
        if self._is_current(name):
            response = await self._files.get_response(name, request.scope)
            response.headers["Cache-Control"] = f"public, max-age={KEPT_SECONDS}"
            # Else Streamlit compresses all 17 MB again for each reader, in the thread of all pages.
            response.headers["Content-Encoding"] = "identity"
            return response
        if self._building is None and not self._has_failed:
            self._building = asyncio.create_task(self._make())
        return self._wait(LANGUAGES[name])

    def _is_current(self, name: str) -> bool:
        file, language = self._folder / name, LANGUAGES[name]
        if not file.is_file() or self._has_failed:  # then an old file is better than none
            return file.is_file()
        words = (f"pages/text/{language}/*.md", f"pages/lessons/*/{language}/*.md")
        sources = chain.from_iterable(map(ROOT.glob, (*SOURCES, *words)))
        return all(
            file.stat().st_mtime >= one.stat().st_mtime for one in sources if one.suffix != ".pyc"
        )

    async def _make(self) -> None:
        try:
            process = await asyncio.create_subprocess_exec(
                *self._build,
                cwd=ROOT,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
            )
            _, errors = await process.communicate()
            self._has_failed = process.returncode != 0
        except OSError as error:  # as where no process may be started
            self._has_failed, errors = True, str(error).encode()
        self._building = None
        if self._has_failed:
            logger.error("the pocket edition was not built: %s", errors.decode()[-500:])

    def _wait(self, language: str) -> Response:
        said = read_words("pocket", language).plain("not_there" if self._has_failed else "building")
        again = "" if self._has_failed else f'<meta http-equiv="refresh" content="{AGAIN_SECONDS}">'
        page = f'<!doctype html><html lang="{language}"><meta charset="utf-8">{again}'
        page += f"<title>Unmask</title><p>{html.escape(said)}</p></html>"
        headers = {"Cache-Control": "no-store", "Retry-After": str(AGAIN_SECONDS)}
        return HTMLResponse(page, status_code=503, headers=headers)
