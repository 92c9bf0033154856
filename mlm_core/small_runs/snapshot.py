"""A small run at one moment: an immutable snapshot, and its model.

A snapshot is made after every piece of work. It shares finished points, rows and checkpoints
with the one before. Weights are kept in float16; a model made from them computes in float32.

The prediction at a blank depends on the objective of the training:

    masked words    P(token | both sides), read at the blank itself
    next word       P(token | left side), read at the position before the blank, causal mask

A model trained on next words has no use for the right context.

Source: SLP3 section 11.2, cloze task; Fig 11.1 for the two directions.

Read before this: held_out.py, ../prediction/fillers.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np
import torch
from tokenizers import Tokenizer

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.language_model import MaskedLanguageModel, OwnModel
from mlm_core.encoder.pretrained import bert_without_weights
from mlm_core.prediction.fillers import FillStep, top_fillers
from mlm_core.short_repr import short_repr
from mlm_core.small_runs.held_out import Baselines, HeldOutPoint
from mlm_core.small_runs.settings import Objective, SmallRunSettings
from mlm_core.small_runs.text import TextFacts
from mlm_core.text.tokens import role_token, tokenize

RunPhase = Literal["preparing", "training", "finished"]


@dataclass(frozen=True, kw_only=True)
class LossPoint:
    """Means over a stretch of steps, which ends with `step`."""

    step: int
    loss: float  # nats; the training minimizes it
    language_loss: float  # its part for words, masked or next
    next_sentence_loss: float | None  # its part for pairs; None if there is none
    rate: float  # learning rate
    gradient_norm: float  # before clipping


@short_repr()
@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """The weights after a step."""

    step: int
    weights: bytes = field(repr=False)  # of float16, in the order of the model's parameters


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class Snapshot:
    """A run at one moment."""

    settings: SmallRunSettings
    phase: RunPhase
    step: int  # steps done
    seconds: float  # of training and testing, without waits between pieces of work
    n_tokens: int  # read so far, padding included
    tokens_a_second: float  # over the last steps; 0 before the first
    losses: tuple[LossPoint, ...] = ()
    held_out: tuple[HeldOutPoint, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    # None while the text is being prepared:
    baselines: Baselines | None = None
    facts: TextFacts | None = None
    tokenizer: Tokenizer | None = None

    @property
    def n_steps(self) -> int:
        """Return the steps of the whole run."""
        return self.settings.n_steps

    @property
    def best_checkpoint(self) -> int:
        """Return which checkpoint has the lowest held-out loss; -1 before the first test.

        The held-out text has chosen it then, so its loss is a little too good.
        """
        losses = {point.step: point.loss for point in self.held_out}
        tested = [i for i, one in enumerate(self.checkpoints) if one.step in losses]
        return min(tested, key=lambda i: losses[self.checkpoints[i].step], default=-1)

    @property
    def seconds_left(self) -> float | None:
        """Return the time that the rest will take at the speed so far; None before step 1."""
        return self.seconds / self.step * (self.n_steps - self.step) if self.step else None


def mean_point(points: Sequence[LossPoint]) -> LossPoint:
    """Return the means of neighbouring points, at the step of the last one."""
    if len(points) == 1:
        return points[0]
    columns = {one.name: [getattr(p, one.name) for p in points] for one in fields(LossPoint)}
    means: dict[str, Any] = {
        name: None if column[0] is None else sum(column) / len(column)
        for name, column in columns.items()
    }
    return LossPoint(**means | {"step": points[-1].step})


@torch.no_grad()
def keep_weights(bert: Bert, step: int) -> Checkpoint:
    """Return a copy of the weights."""
    numbers = torch.cat([parameter.flatten() for parameter in bert.parameters()])
    return Checkpoint(step=step, weights=numbers.half().numpy().tobytes())


def empty_bert(settings: SmallRunSettings, n_entries: int) -> Bert:
    """Return the run's model, whose weights are not set yet."""
    return bert_without_weights(settings.bert_config(n_entries), settings.block_changes)


def model_at(snapshot: Snapshot, checkpoint: int = -1) -> OwnModel:
    """Return the model at one of the snapshot's checkpoints; -1 is the newest.

    Raises ValueError if there is none yet, or the weights are of another model.
    """
    if not snapshot.checkpoints or snapshot.tokenizer is None:
        raise ValueError("this run has no model yet: wait until its text is prepared")
    if not -len(snapshot.checkpoints) <= checkpoint < len(snapshot.checkpoints):
        raise ValueError(
            f"checkpoint {checkpoint}: this run has {len(snapshot.checkpoints)}, counted from 0"
        )
    kept = snapshot.checkpoints[checkpoint]
    name = f"small encoder after {kept.step:,} of {snapshot.n_steps:,} steps"
    return model_of(snapshot.settings, snapshot.tokenizer, kept, name)


def model_of(
    settings: SmallRunSettings, tokenizer: Tokenizer, kept: Checkpoint, name: str
) -> OwnModel:
    """Return the model with the weights of a checkpoint.

    Raises ValueError if the weights are of another model.
    """
    bert = empty_bert(settings, tokenizer.get_vocab_size())
    numbers = torch.from_numpy(np.frombuffer(kept.weights, np.float16).astype(np.float32))
    sizes = [parameter.numel() for parameter in bert.parameters()]
    if len(numbers) != sum(sizes):
        raise ValueError(
            f"{len(numbers):,} weights for a model of {sum(sizes):,}: they belong to other settings"
        )
    with torch.no_grad():
        for parameter, part in zip(bert.parameters(), numbers.split(sizes), strict=True):
            parameter.copy_(part.view_as(parameter))
    return OwnModel(name, bert.eval().requires_grad_(False), tokenizer)


def blank_guesses(
    model: MaskedLanguageModel, sentence: str, objective: Objective, n: int
) -> FillStep:
    """Return the `n` likeliest words for the first [MASK] of a sentence.

    Raises ValueError if there is none in the part that the model's window holds.
    """
    text = tokenize(model.tokenizer, sentence, max_tokens=model.max_tokens)
    mask = role_token(model.tokenizer, "[MASK]")
    blank = next((i for i, token in enumerate(text.tokens) if token.text == mask), None)
    if blank is None:
        raise ValueError(
            f"no {mask} among the first {len(text.tokens)} tokens: write {mask} in place of a word"
        )
    if objective == "next_word":
        # The blank is never at position 0, which is [CLS].
        logits = model.vocabulary_logits(text, causal=True)[blank - 1]
    else:
        logits = model.vocabulary_logits(text)[blank]
    return FillStep(position=blank, before=text, guesses=top_fillers(logits, n, model.tokenizer))
