"""The test of a small run: held-out text, corrupted in one way for all runs.

    masked words   sentences with 15 % of the tokens chosen, 80/10/10, for every corruption rule
    pairs          half true, half random, for MLM + NSP
    next words     the same sentences uncorrupted, read from the left, for the causal objective

Since the test is the same, runs can be compared. Kept tokens test the model on text without
[MASK], as in use.

There are two baselines: the unigram frequencies of the training text, and the most frequent token.

Source: the metrics of google-research/bert; Devlin et al. 2019, appendix C.2, for the question
what training on [MASK] alone does.

Read before this: next_word.py, ../pretraining/evaluation.py.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.masking.rule import IGNORED_LABEL, CorruptionRule
from mlm_core.pretraining import sentence_pairs
from mlm_core.pretraining.batches import BatchShape, Phase, PretrainingBatch
from mlm_core.pretraining.corpus import TokenCorpus
from mlm_core.pretraining.evaluation import HeldOutSums
from mlm_core.pretraining.objectives import PretrainingTask, pretraining_losses, trim
from mlm_core.pretraining.sentence_pairs import Texts
from mlm_core.shapes import Int, Tensor
from mlm_core.small_runs.next_word import NextWordBatch, NextWordTask, next_word_loss
from mlm_core.small_runs.schedules import CAUSAL_PROPORTION, ScheduledTask, falling_rate, with_rate
from mlm_core.small_runs.settings import NEXT_WORD_TESTED, TESTED, Objective, SmallRunSettings
from mlm_core.small_runs.text import PreparedText
from mlm_core.text.tokens import entry_of
from mlm_core.training.loop import generator_of_step

HELD_OUT_SEED = 0  # fixed, so that all runs on the same text have the same test
N_TEXTS = 512  # sentences, repeated if the text has fewer; as many pairs


@dataclass(frozen=True, kw_only=True)
class HeldOutPoint:
    """The figures after one step. None where the objective has no such figure."""

    step: int
    loss: float  # nats a token: masked_language_loss, or the next word's
    accuracy: float  # proportion of these tokens that are the likeliest guess
    accuracy_at_masked: float | None = None  # of the tokens shown as [MASK]
    accuracy_at_random: float | None = None  # shown as another word
    accuracy_at_kept: float | None = None  # shown as they are
    next_sentence_loss: float | None = None  # nats a pair
    next_sentence_accuracy: float | None = None

    @property
    def perplexity(self) -> float:
        """Return e to the loss: the number of equally likely words with the same loss."""
        return math.exp(self.loss) if self.loss < 700 else math.inf


@dataclass(frozen=True, kw_only=True)
class Baselines:
    """Figures without an encoder, on the same held-out tokens."""

    unigram_loss: float  # nats, from the training counts, one added to each
    most_frequent_word: str
    most_frequent_accuracy: float
    next_sentence_accuracy: float | None  # of a random guess
    n_predictions: int  # tokens to predict
    n_pairs: int


class HeldOutTest:
    """The fixed batches, and a model's figures on them, one batch at a time."""

    def __init__(self, text: PreparedText, settings: SmallRunSettings) -> None:
        """Draw the batches; of the settings only the window and the objective count."""
        self.is_causal = settings.objective == "next_word"
        self.has_pairs = settings.objective == "mlm_nsp"
        objective = "next_word" if self.is_causal else "mlm"
        rule, length = CorruptionRule(), settings.length
        task = make_small_task(text, text.held_out, objective, length, TESTED, rule)
        shape = task.phases[0].shapes[0]
        self.batches: list[PretrainingBatch | NextWordBatch] = []
        n_at_once = NEXT_WORD_TESTED if self.is_causal else TESTED
        for number, texts in enumerate(_all_texts(task, length, n_at_once)):
            generator = generator_of_step(HELD_OUT_SEED, f"words {number}", "cpu")
            self.batches.append(task.corrupt(texts, shape, generator))
        self.pairs = _pairs(text, length) if self.has_pairs else []
        self.baselines = self._baselines(text)

    def evaluate(
        self, bert: Bert, step: int, *, bfloat16: bool = False
    ) -> Iterator[HeldOutPoint | None]:
        """Yield None after each batch but the last, and the figures at the end."""
        words, pairs = HeldOutSums(), HeldOutSums()
        sums = torch.zeros(3, dtype=torch.float64)  # of the next words: loss, right, all
        for number, batch in enumerate([*self.batches, *self.pairs]):
            if number:
                yield None
            with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
                if isinstance(batch, NextWordBatch):
                    loss, is_right = next_word_loss(bert, batch)
                    n = batch.n_predictions
                    sums += torch.stack([loss.float() * n, is_right.sum(), n])
                else:
                    part = words if number < len(self.batches) else pairs
                    part.add(batch, pretraining_losses(bert, batch))
        if self.is_causal:
            loss, right = (sums[:2] / sums[2]).tolist()
            yield HeldOutPoint(step=step, loss=loss, accuracy=right)
            return
        figures, of_pairs = words.figures(), pairs.figures()
        yield HeldOutPoint(
            step=step,
            loss=figures.masked_language_loss,
            accuracy=figures.masked_accuracy,
            accuracy_at_masked=figures.accuracy_at_masked,
            accuracy_at_random=figures.accuracy_at_random,
            accuracy_at_kept=figures.accuracy_at_kept,
            next_sentence_loss=of_pairs.next_sentence_loss,
            next_sentence_accuracy=of_pairs.next_sentence_accuracy,
        )

    @torch.no_grad()
    def right(self, bert: Bert) -> list[bool]:
        """Return which tokens of the masked words' test are the likeliest guess."""
        right = []
        for batch in self.batches:
            assert isinstance(batch, PretrainingBatch)
            right += pretraining_losses(bert, batch).is_right[batch.branches >= 0].tolist()
        return right

    def _baselines(self, text: PreparedText) -> Baselines:
        labels = torch.cat([batch.labels.flatten() for batch in self.batches])
        labels = labels[labels != IGNORED_LABEL]
        loss, most_frequent = unigram_baseline(text.train.counts, text.special.all, labels)
        return Baselines(
            unigram_loss=loss,
            most_frequent_word=entry_of(text.tokenizer, most_frequent),
            most_frequent_accuracy=float((labels == most_frequent).double().mean()),
            next_sentence_accuracy=0.5 if self.has_pairs else None,
            n_predictions=len(labels),
            n_pairs=sum(int(batch.n_pairs) for batch in self.pairs),
        )


def unigram_baseline(
    counts: Int[Tensor, " vocabulary"], special_ids: frozenset[int], labels: Int[Tensor, " label"]
) -> tuple[float, int]:
    """Return the loss of the unigram frequencies, and the most frequent token.

    One is added to each count, so that an unseen token has a finite loss. Special tokens are
    never guessed.

    >>> unigram_baseline(torch.tensor([9, 2, 0]), frozenset({0}), torch.tensor([1]))[0] == (
    ...     -math.log(3 / 4)
    ... )
    True
    """
    weights = counts.double() + 1
    weights[list(special_ids)] = 0
    loss = -(weights / weights.sum()).log()[labels].mean()
    return float(loss), int(weights.argmax())


def make_training_task(
    text: PreparedText, settings: SmallRunSettings, objective: Objective | None = None
) -> PretrainingTask:
    """Return the task on the training part for a run of these settings, without its schedule.

    `objective` is the settings' own by default.
    """
    return make_small_task(
        text,
        text.train,
        objective or settings.objective,
        settings.length,
        settings.batch_size,
        settings.corruption,
        single_rate=settings.single_rate,
    )


def make_scheduled_task(
    text: PreparedText, settings: SmallRunSettings
) -> PretrainingTask | ScheduledTask:
    """Return what a run trains on: one task, or one for each step if its settings change that."""
    masked, n_steps = make_training_task(text, settings), settings.n_steps
    if not {"falling_masks", "causal_first"}.intersection(settings.changes):
        return masked
    causal = make_training_task(text, settings, "next_word")
    is_causal_first = "causal_first" in settings.changes
    n_causal = math.ceil(CAUSAL_PROPORTION * n_steps) if is_causal_first else 0

    def task_at(step: int) -> PretrainingTask:
        if step < n_causal:
            return causal
        if "falling_masks" not in settings.changes:
            return masked
        rate = falling_rate(step - n_causal, n_steps - n_causal, settings.mlm_probability)
        return with_rate(masked, rate)

    return ScheduledTask(task_at)


def make_small_task(
    text: PreparedText,
    corpus: TokenCorpus,
    objective: Objective,
    length: int,
    batch_size: int,
    rule: CorruptionRule,
    *,
    single_rate: float = 0.5,
) -> PretrainingTask:
    """Return a task on one part of the text, with one kind of batch: whole sentences."""
    shape = BatchShape(
        length=length, batch_size=batch_size, natural=True, trimmed=True, single_rate=single_rate
    )
    phase = Phase(until_step=2**31, shapes=(shape,))
    kind = NextWordTask if objective == "next_word" else PretrainingTask
    is_nsp = objective == "mlm_nsp"
    return kind(corpus, (phase,), text.special, rule, next_sentence=is_nsp)


def _all_texts(task: PretrainingTask, length: int, n_at_once: int) -> Iterator[Texts]:
    """Yield N_TEXTS held-out sentences, every second with the next one."""
    n = task.corpus.n_sentences
    order = torch.randperm(n, generator=generator_of_step(HELD_OUT_SEED, "order", "cpu"))
    order = order.repeat(-(-N_TEXTS // n))[:N_TEXTS]
    has_second = torch.arange(N_TEXTS) % 2 == 1
    for start in range(0, N_TEXTS, n_at_once):
        part = slice(start, start + n_at_once)
        stretches = sentence_pairs.running_stretches(
            task.corpus, order[part], has_second[part], length
        )
        texts = sentence_pairs.read_texts(task.corpus, stretches, length, task.special)
        yield trim(texts)


def _pairs(text: PreparedText, length: int) -> list[PretrainingBatch]:
    """Return pairs, corrupted as pairs are in training."""
    rule = CorruptionRule()
    task = make_small_task(text, text.held_out, "mlm_nsp", length, TESTED, rule, single_rate=0.0)
    batches = []
    for number in range(N_TEXTS // TESTED):
        batch = task.batch(0, generator_of_step(HELD_OUT_SEED, f"pairs {number}", "cpu"))
        assert isinstance(batch, PretrainingBatch)
        batches.append(batch)
    return batches
