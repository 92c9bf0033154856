"""A contrastive training that can be watched: it is done in small pieces of work.

    read the sentences -> run the frozen layers once -> dev -> step, step, ... dev, step, ...

After each epoch or so the dev part is searched, and the weights with the highest mean reciprocal
rank are kept; the untrained ones, too, so training that doesn't help leaves the encoder as it was.
Dev has labels also where the pairs have none. The test part isn't read here: `trained_encoder`
gives a model, to be scored once.

Every `next()` does one piece and yields a snapshot. The result depends only on the settings, the
pairs and the encoder.

Source: Gao et al. 2021, appendix A (the best checkpoint on dev is kept).

Read before this: contrastive_task.py, ranking.py, ../finetuning/run.py.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import torch
from torch import nn

from mlm_core.encoder.bert import EncoderBlock
from mlm_core.encoder.language_model import OwnModel
from mlm_core.finetuning.encoded_examples import EncodedExample
from mlm_core.finetuning.fine_tuned import set_trained
from mlm_core.finetuning.run import MOST_POINTS, MOST_TESTS
from mlm_core.finetuning.snapshot import (
    FineTuneLoss,
    RunSnapshot,
    TrainedWeights,
    keep_trained,
    mean_loss,
)
from mlm_core.finetuning.task import FineTuneTask, read_frozen
from mlm_core.finetuning.upper_layers import TrainedLayers
from mlm_core.finetuning.watched_run import WatchedRun
from mlm_core.prediction.one_step import copy_with
from mlm_core.search.contrastive_task import ContrastiveTask, DrawnDropout, make_upper
from mlm_core.search.graded_pairs import SearchTask, TrainingPair
from mlm_core.search.late_interaction import late_scores, token_states
from mlm_core.search.ranking import Measure, measure, rank_candidates
from mlm_core.search.settings import ContrastiveSettings
from mlm_core.search.vectors import task_cosines
from mlm_core.shapes import Float
from mlm_core.short_repr import short_repr
from mlm_core.text.tokens import tokenize
from mlm_core.training.curve import LossCurve
from mlm_core.training.loop import train

READ_AT_ONCE = 32  # sentences through the frozen layers between two snapshots


@dataclass(frozen=True, kw_only=True)
class DevTest:
    """The dev part's search after a step."""

    step: int
    measures: dict[Measure, float]


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class ContrastiveSnapshot(RunSnapshot):
    """The state of a run after a piece of work; it never changes."""

    settings: ContrastiveSettings
    phase: str = "reading"  # then "training", "finished"
    tests: tuple[DevTest, ...] = ()  # before the first step, then after each epoch or so
    weights: TrainedWeights | None = None  # the best on dev so far


class ContrastiveRun(WatchedRun[ContrastiveSnapshot]):
    """One run."""

    def __init__(
        self,
        settings: ContrastiveSettings,
        pairs: Sequence[TrainingPair],
        dev: SearchTask,
        encoder: OwnModel,
    ) -> None:
        self.settings, self.pairs, self.dev, self.encoder = settings, tuple(pairs), dev, encoder
        super().__init__(ContrastiveSnapshot(settings=settings))

    def _work(self) -> Iterator[dict]:
        """Yield after each piece of work the changed fields of the snapshot."""
        settings, bert = self.settings, self.encoder.bert
        if not self.pairs:
            raise ValueError("no pair to learn from: give at least two")
        training = settings.training(len(self.pairs))
        dropout = DrawnDropout(settings.dropout_rate)
        upper = make_upper(bert, settings, dropout)
        n_trained = sum(parameter.numel() for parameter in upper.parameters())
        yield {"n_steps": training.n_steps, "n_trained": n_trained}
        texts, number_of = yield from self._read(upper.n_frozen)
        yield {"phase": "training"}
        yield self._test(upper, 0)
        task = ContrastiveTask(self.pairs, texts, number_of, dropout, settings)
        curve = LossCurve(mean_loss, MOST_POINTS)
        steps_a_test = settings.steps_an_epoch(len(self.pairs)) * -(
            -settings.n_epochs // MOST_TESTS
        )
        for step in train(upper, task, training, seed=settings.seed):
            curve.add(FineTuneLoss(step=step.number, loss=float(step.loss)))
            yield {"step": step.number, "losses": curve.points()}
            if step.number % steps_a_test == 0 or step.number == training.n_steps:
                yield self._test(upper, step.number)
        yield {"phase": "finished"}

    def _read(self, n_frozen: int) -> Generator[dict, None, tuple[FineTuneTask, dict[str, int]]]:
        """Return all sentences of the pairs after the frozen layers, and each one's number."""
        encoder, settings = self.encoder, self.settings
        number_of: dict[str, int] = {}
        for pair in self.pairs:
            for sentence in (pair.first, pair.second, *pair.negatives):
                number_of.setdefault(sentence, len(number_of))
        no_label = torch.zeros(1, dtype=torch.long)
        read = [
            EncodedExample(
                text=tokenize(encoder.tokenizer, sentence, max_tokens=encoder.max_tokens),
                labels=no_label,
            )
            for sentence in number_of
        ]
        states = yield from read_frozen(encoder.bert, n_frozen, read, READ_AT_ONCE)
        texts = FineTuneTask(
            "classes",
            read,
            states,
            padding_id=encoder.bert.config.padding_id,
            batch_size=settings.batch_size,
            seed=settings.seed,
            device=encoder.bert.device,
        )
        return texts, number_of

    def _test(self, upper: TrainedLayers, step: int) -> dict:
        """Search the dev part; keep the weights if they are better than all before."""
        upper.eval()
        model = _with_upper(self.encoder, upper)
        ranked = rank_candidates(scores_of(self.settings, model, self.dev), self.dev)
        upper.train()
        whole = np.ones((1, self.dev.n_queries), dtype=int)
        measures = {name: float(value[0]) for name, value in measure(ranked, whole).items()}
        before = self.snapshot.tests
        changes: dict = {"tests": (*before, DevTest(step=step, measures=measures))}
        best = max((test.measures["mean_reciprocal_rank"] for test in before), default=-1.0)
        if measures["mean_reciprocal_rank"] > best:
            changes["weights"] = keep_trained(upper, step)
        return changes


def scores_of(
    settings: ContrastiveSettings, model: OwnModel, task: SearchTask
) -> Float[np.ndarray, "query candidate"]:
    """Return the score of each query with each candidate, by what a run trains for."""
    if settings.scoring == "tokens":
        states = token_states(model, [*task.queries, *task.candidates])
        return late_scores(states[: task.n_queries], states[task.n_queries :])
    return task_cosines(model, task, pooling=settings.pooling)


def trained_encoder(snapshot: ContrastiveSnapshot, encoder: OwnModel) -> OwnModel:
    """Return the encoder with the weights that a run kept; `encoder` is the one it started from.

    It has the layers that were read, and no heads. Raises ValueError if there are no weights yet,
    or they belong to another encoder.
    """
    if snapshot.weights is None:
        raise ValueError("this run has no weights yet: wait until its first test on dev")
    upper = make_upper(encoder.bert, snapshot.settings)
    set_trained(upper, snapshot.weights)
    upper.eval().requires_grad_(False)
    return _with_upper(encoder, upper)


def _with_upper(encoder: OwnModel, upper: TrainedLayers) -> OwnModel:
    """Return a model of the encoder's lower layers and these; all weights are shared."""
    blocks = [*encoder.bert.blocks[: upper.n_frozen], *upper.blocks]
    joined = copy_with(encoder.bert, {})
    joined.config = replace(
        encoder.bert.config,
        n_layers=len(blocks),
        has_masked_language_head=False,
        has_next_sentence_head=False,
    )
    # torch's own type of a ModuleList doesn't say of what.
    joined.blocks = cast("Sequence[EncoderBlock]", nn.ModuleList(blocks))
    joined.masked_language_head = joined.next_sentence_head = None
    return OwnModel(encoder.name, joined.eval(), encoder.tokenizer)
