"""Rooms in Redis, for several hosts. Read before this: store.py.

Each kind of a room's records is one hash, `mlm:{CODE}:kind`; the braces keep a room together on
a cluster. Every key has a time to live, so a room ends also when no server of the app runs.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pages.server.classroom.store import Name, NoSuchRoomError, StoreGoneError

PATIENCE_SECONDS = 2.0  # for an answer
ROOMS = "mlm:rooms"  # sorted set: codes by when they were last seen
FIRST_SECONDS = 600  # that a new room lives without a touch

# Redis runs each script alone: no other command comes between its reads and its writes.
_CREATE = """
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
return redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1])
"""
_PUT = """
if redis.call('EXISTS', KEYS[2]) == 0 then return -1 end
if KEYS[3] and redis.call('HEXISTS', KEYS[3], ARGV[5]) == 0 then return 0 end
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
  if ARGV[4] ~= '' then
    local begins, left = string.match(ARGV[1], '^[^/]*') .. '/', tonumber(ARGV[4])
    for _, key in ipairs(redis.call('HKEYS', KEYS[1])) do
      if string.sub(key, 1, #begins) == begins then left = left - 1 end
    end
    if left <= 0 then return 0 end
  end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('SADD', KEYS[2], KEYS[1])
redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[2]), 1))
return 1
"""
_COUNT = """
local n = redis.call('INCRBY', KEYS[1], ARGV[2])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return n
"""


class RedisStore:
    """Rooms in a Redis server that several hosts share, by its address `redis://…`."""

    def __init__(self, url: str) -> None:
        """Connect. Raises StoreGoneError if nothing answers or redis-py isn't installed."""
        try:
            import redis
        except ImportError as error:
            raise StoreGoneError("redis-py is not installed: pip install redis") from error
        self._error = redis.RedisError
        with self._said_plainly():
            # redis-py's own types don't know that with decode_responses every answer is a str.
            self._redis: Any = redis.Redis.from_url(
                url,
                decode_responses=True,
                socket_timeout=PATIENCE_SECONDS,
                socket_connect_timeout=PATIENCE_SECONDS,
            )
            self._create = self._redis.register_script(_CREATE)
            self._put = self._redis.register_script(_PUT)
            self._count = self._redis.register_script(_COUNT)
            self._redis.ping()

    def create(self, code: str, seen: float, *, most: int) -> bool:
        """Make an empty room; return False if the code is taken or there are `most` rooms."""
        with self._said_plainly():
            if not self._create(keys=[ROOMS], args=[code, seen, most]):
                return False
            self._redis.sadd(_kinds(code), _kinds(code))
            self._redis.expire(_kinds(code), FIRST_SECONDS)
            return True

    def rooms(self) -> dict[str, float]:
        """Return the codes of all rooms, each with when it was last seen (seconds since 1970)."""
        with self._said_plainly():
            return dict(self._redis.zrange(ROOMS, 0, -1, withscores=True))

    def touch(self, code: str, seen: float, lives_seconds: float) -> None:
        """Note that a room was seen, and let all its keys live on."""
        with self._said_plainly():
            keys = self._redis.smembers(_kinds(code))
            with self._redis.pipeline() as together:
                together.zadd(ROOMS, {code: seen}, xx=True, gt=True)
                for key in keys:
                    together.expire(key, math.ceil(lives_seconds))
                together.execute()

    def end(self, code: str) -> None:
        """Delete a room with all its records; one that is gone already is no error."""
        with self._said_plainly():
            keys = self._redis.smembers(_kinds(code))
            self._redis.delete(_kinds(code), *keys)
            self._redis.zrem(ROOMS, code)

    def wipe(self) -> bool:
        """Do nothing: what Redis writes to a disk, and when anew, is set there."""
        return True

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
        with self._said_plainly():
            keys = [_hash(code, kind), _kinds(code)]
            values = [key, value, most, "" if most_each is None else most_each]
            if needs:
                keys, values = [*keys, _hash(code, needs[0])], [*values, needs[1]]
            done = int(self._put(keys=keys, args=values))
        if done < 0:
            raise NoSuchRoomError(code)
        return bool(done)

    def drop(self, code: str, kind: str, key: str, *, with_kind: str = "") -> bool:
        """Delete a record and all records of another kind at once; return whether it was there."""
        with self._said_plainly(), self._redis.pipeline() as together:
            together.hdel(_hash(code, kind), key)
            if with_kind:
                together.delete(_hash(code, with_kind))
                together.srem(_kinds(code), _hash(code, with_kind))
            return bool(together.execute()[0])

    def get(self, code: str, kind: str, key: str) -> str | None:
        """Return one record's text; None if there is none."""
        with self._said_plainly():
            return self._redis.hget(_hash(code, kind), key)

    def all(self, code: str, kind: str) -> dict[str, str]:
        """Return all records of a kind by their keys."""
        with self._said_plainly():
            return self._redis.hgetall(_hash(code, kind))

    def count(self, name: str, seconds: float, add: int = 1) -> int:
        """Count `add` more under this name; return how many in the `seconds` since the first."""
        with self._said_plainly():
            return int(self._count(keys=[f"mlm:count:{name}"], args=[int(1000 * seconds), add]))

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()

    @contextmanager
    def _said_plainly(self) -> Iterator[None]:
        try:
            yield
        except (self._error, OSError, ValueError) as error:
            # Not the error's own text: it may have the server's address with its password.
            raise StoreGoneError(f"Redis: {type(error).__name__}") from error


def _kinds(code: str) -> str:
    """Return the key of the set that names all keys of a room, itself among them."""
    return f"mlm:{{{code}}}:kinds"


def _hash(code: str, kind: str) -> str:
    return f"mlm:{{{code}}}:{kind}"
