"""The two pretraining losses of a batch: masked tokens, and next sentences.

    loss = mean of -log P(original token) over the chosen positions
         + mean of -log P(pair's class)   over the pairs

`PretrainingTask` joins a corpus, the pairs and the corruption: it gives the training loop the
batch of a step and the loss of a model on it.

Source: Devlin et al. 2019, section 3.1; SLP3 section 11.2. The lengths grow during training
as BERT's did (appendix A.2). Departs: one batch in a few holds single sentences and pairs of
single sentences, because that is what a person types.

The second loss can be left out, as in RoBERTa: then every B follows its A, and the model needs no
next-sentence head.

Read before this: sentence_pairs.py; also batches.py. Read next: ../small_runs/run.py.
"""

from typing import Any, NamedTuple

import torch
from torch.nn import functional as F

from mlm_core.encoder.bert import Bert
from mlm_core.masking import batch as corruption
from mlm_core.masking.rule import IGNORED_LABEL, CorruptionRule
from mlm_core.pretraining import sentence_pairs
from mlm_core.pretraining.batches import BatchShape, Phase, PretrainingBatch
from mlm_core.pretraining.corpus import TokenCorpus
from mlm_core.pretraining.language_loss import summed_language_loss
from mlm_core.pretraining.sentence_pairs import DocumentTable, SpecialIds, Stretches, Texts
from mlm_core.shapes import Bool, Float, Tensor


class PretrainingLosses(NamedTuple):
    """The two losses, and which predictions are right."""

    masked_language_loss: Float[Tensor, ""]
    next_sentence_loss: Float[Tensor, ""] | None  # None without pairs
    is_right: Bool[Tensor, "batch slot"]  # the likeliest token is the original
    pair_is_right: Bool[Tensor, " batch"] | None

    @property
    def total(self) -> Float[Tensor, ""]:
        """Return the sum, which BERT minimizes."""
        if self.next_sentence_loss is None:
            return self.masked_language_loss
        return self.masked_language_loss + self.next_sentence_loss


def pretraining_losses(bert: Bert, batch: PretrainingBatch) -> PretrainingLosses:
    """Return the losses of `bert` on a batch, at the chosen positions only.

    There is a next-sentence loss if the batch has pair labels and the model has the head.
    """
    # [CLS], for the next-sentence head, and the chosen positions: no other state is needed.
    positions = F.pad(batch.positions, (1, 0))
    states = bert.last_states(batch.ids, batch.segment_ids, batch.not_padding, positions=positions)
    logits = bert.masked_language_logits(states[:, 1:])
    language_loss, is_right = summed_language_loss(logits.flatten(0, 1), batch.labels.flatten())
    pair_loss = pair_is_right = None
    if batch.pair_labels is not None and bert.next_sentence_head is not None:
        pair_logits = bert.next_sentence_logits(states)
        summed = F.cross_entropy(
            pair_logits, batch.pair_labels, ignore_index=IGNORED_LABEL, reduction="sum"
        )
        pair_loss = summed / batch.n_pairs
        pair_is_right = pair_logits.argmax(dim=-1) == batch.pair_labels
    return PretrainingLosses(
        language_loss / batch.n_predictions,
        pair_loss,
        is_right.view_as(batch.labels),
        pair_is_right,
    )


class PretrainingTask:
    """Batches from a corpus, and a model's loss on them, for `training.loop.train`."""

    def __init__(
        self,
        corpus: TokenCorpus,
        phases: tuple[Phase, ...],
        special: SpecialIds,
        settings: CorruptionRule,
        *,
        next_sentence: bool = True,
    ) -> None:
        """Prepare the draws. Without `next_sentence`, every B follows its A.

        Raises ValueError if the corpus has too few documents of the lengths of `phases`. Natural
        batches without `next_sentence` need one document only.
        """
        device = corpus.tokens.device
        self.corpus, self.phases, self.special, self.settings = corpus, phases, special, settings
        self.next_sentence = next_sentence
        self.word_cdf = corruption.random_word_cdf(corpus.counts, special.all)
        self.stop_ids = torch.tensor(special.stops, dtype=torch.long, device=device)
        self.is_special = torch.zeros(len(corpus.counts), dtype=torch.bool, device=device)
        self.is_special[list(special.all)] = True
        self.tables = {
            shape: _table(corpus, shape)
            for phase in phases
            for shape in phase.shapes
            if next_sentence or not shape.natural
        }

    def batch(self, step: int, generator: torch.Generator) -> Any:
        """Return the whole batch of a step: the kinds of its phase take turns."""
        phase = next(phase for phase in self.phases if step < phase.until_step)
        return self.draw(phase.shapes[step % len(phase.shapes)], generator)

    def draw(self, shape: BatchShape, generator: torch.Generator) -> Any:
        """Return a batch of one kind."""
        return self.corrupt(self.draw_texts(shape, generator), shape, generator)

    def draw_texts(self, shape: BatchShape, generator: torch.Generator) -> Texts:
        """Return a batch of one kind before corruption."""
        stretches = self._draw_stretches(shape, generator)
        if shape.natural:
            stretches = sentence_pairs.drop_final_stops(
                self.corpus, stretches, self.stop_ids, shape.no_stop_rate, generator
            )
        texts = sentence_pairs.read_texts(self.corpus, stretches, shape.length, self.special)
        return trim(texts) if shape.trimmed else texts

    def may_be_chosen(self, texts: Texts) -> Bool[Tensor, "batch token"]:
        """Return the positions of text tokens that are not special."""
        return texts.is_text & ~self.is_special[texts.ids]

    def corrupt(
        self, texts: Texts, shape: BatchShape, generator: torch.Generator
    ) -> PretrainingBatch:
        """Return the texts with tokens chosen and replaced by the rule."""
        chosen = corruption.choose(
            self.may_be_chosen(texts), texts.n_real, self.settings, generator
        )
        return self.replace(texts, chosen, shape, generator)

    def replace(
        self,
        texts: Texts,
        chosen: Bool[Tensor, "batch token"],
        shape: BatchShape,
        generator: torch.Generator,
    ) -> PretrainingBatch:
        """Return the texts with the chosen tokens replaced by the rule.

        A shape that isn't trimmed has slots for as many tokens as the rule chooses.
        """
        corrupted = corruption.replace(
            texts.ids,
            chosen,
            self.settings,
            generator,
            mask_id=self.special.mask,
            word_cdf=self.word_cdf,
        )
        # None counts the slots that the texts need, which makes a GPU wait.
        n_slots, rate = None, self.settings.mlm_probability
        if not shape.trimmed and self.settings.selection != "independent":
            n_slots = int(corruption.count_to_choose(torch.tensor(shape.length), rate))
        slots = corruption.gather_slots(corrupted.labels, n_slots)
        positions = torch.arange(texts.ids.shape[1], device=texts.n_real.device)
        return PretrainingBatch(
            ids=corrupted.ids,
            segment_ids=texts.segment_ids,
            not_padding=positions < texts.n_real.unsqueeze(1) if shape.natural else None,
            positions=slots.positions,
            labels=slots.labels,
            branches=corrupted.branch.gather(1, slots.positions),
            pair_labels=texts.pair_label if self.next_sentence else None,
            # At least 1, so that a batch without pairs has a loss of 0 and not 0 / 0.
            n_predictions=(slots.labels != IGNORED_LABEL).sum().clamp(min=1).float(),
            n_pairs=(texts.pair_label != IGNORED_LABEL).sum().clamp(min=1).float(),
        )

    def loss(
        self, bert: Bert, batch: PretrainingBatch
    ) -> tuple[Float[Tensor, ""], dict[str, Float[Tensor, ""]]]:
        """Return the total loss and the measures that a log shows."""
        losses = pretraining_losses(bert, batch)
        measures = {
            "masked_language_loss": losses.masked_language_loss.detach(),
            "masked_accuracy": losses.is_right.sum() / batch.n_predictions,
        }
        if losses.next_sentence_loss is not None and losses.pair_is_right is not None:
            measures["next_sentence_loss"] = losses.next_sentence_loss.detach()
            measures["next_sentence_accuracy"] = losses.pair_is_right.sum() / batch.n_pairs
        return losses.total, measures

    def n_tokens(self, batch: Any) -> int:
        """Return the tokens that the model reads, padding included."""
        return batch.ids.numel()

    def _draw_stretches(self, shape: BatchShape, generator: torch.Generator) -> Stretches:
        corpus, n = self.corpus, shape.batch_size
        if shape.natural and not self.next_sentence:
            return sentence_pairs.draw_running(
                corpus, n, shape.length, generator, single_rate=shape.single_rate
            )
        table = self.tables[shape]
        if shape.natural:
            return sentence_pairs.draw_natural(
                corpus, table, n, shape.length, generator, single_rate=shape.single_rate
            )
        stretches = sentence_pairs.draw_full(corpus, table, n, shape.length - 3, generator)
        if self.next_sentence:
            return stretches
        return stretches._replace(
            b_start=stretches.a_start + stretches.a_length,
            pair_label=torch.full_like(stretches.pair_label, IGNORED_LABEL),
        )


def _table(corpus: TokenCorpus, shape: BatchShape) -> DocumentTable:
    if shape.natural:
        return DocumentTable(corpus, least_tokens=2, least_sentences=2)
    return DocumentTable(corpus, least_tokens=shape.length - 3, least_sentences=1)


def trim(texts: Texts) -> Texts:
    """Return the texts without the padding after the longest one."""
    longest = int(texts.n_real.max())
    return texts._replace(
        ids=texts.ids[:, :longest],
        segment_ids=texts.segment_ids[:, :longest],
        is_text=texts.is_text[:, :longest],
    )
