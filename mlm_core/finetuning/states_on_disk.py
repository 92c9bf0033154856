"""The states of many texts in a temporary file, of which a step reads a few.

    states = StatesOnDisk([9, 14, 11], width=256)   # the tokens of each text
    states.write([one, another, third])             # [9, 256], [14, 256], [11, 256]
    states[1]                                       # [14, 256], read from the file

A fine-tuning reads the states below its trained layers again in each epoch. In memory they take
1 kB a token: 15 to 25 MB for one of our sets, 60 to 80 for a class that fine-tunes. A step reads
some dozens of texts from the file, which takes less than a thousandth of a second.

Read before this: encoded_examples.py. Read next: task.py.
"""

import copy
import tempfile
import weakref
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

import numpy as np
import torch

from mlm_core.shapes import Float, Tensor


class StatesOnDisk(Sequence):
    """Tensors of different lengths, in float32. The file goes with the last reference to it."""

    def __init__(self, lengths: Sequence[int], width: int) -> None:
        self._file, self._width = tempfile.TemporaryFile(), width
        self._bounds = tuple(pairwise(accumulate(lengths, initial=0)))
        weakref.finalize(self, self._file.close)

    def write(self, states: Iterable[Float[Tensor, "_ hidden"]]) -> None:
        """Write the states of the next texts."""
        for one in states:
            self._file.write(one.float().cpu().numpy().tobytes())
        self._file.flush()

    def __len__(self) -> int:
        return len(self._bounds)

    def __getitem__(self, i):
        """Return one text's states, or for a slice the sequence of these texts."""
        if isinstance(i, slice):
            some = copy.copy(self)
            some._whole, some._bounds = self, self._bounds[i]  # which keeps the file open
            return some
        first, stop = self._bounds[i]
        shape, offset = (stop - first, self._width), first * self._width * 4
        mapped = np.memmap(self._file, np.float32, "r", offset, shape)
        return torch.from_numpy(np.array(mapped))  # a copy, so that nothing stays mapped
