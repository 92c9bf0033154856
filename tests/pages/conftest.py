"""What the tests share: the files that a page offers, and a redis-server with rooms of pages."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest
import streamlit as st

from pages.server.classroom.redis_store import RedisStore
from pages.server.classroom.store import StoreGoneError
from pages.server.room import server_rooms
from tests.deploy.site import find_redis
from tests.waiting import PATIENCE


@pytest.fixture
def offered_files(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Give the files that a page offers, by name; None for one that can't be saved yet."""
    offered, draw = {}, st.download_button

    def keep(label: str, data: Any, **more: Any) -> bool:
        offered[more["file_name"]] = None if more.get("disabled") else data
        return draw(label, data, **more)

    monkeypatch.setattr(st, "download_button", keep)
    return offered


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    program = find_redis()
    if program is None:
        pytest.skip("no redis-server here; `make test` unpacks Debian's and Ubuntu's")
    path, environment = program
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    process = subprocess.Popen(
        [path, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
        env=os.environ | environment,
        cwd=tmp_path_factory.mktemp("redis"),
        stdout=subprocess.DEVNULL,
    )
    url, stop_at = f"redis://127.0.0.1:{port}/0", time.monotonic() + PATIENCE
    while True:
        try:
            RedisStore(url).close()
            break
        except StoreGoneError:
            assert time.monotonic() < stop_at and process.poll() is None
            time.sleep(0.05)
    yield url
    process.terminate()
    process.wait(PATIENCE)


@pytest.fixture
def rooms_of_its_own(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give a server that has no rooms yet, and keeps those of this test in memory."""
    monkeypatch.delenv(server_rooms.SETTING, raising=False)
    server_rooms.forget()
    yield
    server_rooms.forget()


@pytest.fixture(params=["memory", "redis"])
def either_store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the pages' rooms in memory, and then the same test with Redis."""
    if request.param == "redis":
        request.getfixturevalue("rooms_in_redis")


@pytest.fixture
def rooms_in_redis(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the pages' rooms in Redis."""
    monkeypatch.setenv(server_rooms.SETTING, redis_url)
    server_rooms.forget()
