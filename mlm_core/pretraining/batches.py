"""A batch of pretraining: its kind, its phase of the training, and its tensors.

Texts with fewer predictions than slots leave some unused, so that a batch stays a rectangle.

Source: the inputs of google-research/bert's run_pretraining.py, which has the same rectangle.

Read before this: sentence_pairs.py, ../masking/batch.py, ../training/loop.py.
"""

from dataclasses import dataclass

from mlm_core.shapes import Bool, Float, Int, Tensor


@dataclass(frozen=True, kw_only=True)
class BatchShape:
    """One kind of batch: how long, how many, full pairs or natural sentences."""

    length: int  # tokens an example, special tokens included
    batch_size: int  # examples in a batch
    natural: bool = False  # whole sentences with padding; else pairs that fill the length
    single_rate: float = 0.5  # proportion of natural examples without B
    no_stop_rate: float = 0.25  # proportion of those that lose a final full stop
    trimmed: bool = False  # no longer than the longest text in it; a GPU would have to wait


@dataclass(frozen=True, kw_only=True)
class Phase:
    """A stretch of the training with its kinds of batches, which take turns."""

    until_step: int  # the first step that no longer belongs to it
    shapes: tuple[BatchShape, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class PretrainingBatch:
    """A corrupted batch. The losses are divided by `n_predictions` and `n_pairs`."""

    ids: Int[Tensor, "batch token"]  # corrupted
    segment_ids: Int[Tensor, "batch token"]
    not_padding: Bool[Tensor, "batch token"] | None  # None: no padding at all
    positions: Int[Tensor, "batch slot"]  # where the model must predict
    labels: Int[Tensor, "batch slot"]  # the original tokens; IGNORED_LABEL in unused slots
    branches: Int[Tensor, "batch slot"]  # MASKED, RANDOM or KEPT; -1 in unused slots
    # FOLLOWS, IS_RANDOM; IGNORED_LABEL where A is alone. None: no next-sentence loss.
    pair_labels: Int[Tensor, " batch"] | None
    n_predictions: Float[Tensor, ""]
    n_pairs: Float[Tensor, ""]
