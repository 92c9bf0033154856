"""A run that can be watched: one small piece of work after another, and a snapshot after each.

Read before this: snapshot.py.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Generic, TypeVar

from mlm_core.finetuning.snapshot import RunSnapshot

SnapshotOfRun = TypeVar("SnapshotOfRun", bound=RunSnapshot)


class WatchedRun(Generic[SnapshotOfRun]):
    """A run and its state. Making it costs nothing; `go_on` does the work."""

    def __init__(
        self, snapshot: SnapshotOfRun, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.snapshot, self._clock = snapshot, clock
        self._snapshots = self._go_on()

    def go_on(self) -> Iterator[SnapshotOfRun]:
        """Return the one stream of snapshots; a second call continues it.

        Raises ValueError if there is nothing to learn from, NonFiniteLossError if the training
        diverges.
        """
        return self._snapshots

    def _go_on(self) -> Iterator[SnapshotOfRun]:
        work = self._work()
        while True:
            begun = self._clock()
            changes = next(work, None)
            if changes is None:
                return
            seconds = self.snapshot.seconds + self._clock() - begun
            if not (self.snapshot.step or changes.get("step")):
                changes["seconds_before"] = seconds
            self.snapshot = replace(self.snapshot, seconds=seconds, **changes)
            yield self.snapshot

    def _work(self) -> Iterator[dict]:
        """Yield after each piece of work the changed fields of the snapshot."""
        raise NotImplementedError
