"""A fine-tuning that can be watched: it is done in small pieces of work.

    read the examples -> run the frozen layers once -> dev -> step, step, ... dev, step, ... -> test

After each epoch the dev part is scored, and the weights with the best F1 are kept. At the end the
test part is scored once, with these weights. Data without a dev part is scored on its test part
instead, and the last weights are kept: to choose by the test part would make its scores too good.

Every `next()` does one piece (a batch through the frozen layers, one training step, a batch of a
test) and yields a snapshot. The result depends only on the settings, the examples and the encoder.

Source: Devlin et al. 2019, section 4.

Read before this: fine_tuned.py, watched_run.py, ../training/loop.py.
"""

import math
import time
from collections.abc import Callable, Generator, Hashable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.language_model import OwnModel
from mlm_core.finetuning.encoded_examples import EncodedExample
from mlm_core.finetuning.fine_tuned import (
    make_upper,
    reading_of,
    set_trained,
    starting_bert,
    training_data,
)
from mlm_core.finetuning.scores import predicted_output, score_examples
from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.finetuning.snapshot import (
    FineTuneLoss,
    FineTuneSnapshot,
    FineTuneTest,
    Predictions,
    TrainedWeights,
    keep_trained,
    mean_loss,
)
from mlm_core.finetuning.states_on_disk import StatesOnDisk
from mlm_core.finetuning.task import FineTuneTask, loss_of, predict, read_frozen
from mlm_core.finetuning.upper_layers import UpperLayers
from mlm_core.finetuning.watched_run import WatchedRun
from mlm_core.labelled.examples import Dataset, Example
from mlm_core.shapes import Float, Tensor
from mlm_core.training.curve import LossCurve
from mlm_core.training.loop import NonFiniteLossError, train

MOST_TESTS = 10  # of a run, at the ends of epochs, beside the one before the first step
MOST_POINTS = 1_000  # of the loss curve, which is in each snapshot
READ_AT_ONCE = 64  # examples tokenized between two snapshots


@dataclass(frozen=True, eq=False, kw_only=True)
class Prepared:
    """The encoded examples; nothing changes them, so runs may share them."""

    data: Dataset
    train: list[EncodedExample]
    dev: list[EncodedExample | None]  # None: the answer was cut off
    test: list[EncodedExample | None]
    # After the frozen layers, of the examples that are read again and again: `read_often`.
    states: StatesOnDisk | None
    # Kept, so that no other object gets their id(), and as long as their states the examples.
    of: tuple[object, ...]

    @property
    def read_often(self) -> list[EncodedExample]:
        """Return the training examples and those watched, without those that are cut off."""
        return [*self.train, *_readable(getattr(self, self.data.watched))]


@dataclass(frozen=True, eq=False)
class _Part:
    """The dev or the test part of a run."""

    examples: Sequence[Example]
    encoded: Sequence[EncodedExample | None]
    task: FineTuneTask


class FineTuneRun(WatchedRun[FineTuneSnapshot]):
    """One fine-tuning.

    Runs with the same `shared` keep the prepared examples in common: a second run on the same
    data doesn't encode them again, and with as many frozen layers it reads the same states. Pass a
    WeakValueDictionary, which forgets them with the last run.
    """

    def __init__(
        self,
        settings: FineTuneSettings,
        dataset: Dataset,
        encoder: OwnModel,
        *,
        shared: MutableMapping[Hashable, Prepared] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.settings, self.dataset, self.encoder = settings, dataset, encoder
        self._shared = {} if shared is None else shared
        super().__init__(FineTuneSnapshot(settings=settings, phase="preparing"), clock)

    def _work(self) -> Iterator[dict]:
        """Yield after each piece of work the changed fields of the snapshot."""
        settings = self.settings
        prepared = self._shared.get(self._states_key())
        read = prepared or self._shared.get(self._examples_key())
        if read is None:
            read = yield from self._read_examples()
            self._shared[self._examples_key()] = read
        bert = starting_bert(self.encoder, settings)
        used_ids = None
        if settings.trained == "all":
            used_ids = torch.tensor(sorted({i for e in read.train for i in e.text.ids}))
        upper = make_upper(bert, read.data, settings, used_ids)
        yield {
            "phase": "reading",
            "dataset": read.data,
            "n_steps": settings.n_steps(len(read.train)),
            "n_left_out": len(read.data.train) - len(read.train),
            "n_cut": sum(
                e is not None and e.text.n_left_out > 0
                for e in (*read.train, *read.dev, *read.test)
            ),
            "n_trained": sum(parameter.numel() for parameter in upper.parameters()),
        }
        if prepared is None:
            if upper.embeddings is None:
                states = yield from read_frozen(
                    bert, upper.n_frozen, read.read_often, settings.batch_size
                )
                read = replace(read, states=states, of=(*read.of, read))
            self._shared[self._states_key()] = read
        yield {"phase": "training"}
        yield from self._train(upper, read, bert)
        yield {"phase": "finished"}

    def _train(self, upper: UpperLayers, prepared: Prepared, bert: Bert) -> Iterator[dict]:
        """Do all steps, score dev after each epoch or so, and in the end the test part."""
        settings, n_train = self.settings, len(prepared.train)
        states = prepared.states
        task = self._task(prepared.train, states and states[:n_train], bert)
        watched = self._part(prepared, prepared.data.watched, states and states[n_train:], bert)
        yield from self._watch(upper, watched, 0)
        curve = LossCurve(mean_loss, MOST_POINTS)
        steps_a_test = task.steps_an_epoch * -(-settings.n_epochs // MOST_TESTS)
        for step in train(upper, task, settings.training(n_train), seed=settings.seed):
            curve.add(FineTuneLoss(step=step.number, loss=float(step.loss)))
            yield {"step": step.number, "losses": curve.points()}
            is_last = step.number == self.snapshot.n_steps
            if step.number % steps_a_test == 0 or is_last:
                yield from self._watch(upper, watched, step.number)
        if prepared.dev:
            kept = self.snapshot.weights
            assert isinstance(kept, TrainedWeights)  # since the first test
            set_trained(upper, kept)
            if states is not None:  # read once, so they are not kept while the run lasts
                states = yield from read_frozen(
                    bert, upper.n_frozen, _readable(prepared.test), settings.batch_size
                )
            test = self._part(prepared, "test", states, bert)
            scores, predictions = yield from self._measure(upper, test, kept.step)
            yield {"on_test": scores, "predictions": predictions}

    def _watch(self, upper: UpperLayers, part: _Part, step: int) -> Iterator[dict]:
        """Score a part between the steps; keep the weights, with a dev part if they are better."""
        scores, predictions = yield from self._measure(upper, part, step)
        before = self.snapshot.tests
        changes: dict[str, Any] = {"tests": (*before, scores)}
        if not self.dataset.dev:
            changes |= {"predictions": predictions, "weights": keep_trained(upper, step)}
        elif all(scores.f1 > one.f1 for one in before):
            changes["weights"] = keep_trained(upper, step)
        yield changes

    def _examples_key(self) -> tuple[Hashable, ...]:
        """Return all that the encoded examples depend on."""
        settings = self.settings
        drawn = (settings.n_examples, settings.seed if settings.n_examples else None)
        return (id(self.encoder), id(self.dataset), *drawn, settings.scheme, settings.labelling)

    def _states_key(self) -> Hashable:
        """Return all that the states below the trained layers depend on."""
        settings, n_layers = self.settings, self.encoder.bert.config.n_layers
        n_frozen = None if settings.trained == "all" else settings.n_frozen(n_layers)
        return (*self._examples_key(), n_frozen, settings.batch_size)

    def _read_examples(self) -> Generator[dict, None, Prepared]:
        """Encode the examples of all parts."""
        data = training_data(self.dataset, self.settings)
        reading = reading_of(self.encoder, data, self.settings)
        encoded: list[EncodedExample | None] = []
        examples = (*data.train, *data.dev, *data.test)
        for first in range(0, len(examples), READ_AT_ONCE):
            encoded += map(reading.read, examples[first : first + READ_AT_ONCE])
            yield {}
        dev_at, test_at = len(data.train), len(data.train) + len(data.dev)
        train_part = [example for example in encoded[:dev_at] if example is not None]
        if not train_part:
            raise ValueError(
                "no example fits into this model's window: choose a model with a larger one"
            )
        return Prepared(
            data=data,
            train=train_part,
            dev=encoded[dev_at:test_at],
            test=encoded[test_at:],
            states=None,
            of=(self.encoder, self.dataset),
        )

    def _part(
        self,
        prepared: Prepared,
        name: str,
        states: Sequence[Float[Tensor, "_ hidden"]] | None,
        bert: Bert,
    ) -> _Part:
        encoded = getattr(prepared, name)
        task = self._task(_readable(encoded), states, bert)
        return _Part(getattr(prepared.data, name), encoded, task)

    def _task(
        self,
        examples: list[EncodedExample],
        states: Sequence[Float[Tensor, "_ hidden"]] | None,
        bert: Bert,
    ) -> FineTuneTask:
        return FineTuneTask(
            self.dataset.kind,
            examples,
            states,
            padding_id=bert.config.padding_id,
            batch_size=self.settings.batch_size,
            seed=self.settings.seed,
            device=bert.device,
        )

    def _measure(
        self, upper: UpperLayers, part: _Part, step: int
    ) -> Generator[dict, None, tuple[FineTuneTest, Predictions]]:
        """Predict a part and score it."""
        found: list[Float[Tensor, "... class"]] = []
        for some in predict(upper, part.task):
            found += some
            yield {}
        loss = self._mean_loss(part.task, found)
        if not math.isfinite(loss):
            raise NonFiniteLossError(
                f"the loss of a test is {loss} at step {step}: lower the peak rate"
                f" ({self.settings.peak_learning_rate}) or lengthen the warm-up"
            )
        reading = reading_of(self.encoder, self.dataset, self.settings)
        left = iter(found)
        predicted = [
            "" if encoded is None else predicted_output(example, encoded, next(left), reading)
            for example, encoded in zip(part.examples, part.encoded, strict=True)
        ]
        scores = score_examples(part.examples, predicted, self.settings.scheme)
        test = FineTuneTest(
            step=step, loss=loss, proportion_right=scores.proportion_right, f1=scores.f1
        )
        predictions = Predictions(
            step=step, log_probabilities=tuple(found), predicted=tuple(predicted)
        )
        return test, predictions

    def _mean_loss(self, task: FineTuneTask, found: list[Float[Tensor, "... class"]]) -> float:
        """Return the mean over examples of each one's loss, in nats."""
        losses = [
            loss_of(task.kind, one.unsqueeze(0), example.labels.unsqueeze(0)).item()
            for one, example in zip(found, task.examples, strict=True)
        ]
        return sum(losses) / max(1, len(losses))


def _readable(encoded: Sequence[EncodedExample | None]) -> list[EncodedExample]:
    """Return the examples that are not cut off."""
    return [one for one in encoded if one is not None]
