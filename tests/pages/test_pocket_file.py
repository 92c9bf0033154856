"""The pocket edition as a file of the server: built by the first request, kept by browsers."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from starlette.applications import Starlette

from pages.server.process.pocket_file import PocketFiles
from tests import own_loop


async def get(app: Starlette, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    """Return status, headers and body of one request."""
    sent = []
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": path, "root_path": "", "headers": named}
    scope |= {"raw_path": path.encode(), "query_string": b"", "scheme": "http", "server": ("a", 80)}
    scope["asgi"] = {"version": "3.0", "spec_version": "2.4"}  # as uvicorn's

    async def receive() -> dict:
        return {"type": "http.disconnect"}

    async def send(message: dict) -> None:
        sent.append(message)

    await app(scope, receive, send)
    body = b"".join(message.get("body", b"") for message in sent[1:]).decode()
    return sent[0]["status"], {k.decode(): v.decode() for k, v in sent[0]["headers"]}, body


def maker(folder: Path, code: str) -> PocketFiles:
    program = f"import pathlib; folder = pathlib.Path({str(folder)!r}); {code}"
    return PocketFiles(folder, [sys.executable, "-c", program])


async def asked_until_done(app: Starlette, files: PocketFiles, path: str):
    first = await get(app, path)
    if files._building is not None:
        await files._building
    return first, await get(app, path)


def test_the_first_request_builds_the_file_and_the_next_one_has_it(tmp_path: Path):
    files = maker(tmp_path, "(folder / 'pocket.de.html').write_text('the file')")
    app = Starlette(routes=files.routes)

    async def scenario():
        first, second = await asked_until_done(app, files, "/pocket.de.html")
        again = await get(app, "/pocket.de.html", if_none_match=second[1]["etag"])
        return first, second, again

    first, second, again = own_loop.run(scenario())
    assert first[0] == 503 and "wird gerade gebaut" in first[2]
    assert 'http-equiv="refresh"' in first[2]
    assert first[1]["cache-control"] == "no-store"
    assert second[::2] == (200, "the file")
    assert second[1]["cache-control"] == "public, max-age=86400"
    assert second[1]["content-type"].startswith("text/html")
    assert (again[0], again[2]) == (304, "")


@pytest.mark.parametrize(
    "build", [(sys.executable, "-c", "raise SystemExit('no room on this disk')"), ["/no/such"]]
)
def test_where_it_can_not_be_built_the_page_says_so_and_it_is_not_tried_again(
    tmp_path: Path, build: Sequence[str]
):
    files = PocketFiles(tmp_path, build)
    app = Starlette(routes=files.routes)
    _, (status, _, body) = own_loop.run(asked_until_done(app, files, "/pocket.html"))
    assert status == 503 and "could not be built" in body and "refresh" not in body
    assert files._building is None
    (tmp_path / "pocket.html").write_text("an old one")
    os.utime(tmp_path / "pocket.html", (0, 0))
    assert own_loop.run(get(app, "/pocket.html"))[2] == "an old one"


def test_a_file_older_than_its_sources_is_built_again(tmp_path: Path):
    file = tmp_path / "pocket.html"
    file.write_text("old")
    os.utime(file, (0, 0))
    files = maker(tmp_path, "(folder / 'pocket.html').write_text('new')")
    app = Starlette(routes=files.routes)
    first, second = own_loop.run(asked_until_done(app, files, "/pocket.html"))
    assert (first[0], second[2]) == (503, "new")


@pytest.mark.parametrize("path", ["/pocket.fr.html", "/pocket.html/x"])
def test_no_other_file_is_given(tmp_path: Path, path: str):
    app = Starlette(routes=maker(tmp_path, "pass").routes)
    assert own_loop.run(get(app, path))[0] == 404
