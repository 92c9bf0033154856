"""The states below the trained layers, in a temporary file instead of memory.

    states = StatesOnDisk()
    states.write([one, another])    # tensors: [9, 256], [14, 256]
    states[1]                       # [14, 256], read from the file

A fine-tuning reads them again in each epoch: 1 kB a token, 15 to 25 MB for one of our sets. In
memory a class of thirty takes 65 MB more. Reading takes a thousandth of a second.

Read before this: upper_layers.py. Read next: run.py.
"""

import copy
import tempfile
import threading
import weakref
from collections.abc import Iterable, Sequence

import numpy as np
import torch

from mlm_core.shapes import Float, Tensor


class StatesOnDisk(Sequence):
    """The states of many texts, tensors of different lengths in float32; any thread may read.

    The file goes with the last reference to the whole or a slice.
    """

    def __init__(self) -> None:
        self._file, self._lock = tempfile.TemporaryFile(), threading.Lock()
        self._texts: list[tuple[int, tuple[int, ...]]] = []  # first byte and shape of each
        self._whole: StatesOnDisk | None = None  # that a slice is of
        weakref.finalize(self, self._file.close)

    def write(self, states: Iterable[Float[Tensor, "_ hidden"]]) -> None:
        """Write the states of the next texts."""
        for one in states:
            array = one.float().cpu().numpy()
            with self._lock:
                self._texts.append((self._file.seek(0, 2), array.shape))
                self._file.write(array.tobytes())

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, i):
        """Return one text's states, or for a slice the sequence of these texts."""
        if isinstance(i, slice):
            some = copy.copy(self)
            some._texts, some._whole = self._texts[i], self
            return some
        start, shape = self._texts[i]
        array = np.empty(shape, np.float32)
        with self._lock:
            self._file.seek(start)
            # numpy says that arrays are buffers from Python 3.12 on only.
            self._file.readinto(array)  # ty: ignore[invalid-argument-type]
        return torch.from_numpy(array)
