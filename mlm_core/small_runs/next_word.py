"""The other objective on plain text: predict the next word, from the left.

    label of position i = token i + 1
    loss = mean of -log P(token i + 1 | tokens up to i)   over every token of the text

It is the same encoder with the causal mask. Every token has a loss, where masked language
modelling has one for 15 % of them; but no state depends on the right context, and the language
head runs at every position.

Source: SLP3 section 11.1 and Fig 11.1 for the two directions. Departs: [SEP] is never a label,
as it is never chosen in masked language modelling, so that both losses are of words.

Read before this: ../pretraining/objectives.py, ../encoder/attention.py.
"""

from dataclasses import dataclass

import torch
from torch.nn import functional as F

from mlm_core.encoder.bert import Bert
from mlm_core.masking.rule import IGNORED_LABEL
from mlm_core.pretraining.batches import BatchShape
from mlm_core.pretraining.language_loss import summed_language_loss
from mlm_core.pretraining.objectives import PretrainingTask
from mlm_core.pretraining.sentence_pairs import Texts
from mlm_core.shapes import Bool, Float, Int, Tensor


@dataclass(frozen=True, eq=False, kw_only=True)
class NextWordBatch:
    """Texts without corruption, and each position's next token."""

    ids: Int[Tensor, "batch token"]
    segment_ids: Int[Tensor, "batch token"]
    not_padding: Bool[Tensor, "batch token"]
    labels: Int[Tensor, "batch token"]  # IGNORED_LABEL where no text token comes next
    n_predictions: Float[Tensor, ""]


def next_word_loss(
    bert: Bert, batch: NextWordBatch
) -> tuple[Float[Tensor, ""], Bool[Tensor, "batch token"]]:
    """Return the mean loss, and where the likeliest token is the next one."""
    states = bert.last_states(batch.ids, batch.segment_ids, batch.not_padding, causal=True)
    logits = bert.masked_language_logits(states)
    summed, is_right = summed_language_loss(logits.flatten(0, 1), batch.labels.flatten())
    return summed / batch.n_predictions, is_right.view_as(batch.labels)


class NextWordTask(PretrainingTask):
    """The texts of a pretraining task without pairs, and the causal loss on them."""

    # This task has batches of its own, which it draws, tests and trains on by itself.
    def corrupt(  # ty: ignore[incompatible-method-override]
        self, texts: Texts, shape: BatchShape, generator: torch.Generator
    ) -> NextWordBatch:
        """Return the texts as they are, each position labelled with the next token."""
        predicted = torch.where(self.may_be_chosen(texts), texts.ids, IGNORED_LABEL)
        positions = torch.arange(texts.ids.shape[1], device=texts.ids.device)
        return NextWordBatch(
            ids=texts.ids,
            segment_ids=texts.segment_ids,
            not_padding=positions < texts.n_real.unsqueeze(1),
            labels=F.pad(predicted[:, 1:], (0, 1), value=IGNORED_LABEL),
            n_predictions=(predicted[:, 1:] != IGNORED_LABEL).sum().clamp(min=1).float(),
        )

    def loss(  # ty: ignore[incompatible-method-override]
        self, bert: Bert, batch: NextWordBatch
    ) -> tuple[Float[Tensor, ""], dict[str, Float[Tensor, ""]]]:
        """Return the loss and the accuracy."""
        loss, is_right = next_word_loss(bert, batch)
        return loss, {"next_word_accuracy": is_right.sum() / batch.n_predictions}
