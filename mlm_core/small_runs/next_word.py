"""The other way to train on plain text: say the next word, looking left only.

    label of position i = token i + 1
    loss = mean of -log P(token i + 1 | tokens up to i)   over every token of the text

The same encoder does it, with the causal mask. Every token teaches, where masked language
modelling learns from 15 % of them; in exchange no state knows what stands to its right, and
the language head has to run everywhere.

Source: SLP3 section 11.1 and Fig 11.1 for the two directions. Departs: [SEP] is never a label,
as it is never chosen in masked language modelling, so that both losses speak of words.

Read before this: ../pretraining/objectives.py, ../encoder/attention.py.
"""

from dataclasses import dataclass, replace

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.masking.batch import IGNORED_LABEL
from mlm_core.pretraining.batches import BatchShape
from mlm_core.pretraining.language_loss import summed_language_loss
from mlm_core.pretraining.objectives import PretrainingTask
from mlm_core.pretraining.sentence_pairs import Texts
from mlm_core.shapes import Bool, Float, Int, Tensor


@dataclass(frozen=True, kw_only=True)
class NextWordBatch:
    """Texts as they are, and behind each position the token that comes next."""

    ids: Int[Tensor, "batch token"]
    segment_ids: Int[Tensor, "batch token"]
    not_padding: Bool[Tensor, "batch token"]
    labels: Int[Tensor, "batch token"]  # IGNORED_LABEL where no text token comes next
    n_predictions: Float[Tensor, ""]

    def part(self, index: int, n_parts: int) -> "NextWordBatch":
        """Return every n-th text, for one of several processes."""
        if n_parts == 1:
            return self
        parts = {
            name: value[index::n_parts]
            for name, value in vars(self).items()
            if name != "n_predictions"
        }
        return replace(self, **parts, n_predictions=self.n_predictions / n_parts)


def next_word_batch(texts: Texts, may_be_said: Bool[Tensor, "batch token"]) -> NextWordBatch:
    """Return the texts with their labels: tokens that `may_be_said`, each one place to the left."""
    predicted = torch.where(may_be_said, texts.ids, IGNORED_LABEL)
    labels = torch.full_like(predicted, IGNORED_LABEL)
    labels[:, :-1] = predicted[:, 1:]
    positions = torch.arange(texts.ids.shape[1], device=texts.ids.device)
    return NextWordBatch(
        ids=texts.ids,
        segment_ids=texts.segment_ids,
        not_padding=positions < texts.n_real.unsqueeze(1),
        labels=labels,
        n_predictions=(labels != IGNORED_LABEL).sum().clamp(min=1).float(),
    )


def next_word_loss(
    bert: Bert, batch: NextWordBatch
) -> tuple[Float[Tensor, ""], Bool[Tensor, "batch token"]]:
    """Return the mean loss, and where the likeliest token is the next one."""
    states = bert.last_states(batch.ids, batch.segment_ids, batch.not_padding, causal=True)
    logits = bert.masked_language_logits(states)
    summed, is_right = summed_language_loss(logits.flatten(0, 1), batch.labels.flatten())
    return summed / batch.n_predictions, is_right.view_as(batch.labels)


class NextWordTask:
    """Batches of the texts that a pretraining task draws, and the causal loss on them."""

    def __init__(self, texts: PretrainingTask, shape: BatchShape) -> None:
        """Take texts from a task that judges no pairs: a random B can't be foretold."""
        self.texts, self.shape = texts, shape

    def batch(self, step: int, generator: torch.Generator) -> NextWordBatch:
        """Return the batch of a step; it depends on nothing but the generator."""
        texts = self.texts.draw_texts(self.shape, generator)
        return next_word_batch(texts, self.texts.may_be_chosen(texts))

    def loss(
        self, bert: Bert, batch: NextWordBatch
    ) -> tuple[Float[Tensor, ""], dict[str, Float[Tensor, ""]]]:
        """Return the loss and the share of right guesses."""
        loss, is_right = next_word_loss(bert, batch)
        return loss, {"next_word_accuracy": is_right.sum() / batch.n_predictions}

    def n_tokens(self, batch: NextWordBatch) -> int:
        """Return the tokens that the model reads, padding included."""
        return batch.ids.numel()
