"""Where rooms are kept: records of text under a room, in SQLite.

A record is found by its room's code, its kind and its key. What the kinds and texts mean is said
in rooms.py; a store only keeps them, and keeps its bounds when several processes write at once.
RedisStore (redis_store.py) offers the same for several hosts.
"""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Protocol, runtime_checkable

BUSY_SECONDS = 5.0  # that a write waits in all, for other threads and for other processes
WIPE_SECONDS = 0.2  # that overwriting waits for readers, while writers wait for it

_TABLES = """
PRAGMA journal_mode = WAL;      -- readers don't wait for a writer
PRAGMA synchronous = NORMAL;    -- a killed process loses nothing; a power cut may lose seconds
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;      -- what is deleted is overwritten, not only unlisted
CREATE TABLE IF NOT EXISTS rooms (code TEXT PRIMARY KEY, seen REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS records (
  code TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE,
  kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (code, kind, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counts (name TEXT PRIMARY KEY, until REAL NOT NULL, n INTEGER NOT NULL)
  WITHOUT ROWID;
"""
# The log has what was deleted until it is emptied, which waits for readers of an older state. The
# file has copies of records that SQLite once moved from page to page, which `secure_delete` does
# not find: of 400 dropped sentences one was still there. VACUUM writes the file anew without them,
# in 2 ms for 600 sentences. The last line brings what VACUUM wrote from the log into the file.
_WIPE = ("PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")

Name = tuple[str, str]  # of a record in its room: kind and key


class StoreGoneError(RuntimeError):
    """The store can't be reached or written."""


class NoSuchRoomError(LookupError):
    """There is no room by this code, or it has ended."""


@runtime_checkable
class RoomStore(Protocol):
    """What rooms need of a store. Each method raises StoreGoneError if it can't be reached."""

    def create(self, code: str, seen: float, *, most: int) -> bool:
        """Make an empty room; return False if the code is taken or there are `most` rooms."""

    def rooms(self) -> dict[str, float]:
        """Return the codes of all rooms, each with when it was last seen (seconds since 1970)."""

    def touch(self, code: str, seen: float, lives_seconds: float) -> None:
        """Note that a room was seen; without another touch it may end `lives_seconds` later."""

    def end(self, code: str) -> None:
        """Delete a room with all its records; one that is gone already is no error."""

    def wipe(self) -> bool:
        """Overwrite what was deleted where the store keeps it; return False if that must wait."""

    def put(
        self,
        code: str,
        kind: str,
        key: str,
        value: str,
        *,
        most: int,
        most_each: int | None = None,
        needs: Name | None = None,
    ) -> bool:
        """Write a record, in place of one with the same key.

        Returns False, and writes nothing, if it would be one more than `most` of its kind, or than
        `most_each` of those whose keys begin like its own until "/"; or if there is no record
        `needs`. Raises NoSuchRoomError if there is no such room.
        """

    def drop(self, code: str, kind: str, key: str, *, with_kind: str = "") -> bool:
        """Delete a record and all records of another kind at once; return whether it was there."""

    def get(self, code: str, kind: str, key: str) -> str | None:
        """Return one record's text; None if there is none."""

    def all(self, code: str, kind: str) -> dict[str, str]:
        """Return all records of a kind by their keys."""

    def count(self, name: str, seconds: float, add: int = 1) -> int:
        """Count `add` more under this name; return how many in the `seconds` since the first."""

    def close(self) -> None:
        """Close the connections."""


class SqliteStore:
    """Rooms in a SQLite file that the processes of one host share, or in memory for one."""

    def __init__(self, path: str = ":memory:") -> None:
        """Open or make the file. Raises StoreGoneError if it can't be."""
        self._path, is_file = path, path != ":memory:"
        # How often something was deleted, and of these how often before it was overwritten. A file
        # may have what a process that was killed has deleted.
        self._n_deleted, self._n_wiped = int(is_file), 0
        with _said_plainly():
            if is_file:  # SQLite gives its other files the same rights
                Path(path).touch(mode=0o600)
            self._writer = _Connection(path)
            self._writer.open.executescript(_TABLES)
            # A connection of their own: a writer that waits has the other one meanwhile.
            self._reader = _Connection(path) if is_file else self._writer

    def create(self, code: str, seen: float, *, most: int) -> bool:
        """Make an empty room; return False if the code is taken or there are `most` rooms."""
        with self._writing() as connection:
            made = connection.execute(
                "INSERT OR IGNORE INTO rooms SELECT ?, ? WHERE (SELECT COUNT(*) FROM rooms) < ?",
                (code, seen, most),
            )
            return made.rowcount == 1

    def rooms(self) -> dict[str, float]:
        """Return the codes of all rooms, each with when it was last seen (seconds since 1970)."""
        return dict(self._read("SELECT code, seen FROM rooms"))

    def touch(self, code: str, seen: float, lives_seconds: float) -> None:
        """Note that a room was seen; rooms.py ends those that nobody saw for long."""
        with self._writing() as connection:
            connection.execute("UPDATE rooms SET seen = max(seen, ?) WHERE code = ?", (seen, code))

    def end(self, code: str) -> None:
        """Delete a room with all its records; one that is gone already is no error."""
        with self._writing() as connection:
            connection.execute("DELETE FROM rooms WHERE code = ?", (code,))
            self._n_deleted += 1

    def wipe(self) -> bool:
        """Overwrite what was deleted, in the file and its log; return False if that must wait.

        It has a connection of its own, since it gives up sooner than a writer.
        """
        n_deleted = self._n_deleted
        if self._path == ":memory:" or n_deleted == self._n_wiped:
            return True
        file = f"{Path(self._path).absolute().as_uri()}?mode=rw"  # makes none that is gone
        with (
            _said_plainly(),
            closing(sqlite3.connect(file, WIPE_SECONDS, isolation_level=None, uri=True)) as own,
            suppress(sqlite3.OperationalError),  # locked, or no space for another copy
        ):
            own.execute("PRAGMA temp_store = MEMORY")  # no copy in another file
            own.execute("SELECT COUNT(*) FROM rooms").fetchone()  # opens the log
            if not any(is_busy for one in _WIPE for is_busy, *_ in own.execute(one)):
                self._n_wiped = n_deleted
        return self._n_wiped == n_deleted

    def put(
        self,
        code: str,
        kind: str,
        key: str,
        value: str,
        *,
        most: int,
        most_each: int | None = None,
        needs: Name | None = None,
    ) -> bool:
        """Write a record, unless it is one too many or `needs` another that isn't there.

        Raises NoSuchRoomError.
        """
        needed = "SELECT 1 FROM records WHERE code = ? AND kind = ? AND key = ?"
        with self._writing() as connection:
            if needs and not connection.execute(needed, (code, *needs)).fetchone():
                return False
            known = connection.execute(
                "UPDATE records SET value = ? WHERE code = ? AND kind = ? AND key = ?",
                (value, code, kind, key),
            )
            if known.rowcount:
                return True
            of_kind = "SELECT COUNT(*) FROM records WHERE code = ? AND kind = ?"
            if connection.execute(of_kind, (code, kind)).fetchone()[0] >= most:
                return False
            if most_each is not None:
                like_it = (code, kind, f"{key.partition('/')[0]}/")
                alike = connection.execute(f"{of_kind} AND instr(key, ?) = 1", like_it)
                if alike.fetchone()[0] >= most_each:
                    return False
            try:
                connection.execute(
                    "INSERT INTO records VALUES (?, ?, ?, ?)", (code, kind, key, value)
                )
            except sqlite3.IntegrityError:
                raise NoSuchRoomError(code) from None
            return True

    def drop(self, code: str, kind: str, key: str, *, with_kind: str = "") -> bool:
        """Delete a record and all records of another kind at once; return whether it was there."""
        with self._writing() as connection:
            connection.execute("DELETE FROM records WHERE code = ? AND kind = ?", (code, with_kind))
            dropped = connection.execute(
                "DELETE FROM records WHERE code = ? AND kind = ? AND key = ?", (code, kind, key)
            )
            self._n_deleted += 1
            return dropped.rowcount == 1

    def get(self, code: str, kind: str, key: str) -> str | None:
        """Return one record's text; None if there is none."""
        asked = "SELECT value FROM records WHERE code = ? AND kind = ? AND key = ?"
        return next((value for (value,) in self._read(asked, code, kind, key)), None)

    def all(self, code: str, kind: str) -> dict[str, str]:
        """Return all records of a kind by their keys."""
        asked = "SELECT key, value FROM records WHERE code = ? AND kind = ?"
        return dict(self._read(asked, code, kind))

    def count(self, name: str, seconds: float, add: int = 1) -> int:
        """Count `add` more under this name; return how many in the `seconds` since the first."""
        now = time.time()
        with self._writing() as connection:
            # One that ends later than a new one would was begun before the clock was put back.
            connection.execute(
                "DELETE FROM counts WHERE until <= ? OR (name = ? AND until > ?)",
                (now, name, now + seconds),
            )
            (n,) = connection.execute(
                "INSERT INTO counts VALUES (?, ?, ?)"
                " ON CONFLICT (name) DO UPDATE SET n = n + excluded.n RETURNING n",
                (name, now + seconds, add),
            ).fetchone()
            return n

    def close(self) -> None:
        """Close the file."""
        self._reader.open.close()
        self._writer.open.close()

    def _read(self, asked: str, *values: object) -> list[tuple]:
        with self._reader.turn() as connection:
            return connection.execute(asked, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for one transaction, which waits for those of other processes."""
        with self._writer.turn() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise


class _Connection:
    """A connection that threads use in turn; each waits BUSY_SECONDS in all, not one by one."""

    def __init__(self, path: str) -> None:
        self.open = sqlite3.connect(
            path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._lock, self._n_gave_up = threading.Lock(), 0

    @contextmanager
    def turn(self) -> Iterator[sqlite3.Connection]:
        """Give the connection. Raises StoreGoneError, also where the thread before gave up."""
        until, n_gave_up = time.monotonic() + BUSY_SECONDS, self._n_gave_up
        if not self._lock.acquire(timeout=BUSY_SECONDS):
            raise StoreGoneError("SQLite: other threads wait for the file")
        with _said_plainly():
            try:
                if self._n_gave_up != n_gave_up:
                    raise StoreGoneError("SQLite: another thread waited for the file in vain")
                left = max(until - time.monotonic(), 0.0)
                self.open.execute(f"PRAGMA busy_timeout = {1000 * left:.0f}")
                yield self.open
            except sqlite3.Error:
                self._n_gave_up += 1
                raise
            finally:
                self._lock.release()


@contextmanager
def _said_plainly() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StoreGoneError(f"SQLite: {error}") from error
