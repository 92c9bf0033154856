"""Contrastive learning as a task of the training loop: batches of pairs, and their loss.

    batch   first sentences of some pairs, then all different candidates: partners, hard negatives
    loss    InfoNCE of the first sentences among the candidates, by one vector each or by the
            vectors of all tokens

A sentence that is a partner and a hard negative of another pair is one candidate. First sentences
and candidates go through the trained layers together, each with dropout of its own: of a pair of
equal sentences, that is the only difference.

Source: Gao et al. 2021, sections 3 and 4.
Departs: dropout is on the outputs of attention and feed-forward net in the trained layers, not on
attention weights, nor in the layers below, which run once. Its random numbers come from the step's
generator, so a run depends on its settings alone.

Read before this: info_nce.py, late_interaction.py, ../finetuning/task.py, ../training/loop.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import nn

from mlm_core.encoder.bert import Bert
from mlm_core.finetuning.task import FineTuneBatch, FineTuneTask, numbers_of_step
from mlm_core.finetuning.upper_layers import TrainedLayers
from mlm_core.search.graded_pairs import TrainingPair
from mlm_core.search.info_nce import info_nce, info_nce_of
from mlm_core.search.late_interaction import max_sim
from mlm_core.search.settings import ContrastiveSettings
from mlm_core.search.vectors import pool_states
from mlm_core.shapes import Float, Int, Tensor


class DrawnDropout(nn.Module):
    """Dropout by a given generator, where torch's own takes the global one."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate
        self.generator: torch.Generator | None = None

    def forward(self, states: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
        """Return states of which some numbers are 0, the others larger; unchanged in evaluation."""
        if not self.training or not self.rate:
            return states
        drawn = torch.rand(states.shape, generator=self.generator, device=states.device)
        return states * (drawn >= self.rate) / (1 - self.rate)


@dataclass(frozen=True, eq=False, kw_only=True)
class PairBatch:
    """Some pairs: the first sentences, and after them the candidates, as one batch of texts."""

    texts: FineTuneBatch
    partners: Int[Tensor, " pair"]  # of each first sentence, among the candidates


class ContrastiveTask:
    """A task for train(); `texts` are the sentences of all pairs."""

    def __init__(
        self,
        pairs: Sequence[TrainingPair],
        texts: FineTuneTask,
        number_of: dict[str, int],
        dropout: DrawnDropout,
        settings: ContrastiveSettings,
    ) -> None:
        self.texts, self.settings = texts, settings
        self._dropout = dropout
        self._firsts = [number_of[pair.first] for pair in pairs]
        # The partner comes first.
        self._others = [
            [number_of[one] for one in (pair.second, *pair.negatives)] for pair in pairs
        ]

    def batch(self, step: int, generator: torch.Generator) -> PairBatch:
        """Return a step's pairs in the epoch's order; `generator` draws their dropout."""
        self._dropout.generator = generator
        settings = self.settings
        chosen = numbers_of_step(step, len(self._firsts), settings.batch_size, settings.seed)
        candidates = list(dict.fromkeys(one for i in chosen for one in self._others[i]))
        partners = torch.tensor([candidates.index(self._others[i][0]) for i in chosen])
        texts = self.texts.collect([*(self._firsts[i] for i in chosen), *candidates])
        return PairBatch(texts=texts, partners=partners.to(texts.ids.device))

    def loss(
        self, model: TrainedLayers, batch: PairBatch
    ) -> tuple[Float[Tensor, ""], dict[str, Float[Tensor, ""]]]:
        """Return the loss of a batch, and no other measures."""
        texts, settings = batch.texts, self.settings
        assert texts.states is not None  # the layers below have run
        states = model.last_states(texts.states, texts.not_padding)
        n, real = len(batch.partners), texts.not_padding
        if settings.scoring == "tokens":
            scores = max_sim(states[:n], real[:n], states[n:], real[n:])
            return info_nce_of(scores, batch.partners, settings.temperature).loss, {}
        vectors = pool_states(states, real, settings.pooling)
        found = info_nce(vectors[:n], vectors[n:], batch.partners, settings.temperature)
        return found.loss, {}

    def n_tokens(self, batch: PairBatch) -> int:
        """Return the tokens of a batch, padding included."""
        return self.texts.n_tokens(batch.texts)


def make_upper(
    bert: Bert, settings: ContrastiveSettings, dropout: DrawnDropout | None = None
) -> TrainedLayers:
    """Return the layers that are trained, as they are before the first step."""
    n_read, n_top = settings.layers_of(bert.config.n_layers)
    upper = TrainedLayers(bert, n_top, n_read=n_read)
    if dropout is not None:
        for block in upper.blocks:
            block.dropout = dropout
    return upper
