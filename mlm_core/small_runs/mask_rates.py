"""15 % or any share: two ways to draw how much is hidden, and what each encoder then writes.

    fixed   15 % of each text's tokens          BERT
    drawn   a share t for each text, 0 to 1     masked diffusion: MDLM, LLaDA

A chosen token always becomes [MASK], in both, so the share is all that differs. Then each encoder
writes sentences from blanks alone, and the grammar of the mini world says which of them are its.

Source: Sahoo et al. 2024 (MDLM) and Nie et al. 2025 (LLaDA) for the drawn share.
Departs: each hidden token counts once in the loss. MDLM and LLaDA divide a text's loss by t, which
makes it a bound of the text's likelihood. Their texts are longer and their models larger.

`make stored STORED=mask_rates` trains the runs, ../stored/mask_rates.py reads them.

Read before this: held_out.py, ../prediction/unmasking.py.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from random import Random
from typing import Literal, get_args

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.language_model import OwnModel
from mlm_core.masking.rule import CorruptionRule
from mlm_core.prediction.unmasking import unmask
from mlm_core.pretraining.batches import BatchShape, PretrainingBatch
from mlm_core.pretraining.objectives import PretrainingTask, pretraining_losses
from mlm_core.pretraining.sentence_pairs import Texts
from mlm_core.shapes import Bool, Tensor
from mlm_core.small_runs.held_out import HELD_OUT_SEED, make_small_task, make_training_task
from mlm_core.small_runs.settings import TESTED, SmallRunSettings
from mlm_core.small_runs.text import PreparedText
from mlm_core.text.mini_world.grammar import patterns
from mlm_core.text.tokens import tokenize
from mlm_core.training.loop import generator_of_step

HiddenShare = Literal["fixed", "drawn"]
HIDDEN_SHARES: tuple[HiddenShare, ...] = get_args(HiddenShare)
N_BATCHES = 4  # of TESTED texts, for the loss at a share


def choose_drawn(
    may_be_chosen: Bool[Tensor, "batch token"], generator: torch.Generator
) -> Bool[Tensor, "batch token"]:
    """Return the tokens to hide: each text draws its share t, then each token with chance t."""
    shares = torch.rand(len(may_be_chosen), 1, generator=generator)
    return may_be_chosen & (torch.rand(may_be_chosen.shape, generator=generator) < shares)


class DrawnShareTask(PretrainingTask):
    """Pretraining on batches in which each text has a share of its own."""

    def corrupt(
        self, texts: Texts, shape: BatchShape, generator: torch.Generator
    ) -> PretrainingBatch:
        """Return the texts with tokens chosen by their shares and replaced by the rule."""
        chosen = choose_drawn(self.may_be_chosen(texts), generator)
        return self.replace(texts, chosen, shape, generator)


def pretraining_task(
    share: HiddenShare, text: PreparedText, settings: SmallRunSettings
) -> PretrainingTask:
    """Return the task of one of the two ways."""
    task = make_training_task(text, settings)
    if share == "drawn":
        return DrawnShareTask(
            task.corpus, task.phases, task.special, task.settings, next_sentence=False
        )
    return task


@torch.inference_mode()
def loss_at(share: float, bert: Bert, text: PreparedText, length: int) -> float:
    """Return the held-out loss, nats a token, where this share is hidden behind [MASK]."""
    rule = CorruptionRule(mlm_probability=share, mask_rate=1.0, random_rate=0.0, keep_rate=0.0)
    task = make_small_task(text, text.held_out, "mlm", length, TESTED, rule)
    (shape,) = task.phases[0].shapes
    total = n = 0.0
    for number in range(N_BATCHES):
        generator = generator_of_step(HELD_OUT_SEED, f"texts {number}", "cpu")
        batch = task.corrupt(task.draw_texts(shape, generator), shape, generator)
        loss = pretraining_losses(bert, batch).masked_language_loss
        total += float(loss * batch.n_predictions)
        n += float(batch.n_predictions)
    return total / n


def write_sentences(
    model: OwnModel, lengths: Sequence[int], n_steps: int, rng: Random
) -> Iterator[tuple[str, ...]]:
    """Yield a sentence of each length in words, written from blanks alone.

    Words are drawn at temperature 1 in a random order, so that each text is a sample of what the
    model takes for likely. A length below `n_steps` is written with a step for each word.
    """
    for length in lengths:
        text = tokenize(model.tokenizer, " ".join(["[MASK]"] * length))
        for step in unmask(model, text, min(n_steps, length), "random", rng, temperature=1.0):
            text = step.after
        yield tuple(token.text for token in text.tokens if not token.is_special)


def neighbours_of_grammar() -> frozenset[tuple[str, str]]:
    """Return each two words that can follow each other in a sentence of the mini world."""
    found: set[tuple[str, str]] = set()
    for pattern in patterns():
        for first, second in pairwise(pattern.slots):
            together = zip if first.variable and first.variable == second.variable else product
            found.update(together(first.words, second.words))
    return frozenset(found)


def share_of_neighbours(
    sentences: Sequence[tuple[str, ...]], known: frozenset[tuple[str, str]]
) -> float:
    """Return the proportion of neighbouring words in the sentences that are `known`.

    >>> share_of_neighbours([("a", "boat", "a", ".")], frozenset({("a", "boat")}))
    0.3333333333333333
    """
    pairs = [pair for words in sentences for pair in pairwise(words)]
    return sum(pair in known for pair in pairs) / len(pairs)
