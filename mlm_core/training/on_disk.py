"""What a run reads now and then, in a temporary file instead of memory.

    file = FileOfBytes()
    kept = file.keep(b"weights")    # written at once
    kept.read()                     # b"weights"

    states = StatesOnDisk(width=256)
    states.write([one, another])    # [9, 256], [14, 256]
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

import torch

from mlm_core.shapes import Float, Tensor


class FileOfBytes:
    """A temporary file to which bytes are added; any thread may read them."""

    def __init__(self) -> None:
        self._file, self._lock = tempfile.TemporaryFile(), threading.Lock()
        weakref.finalize(self, self._file.close)

    def keep(self, content: bytes) -> "KeptBytes":
        """Write bytes at the end of the file."""
        with self._lock:
            start = self._file.seek(0, 2)
            self._file.write(content)
        return KeptBytes(file=self, start=start, length=len(content))

    def read(self, start: int, length: int) -> bytes:
        """Return the bytes from `start` on."""
        with self._lock:
            self._file.seek(start)
            return self._file.read(length)


@dataclass(frozen=True, eq=False, kw_only=True)
class KeptBytes:
    """Bytes in a file; never changed, and equal to others of the same content."""

    file: FileOfBytes
    start: int
    length: int

    def __len__(self) -> int:
        return self.length

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeptBytes) and self.read() == other.read()

    def __hash__(self) -> int:
        return hash(self.read())

    def read(self) -> bytes:
        """Return the bytes."""
        return self.file.read(self.start, self.length)


class StatesOnDisk(Sequence):
    """The states of many texts, tensors of different lengths in float32."""

    def __init__(self, width: int) -> None:
        self._file, self._width = FileOfBytes(), width
        self._rows: list[KeptBytes] = []

    def write(self, states: Iterable[Float[Tensor, "_ hidden"]]) -> None:
        """Write the states of the next texts."""
        self._rows += [self._file.keep(one.float().cpu().numpy().tobytes()) for one in states]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, i):
        """Return one text's states, or for a slice the sequence of these texts."""
        if isinstance(i, slice):
            some = copy.copy(self)
            some._rows = self._rows[i]
            return some
        # A bytearray, so that whoever gets the tensor may write into it.
        numbers = torch.frombuffer(bytearray(self._rows[i].read()), dtype=torch.float32)
        return numbers.view(-1, self._width)
