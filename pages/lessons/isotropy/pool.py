"""Vectors that several visitors read together, block by block, whatever each of them has drawn."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from mlm_core.shapes import Tensor
from pages.kit.remember import long_work_lock

BLOCK = 60  # things between two moves of a progress bar

Progress = Callable[[int, int], None]  # (done, of)


@dataclass
class Pool:
    """Vectors of things, such as words in sentences; a vector that is there never changes."""

    things: Sequence
    read: Callable[[Sequence], Tensor]  # vectors [way thing hidden] of some of them
    dtype: torch.dtype | None = None  # in which vectors are kept; None: as they are read
    vectors: Tensor | None = None  # [way number hidden], once the first are read
    known: set[int] = field(default_factory=set)  # the numbers of those that are read
    lock: threading.Lock = field(default_factory=threading.Lock)

    def fill(self, numbers: Sequence[int], on_progress: Progress | None = None) -> None:
        """Read what is missing of these numbers. Raises ValueError if there are none."""
        if not numbers:
            raise ValueError("no text that this model can read: write at least two sentences")
        while any(number not in self.known for number in numbers):
            with self.lock:
                self._read_block(numbers)
            if on_progress is not None:
                on_progress(sum(number in self.known for number in numbers), len(numbers))

    def take(self, way: int, numbers: Sequence[int]) -> Tensor:
        """Return the vectors of these numbers in one way [number hidden]; read what is missing.

        Raises ValueError if there are none.
        """
        self.fill(numbers)
        assert self.vectors is not None
        return self.vectors[way].index_select(0, torch.tensor(numbers)).float()

    def _read_block(self, numbers: Sequence[int]) -> None:
        block = [number for number in numbers if number not in self.known][:BLOCK]
        if not block:
            return  # another visitor has read it meanwhile
        with long_work_lock():
            found = self.read([self.things[number] for number in block])
        if self.vectors is None:
            sizes = (len(found), len(self.things), found.shape[-1])
            self.vectors = found.new_empty(sizes, dtype=self.dtype)
        self.vectors[:, block] = found.to(self.vectors.dtype)
        self.known.update(block)


@dataclass
class KeptPools:
    """Pools with what was drawn for them, up to so many bytes in all.

    The least lately used are let go first: a bound of entries would hold a class with a small
    model, or many visits with a large one, but not both.
    """

    most_bytes: int
    kept: dict[tuple[str, ...], tuple[Any, Pool]] = field(default_factory=dict)  # newest last
    lock: threading.Lock = field(default_factory=threading.Lock)

    def of(self, key: tuple[str, ...], make: Callable[[], tuple[Any, Pool]]) -> tuple[Any, Pool]:
        """Return what is kept under a key, which has the text, or what `make` returns."""
        made = self.kept.get(key) or make()
        with self.lock:
            made = self.kept.pop(key, made)  # somebody else's, who was faster
            self.kept[key] = made
            while self._n_bytes() > self.most_bytes and len(self.kept) > 1:
                del self.kept[next(iter(self.kept))]
        return made

    def _n_bytes(self) -> int:
        read = [pool.vectors for _, pool in self.kept.values()]
        of_keys = sum(len(text) for key in self.kept for text in key)
        return of_keys + sum(vectors.nbytes for vectors in read if vectors is not None)
