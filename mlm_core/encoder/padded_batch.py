"""Several texts in one table, so that the model reads them at once.

    [CLS] the bank [SEP]                   1 1 1 1 0 0
    [CLS] we sat on a [SEP]                1 1 1 1 1 1

A shorter text is filled up with padding, and a table of ones and zeros says what is real: at
padding nobody looks, and what the model computes there means nothing.

Source: google-research/bert, where the table of ones and zeros is called input_mask.

Read before this: ../text/tokens.py. Read next: language_model.py
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch

from mlm_core.shapes import Bool, Int, Tensor
from mlm_core.text.tokens import TokenizedText


class PaddedBatch(NamedTuple):
    """Texts as one table, the shorter ones filled up."""

    ids: Int[Tensor, "batch token"]
    segment_ids: Int[Tensor, "batch token"]
    is_real: Bool[Tensor, "batch token"]  # false at padding

    def to(self, device: torch.device | str) -> "PaddedBatch":
        """Return the batch on a device."""
        return PaddedBatch(*(part.to(device) for part in self))


def pad_batch(texts: Sequence[TokenizedText], padding_id: int) -> PaddedBatch:
    """Return texts as tensors, with padding behind the shorter ones.

    Raises ValueError if there is no text.
    """
    if not texts:
        raise ValueError("a batch of no texts: pass at least one")
    lengths = torch.tensor([len(text.tokens) for text in texts])
    is_real = torch.arange(int(lengths.max())) < lengths[:, None]
    ids = torch.full(is_real.shape, padding_id)
    ids[is_real] = torch.tensor([id_ for text in texts for id_ in text.ids])
    segment_ids = torch.zeros_like(ids)
    segment_ids[is_real] = torch.tensor([segment for text in texts for segment in text.segment_ids])
    return PaddedBatch(ids, segment_ids, is_real)
