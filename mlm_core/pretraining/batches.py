"""A batch of pretraining: its kind, when it comes, and the tensors it is made of.

    ids          what the model sees, corrupted              [batch, token]
    positions    where it must predict, a few a text         [batch, slot]
    labels       what stood there before                     [batch, slot]
    pair_labels  whether B follows A                         [batch]

Texts with fewer predictions than slots leave some unused, so that a batch stays a rectangle.

Source: the inputs of google-research/bert's run_pretraining.py, which has the same rectangle.

Read before this: sentence_pairs.py, ../masking/batch.py.
"""

from dataclasses import dataclass, replace

from mlm_core.shapes import Bool, Float, Int, Tensor


@dataclass(frozen=True, kw_only=True)
class BatchShape:
    """One kind of batch: how long, how many, full pairs or natural sentences."""

    length: int  # tokens an example, special tokens included
    batch_size: int  # examples in a batch
    natural: bool = False  # whole sentences with padding; else pairs that fill the length
    single_rate: float = 0.5  # share of natural examples without B
    no_stop_rate: float = 0.25  # share of those that lose a final full stop
    trimmed: bool = False  # no longer than the longest text in it; a GPU would have to wait


@dataclass(frozen=True, kw_only=True)
class Phase:
    """A stretch of the training with its kinds of batches, which take turns."""

    until_step: int  # the first step that no longer belongs to it
    shapes: tuple[BatchShape, ...]


@dataclass(frozen=True, kw_only=True)
class PretrainingBatch:
    """A corrupted batch. `n_predictions` and `n_pairs` are what the loss is divided by."""

    ids: Int[Tensor, "batch token"]
    segment_ids: Int[Tensor, "batch token"]
    not_padding: Bool[Tensor, "batch token"] | None  # None: no padding at all
    positions: Int[Tensor, "batch slot"]  # where the model must predict
    labels: Int[Tensor, "batch slot"]  # the original tokens; IGNORED_LABEL in unused slots
    branches: Int[Tensor, "batch slot"]  # MASKED, RANDOM or KEPT; -1 in unused slots
    # FOLLOWS, IS_RANDOM; IGNORED_LABEL where A is alone. None: no pair is judged.
    pair_labels: Int[Tensor, " batch"] | None
    n_predictions: Float[Tensor, ""]
    n_pairs: Float[Tensor, ""]

    def part(self, index: int, n_parts: int) -> "PretrainingBatch":
        """Return every n-th text, for one of several processes.

        The divisors shrink by n_parts, so that the mean over all processes' gradients is the
        gradient of the whole batch, however the padding falls.
        """
        if n_parts == 1:
            return self
        parts = {
            name: None if value is None else value[index::n_parts]
            for name, value in vars(self).items()
            if name not in ("n_predictions", "n_pairs")
        }
        return replace(
            self,
            **parts,
            n_predictions=self.n_predictions / n_parts,
            n_pairs=self.n_pairs / n_parts,
        )
