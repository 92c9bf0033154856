"""What a run reads now and then, in a temporary file instead of memory.

    file = FileOfArrays()
    kept = file.keep(weights)       # an array, written at once
    kept.read()                     # an equal one

    states = StatesOnDisk()
    states.write([one, another])    # tensors: [9, 256], [14, 256]
    states[1]                       # [14, 256], read from the file

A fine-tuning reads the states below its trained layers again in each epoch: 1 kB a token, 15 to
25 MB for one of our sets. The weights after a step are read only when somebody looks at that step:
0.4 MB each of a default small run, 6 MB of a fine-tuning. Reading takes a thousandth of a second.
A file goes with the last reference to it or to something in it.

Read before this: loop.py. Read next: ../finetuning/task.py; also ../small_runs/snapshot.py.
"""

import copy
import tempfile
import threading
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from mlm_core.shapes import Float, Tensor


class FileOfArrays:
    """A temporary file to which arrays are added; any thread may read them."""

    def __init__(self) -> None:
        self._file, self._lock = tempfile.TemporaryFile(), threading.Lock()
        weakref.finalize(self, self._file.close)

    def keep(self, array: np.ndarray) -> "KeptArray":
        """Write an array at the end of the file."""
        with self._lock:
            start = self._file.seek(0, 2)
            self._file.write(array.tobytes())
        return KeptArray(file=self, start=start, shape=array.shape, dtype=array.dtype)

    def read_into(self, array: np.ndarray, start: int) -> None:
        """Fill an array with the bytes from `start` on."""
        with self._lock:
            self._file.seek(start)
            # numpy says that arrays are buffers from Python 3.12 on only.
            self._file.readinto(array)  # ty: ignore[invalid-argument-type]


@dataclass(frozen=True, eq=False, kw_only=True)
class KeptArray:
    """An array in a file; never changed, and equal to others of the same bytes."""

    file: FileOfArrays
    start: int  # bytes before it
    shape: tuple[int, ...]
    dtype: np.dtype

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeptArray) and self._bytes() == other._bytes()

    def __hash__(self) -> int:
        return hash(self._bytes())

    def _bytes(self) -> bytes:
        return self.read().tobytes()

    def read(self) -> np.ndarray:
        """Return a new array with its numbers."""
        array = np.empty(self.shape, self.dtype)
        self.file.read_into(array, self.start)
        return array


class StatesOnDisk(Sequence):
    """The states of many texts, tensors of different lengths in float32."""

    def __init__(self) -> None:
        self._file = FileOfArrays()
        self._texts: list[KeptArray] = []

    def write(self, states: Iterable[Float[Tensor, "_ hidden"]]) -> None:
        """Write the states of the next texts."""
        self._texts += [self._file.keep(one.float().cpu().numpy()) for one in states]

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, i):
        """Return one text's states, or for a slice the sequence of these texts."""
        if isinstance(i, slice):
            some = copy.copy(self)
            some._texts = self._texts[i]
            return some
        return torch.from_numpy(self._texts[i].read())
