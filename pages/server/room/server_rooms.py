"""The rooms that this server knows. `MLM_ROOMS` says where they are kept.

not set            in memory, for one process
a path             a SQLite file, for the processes of one host
redis://host/0     a Redis server, for several hosts (rediss:// over TLS, unix:///path by a socket)
"""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from pages.server.caches import cache_training
from pages.server.classroom.redis_store import RedisStore
from pages.server.classroom.rooms import Rooms
from pages.server.classroom.store import NoSuchRoomError, SqliteStore, StoreGoneError

REST_SECONDS = 10.0  # a store that is gone isn't asked again before: each page would wait for it
SETTING = "MLM_ROOMS"
Answer = TypeVar("Answer")

logger = logging.getLogger("mlm_app")


class _Held:
    """The rooms of this process; in none of Streamlit's caches, which any browser can clear."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.rooms: Rooms | None = None
        self.gone_until = 0.0


_held = _Held()


@contextmanager
def server_rooms() -> Iterator[Rooms]:
    """Give the rooms. Raises StoreGoneError when they can't be reached, or couldn't just now."""
    rooms = _rooms()
    with _noted():
        yield rooms


def asked(ask: Callable[[Rooms], Answer]) -> Answer | None:
    """Return what the rooms answer; None where the room has ended or they can't be reached.

    The banner, or the teacher's bar, says so.
    """
    try:
        with server_rooms() as rooms:
            return ask(rooms)
    except (NoSuchRoomError, StoreGoneError):
        return None


def _rooms() -> Rooms:
    # Checked under the lock: a thread that waited while another one tried to open the store in vain
    # does not try again.
    with _held.lock:
        if time.monotonic() < _held.gone_until:
            raise StoreGoneError("the store of rooms was gone a moment ago")
        if _held.rooms is None:
            with _noted():
                _held.rooms = Rooms(open_store(os.environ.get(SETTING, "")))
        return _held.rooms


@contextmanager
def _noted() -> Iterator[None]:
    """Note where the store is gone, so that it rests."""
    try:
        yield
    except StoreGoneError as error:
        _held.gone_until = time.monotonic() + REST_SECONDS
        logger.warning("the store of rooms can't be reached: %s", error)
        raise


def end_old_rooms() -> None:
    """End the rooms that nobody has visited for three hours, if this server has any.

    Of rooms that have ended the encoder goes, too.
    """
    if _held.rooms is None and not os.environ.get(SETTING):
        return
    try:
        with server_rooms() as rooms:
            rooms.end_old_rooms()
            cache_training.forget_class_encoders(but=rooms.store.rooms())
    except StoreGoneError:
        pass  # it is in the log


def wipe() -> None:
    """Overwrite what was deleted from rooms, if that had to wait or nobody asked for it at once."""
    if _held.rooms is None:
        return
    try:
        with server_rooms() as rooms:
            rooms.store.wipe()
    except StoreGoneError:
        pass  # it is in the log


def forget() -> None:
    """Let go of the store, as a process that ends does. For tests."""
    with _held.lock:
        if _held.rooms is not None:
            _held.rooms.store.close()
        _held.rooms, _held.gone_until = None, 0.0


def open_store(where: str) -> RedisStore | SqliteStore:
    """Open the store of rooms that a value of MLM_ROOMS names."""
    if where.startswith(("redis://", "rediss://", "unix://")):
        return RedisStore(where)
    return SqliteStore(where or ":memory:")
