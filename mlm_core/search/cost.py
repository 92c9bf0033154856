"""Estimate the memory of a contrastive training in bytes.

    held    AdamW's numbers for each trained parameter, and the encoded sentences
    extra   what the trained layers keep for the backward pass of a batch, and the gradients
    kept    the best weights, in float16

As in a fine-tuning; a batch has the first sentences and all their candidates.

Read before this: ../finetuning/cost.py, contrastive_task.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.encoder.language_model import OwnModel
from mlm_core.finetuning.cost import HELD_BYTES, KEPT_BYTES, NUMBER_BYTES, TOKEN_BYTES
from mlm_core.search.graded_pairs import TrainingPair
from mlm_core.search.settings import ContrastiveSettings
from mlm_core.text.tokens import tokenize

# Activations kept for each token and trained layer, in multiples of the hidden size, with dropout.
# Measured: 20 to 33.
WIDTHS = 33
LOSSES_BYTES = 100_000  # losses and tests of a snapshot


@dataclass(frozen=True, kw_only=True)
class RunBytes:
    """The bytes of one run."""

    held: int  # as long as it is not ended
    extra: int  # while a step is done
    kept: int  # of its snapshot


def run_bytes(
    settings: ContrastiveSettings, pairs: Sequence[TrainingPair], encoder: OwnModel
) -> RunBytes:
    """Return what a run takes. Raises ValueError for too many steps."""
    settings.training(len(pairs))
    config = encoder.bert.config
    n_read, n_top = settings.layers_of(config.n_layers)
    trained = list(encoder.bert.blocks)[n_read - n_top : n_read]
    n_trained = sum(one.numel() for block in trained for one in block.parameters())
    sentences = {one for pair in pairs for one in (pair.first, pair.second, *pair.negatives)}
    lengths = [
        len(tokenize(encoder.tokenizer, one, max_tokens=encoder.max_tokens).ids)
        for one in sentences
    ]
    a_pair = max((2 + len(pair.negatives) for pair in pairs), default=0)
    longest = max(lengths, default=0)
    activations = settings.batch_size * a_pair * longest * config.hidden_size * WIDTHS * n_top
    return RunBytes(
        held=n_trained * HELD_BYTES + sum(lengths) * TOKEN_BYTES,
        extra=(activations + n_trained) * NUMBER_BYTES,
        kept=n_trained * KEPT_BYTES + LOSSES_BYTES,
    )
