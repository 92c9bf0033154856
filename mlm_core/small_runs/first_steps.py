"""The first steps of a run, with each term of AdamW for one row of its weights.

    the run itself      gradient after clipping, weight before and after each step
    update_weight()     m, v, m', v', step and decay, in float64 from the run's gradients

The steps are those of the run with the same settings: its text, its batches, its starting
weights. What the terms give can so be compared with what the run's weight became.

Source: as ../training/adamw.py.

Read before this: run.py, ../training/adamw.py.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from torch import nn

from mlm_core.encoder.bert import Bert
from mlm_core.shapes import Tensor
from mlm_core.short_repr import short_repr
from mlm_core.small_runs.held_out import make_training_task
from mlm_core.small_runs.run import untrained_bert
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.text import PreparedText
from mlm_core.training.adamw import AdamW, WeightUpdate, update_weight
from mlm_core.training.loop import TrainingSettings, train

N_STEPS = 5
# The embedding of a token; the first row of layer 1's query and of its first feed-forward matrix;
# its first LayerNorm's gain, a vector, which isn't decayed.
Followed = Literal["token", "query", "feed_forward", "norm"]
FOLLOWED: tuple[Followed, ...] = get_args(Followed)


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class FollowedRow:
    """One row of weights over the first steps of a run."""

    settings: TrainingSettings
    rates: tuple[float, ...]  # a learning rate a step
    gradient_norms: tuple[float, ...]  # of all weights together, before clipping
    weight_decay: float  # 0 for vectors
    gradients: tuple[tuple[float, ...], ...]  # [step][entry], after clipping
    weights: tuple[tuple[float, ...], ...]  # [step][entry], with the start: one more

    def updates(self, entry: int) -> tuple[WeightUpdate, ...]:
        """Return the terms of every step for one weight of the row.

        Each step begins at the weight that the run had then.
        """
        found: list[WeightUpdate] = []
        for rate, gradients, weights in zip(self.rates, self.gradients, self.weights, strict=False):
            found.append(
                update_weight(
                    weights[entry],
                    gradients[entry],
                    found[-1] if found else None,
                    rate=rate,
                    betas=self.settings.betas,
                    epsilon=self.settings.epsilon,
                    weight_decay=self.weight_decay,
                )
            )
        return tuple(found)


def follow_row(
    text: PreparedText, settings: SmallRunSettings, followed: Followed, row: int = 0
) -> FollowedRow:
    """Train the run's first N_STEPS steps and return what happens to one row of its weights.

    `row` is a token's id; other matrices are followed in their first row.
    Raises NonFiniteLossError if the training diverges within these steps.
    """
    bert = untrained_bert(settings, text.tokenizer.get_vocab_size())
    training = settings.training()
    parameter = _parameter(bert, followed)
    index = row if followed == "token" else 0
    optimizer = _RecordingAdamW(bert, training, parameter, index)
    rates, norms = [], []
    for step in train(
        bert, make_training_task(text, settings), training, seed=settings.seed, optimizer=optimizer
    ):
        rates.append(step.rate)
        norms.append(float(step.gradient_norm))
        if step.number == N_STEPS:
            break
    return FollowedRow(
        settings=training,
        rates=tuple(rates),
        gradient_norms=tuple(norms),
        weight_decay=training.weight_decay if parameter.ndim > 1 else 0.0,
        gradients=tuple(optimizer.gradients),
        weights=tuple(optimizer.weights),
    )


def _parameter(bert: Bert, followed: Followed) -> nn.Parameter:
    block = bert.blocks[0]
    followed_weight = {
        "token": bert.embeddings.token.weight,
        "query": block.attention.query.weight,
        "feed_forward": block.inner.weight,
        "norm": block.attention_norm.weight,
    }[followed]
    assert isinstance(followed_weight, nn.Parameter)
    return followed_weight


class _RecordingAdamW(AdamW):
    """AdamW that keeps one row's gradients and weights."""

    def __init__(
        self, bert: Bert, training: TrainingSettings, parameter: nn.Parameter, row: int
    ) -> None:
        super().__init__(
            bert.parameters(),
            rate=training.peak_learning_rate,
            betas=training.betas,
            epsilon=training.epsilon,
            weight_decay=training.weight_decay,
        )
        self._parameter, self._row = parameter, row
        self.gradients: list[tuple[float, ...]] = []
        self.weights = [self._entries(parameter.data)]

    def step(self) -> None:
        assert self._parameter.grad is not None
        self.gradients.append(self._entries(self._parameter.grad))
        super().step()
        self.weights.append(self._entries(self._parameter.data))

    def _entries(self, values: Tensor) -> tuple[float, ...]:
        return tuple((values[self._row] if values.ndim > 1 else values).tolist())
