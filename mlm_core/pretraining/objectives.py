"""What pretraining asks of the encoder: name the chosen tokens, and judge the pair.

    loss = mean of -log P(original token) over the chosen positions
         + mean of -log P(pair's class)   over the pairs

`PretrainingTask` ties a corpus, the pairs and the corruption together: it gives the batch of a
step and the loss of a model on it, which is all that the training loop asks for.

Source: Devlin et al. 2019, section 3.1; SLP3 section 11.2. The lengths grow during training
as BERT's did (appendix A.2). Departs: one batch in a few holds single sentences and pairs of
single sentences, so that the model is at home in what a person types.

Read before this: sentence_pairs.py, corruption.py, training/loop.py. Read next: run.py.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from torch.nn import functional as F

from mlm_core.encoder.bert import Bert
from mlm_core.pretraining import corruption, sentence_pairs
from mlm_core.pretraining.corpus import TokenCorpus
from mlm_core.pretraining.corruption import IGNORED_LABEL, CorruptionSettings
from mlm_core.pretraining.sentence_pairs import DocumentTable, SpecialIds
from mlm_core.shapes import Bool, Float, Int, Tensor


@dataclass(frozen=True, kw_only=True)
class BatchShape:
    """One kind of batch: how long, how many, full pairs or natural sentences."""

    length: int  # tokens an example, special tokens included
    n_texts: int  # examples in a batch
    natural: bool = False  # whole sentences with padding; else pairs that fill the length
    single_rate: float = 0.5  # share of natural examples without B
    no_stop_rate: float = 0.25  # share of those that lose a final full stop


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
    is_real: Bool[Tensor, "batch token"] | None  # None: no padding at all
    positions: Int[Tensor, "batch slot"]  # where the model must predict
    labels: Int[Tensor, "batch slot"]  # the original tokens; IGNORED_LABEL in unused slots
    branches: Int[Tensor, "batch slot"]  # MASKED, RANDOM or KEPT; -1 in unused slots
    pair_labels: Int[Tensor, " batch"]  # FOLLOWS, IS_RANDOM; IGNORED_LABEL where A is alone
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


class PretrainingLosses(NamedTuple):
    """The two losses and what was predicted."""

    masked_language_loss: Float[Tensor, ""]
    next_sentence_loss: Float[Tensor, ""]
    is_right: Bool[Tensor, "batch slot"]  # the likeliest token is the original
    pair_is_right: Bool[Tensor, " batch"]

    @property
    def total(self) -> Float[Tensor, ""]:
        """Return the sum, which BERT minimizes."""
        return self.masked_language_loss + self.next_sentence_loss


def pretraining_losses(bert: Bert, batch: PretrainingBatch) -> PretrainingLosses:
    """Return the losses of `bert` on a batch; the language head sees chosen positions only."""
    states = bert.encode(batch.ids, batch.segment_ids, batch.is_real).last
    chosen = states.gather(1, batch.positions.unsqueeze(-1).expand(-1, -1, states.shape[-1]))
    logits = bert.masked_language_logits(chosen)
    pair_logits = bert.next_sentence_logits(states)
    return PretrainingLosses(
        _summed_loss(logits.flatten(0, 1), batch.labels.flatten()) / batch.n_predictions,
        _summed_loss(pair_logits, batch.pair_labels) / batch.n_pairs,
        logits.argmax(dim=-1) == batch.labels,
        pair_logits.argmax(dim=-1) == batch.pair_labels,
    )


class PretrainingTask:
    """Batches from a corpus, and a model's loss on them, for `training.loop.train`."""

    def __init__(
        self,
        corpus: TokenCorpus,
        phases: tuple[Phase, ...],
        special: SpecialIds,
        special_ids: frozenset[int],
        stop_ids: tuple[int, ...],
        settings: CorruptionSettings,
    ) -> None:
        """Prepare the draws; `special_ids` are never chosen nor drawn as random words.

        Raises ValueError if the corpus has too few documents of the lengths asked for.
        """
        device = corpus.tokens.device
        self.corpus, self.phases, self.special, self.settings = corpus, phases, special, settings
        self.word_shares = corruption.random_word_shares(
            corpus.counts, special_ids, uniform=settings.uniform_words
        )
        self.stop_ids = torch.tensor(stop_ids, dtype=torch.long, device=device)
        self.is_special = torch.zeros(len(corpus.counts), dtype=torch.bool, device=device)
        self.is_special[list(special_ids)] = True
        self.tables = {shape: _table(corpus, shape) for phase in phases for shape in phase.shapes}

    def shape_at(self, step: int) -> BatchShape:
        """Return the kind of batch that a step has: its phase's kinds in turn."""
        phase = next(phase for phase in self.phases if step < phase.until_step)
        return phase.shapes[step % len(phase.shapes)]

    def batch(self, step: int, generator: torch.Generator) -> PretrainingBatch:
        """Return the whole batch of a step; it depends on nothing but the arguments."""
        return self.draw(self.shape_at(step), generator)

    def draw(self, shape: BatchShape, generator: torch.Generator) -> PretrainingBatch:
        """Return a batch of one kind."""
        corpus, table = self.corpus, self.tables[shape]
        if shape.natural:
            stretches = sentence_pairs.draw_natural(
                corpus,
                table,
                shape.n_texts,
                shape.length,
                generator,
                single_rate=shape.single_rate,
            )
            stretches = sentence_pairs.drop_final_stops(
                corpus, stretches, self.stop_ids, shape.no_stop_rate, generator
            )
        else:
            stretches = sentence_pairs.draw_full(
                corpus, table, shape.n_texts, shape.length - 3, generator
            )
        texts = sentence_pairs.read_texts(corpus, stretches, shape.length, self.special)
        may_be_chosen = texts.is_text & ~self.is_special[texts.ids]
        chosen = corruption.choose(may_be_chosen, texts.n_real, self.settings, generator)
        corrupted = corruption.replace(
            texts.ids,
            chosen,
            self.settings,
            generator,
            mask_id=self.special.mask,
            word_shares=self.word_shares,
        )
        slots = corruption.gather_slots(corrupted.labels, self._n_slots(shape.length))
        positions = torch.arange(shape.length, device=texts.n_real.device)
        return PretrainingBatch(
            ids=corrupted.ids,
            segment_ids=texts.segment_ids,
            is_real=positions < texts.n_real.unsqueeze(1) if shape.natural else None,
            positions=slots.positions,
            labels=slots.labels,
            branches=corrupted.branch.gather(1, slots.positions),
            pair_labels=texts.pair_label,
            # At least 1, so that a batch without pairs has a loss of 0 and not 0 / 0.
            n_predictions=(slots.labels != IGNORED_LABEL).sum().clamp(min=1).float(),
            n_pairs=(texts.pair_label != IGNORED_LABEL).sum().clamp(min=1).float(),
        )

    def loss(
        self, bert: Bert, batch: PretrainingBatch
    ) -> tuple[Float[Tensor, ""], dict[str, Float[Tensor, ""]]]:
        """Return the total loss and the measures that a log shows."""
        losses = pretraining_losses(bert, batch)
        return losses.total, {
            "masked_language_loss": losses.masked_language_loss.detach(),
            "next_sentence_loss": losses.next_sentence_loss.detach(),
            "masked_accuracy": losses.is_right.sum() / batch.n_predictions,
            "next_sentence_accuracy": losses.pair_is_right.sum() / batch.n_pairs,
        }

    def n_tokens(self, batch: PretrainingBatch) -> int:
        """Return the tokens that the model reads, padding included."""
        return batch.ids.numel()

    def _n_slots(self, length: int) -> int | None:
        if self.settings.selection == "each_by_itself":
            return None
        return int(corruption.count_to_choose(torch.tensor(length), self.settings.choose_rate))


def _table(corpus: TokenCorpus, shape: BatchShape) -> DocumentTable:
    if shape.natural:
        return DocumentTable(corpus, least_tokens=2, least_sentences=2)
    return DocumentTable(corpus, least_tokens=shape.length - 3, least_sentences=1)


def _summed_loss(
    logits: Float[Tensor, "row choice"], labels: Int[Tensor, " row"]
) -> Float[Tensor, ""]:
    return F.cross_entropy(logits, labels, ignore_index=IGNORED_LABEL, reduction="sum")
