"""A fine-tuning that can be watched: it is done in small pieces of work.

    read the examples -> run the frozen layers once -> test -> step, step, ... test, step, ...

Every `next()` does one piece (a batch through the frozen layers, one training step, a batch of a
test) and yields a snapshot. The result depends only on the settings, the examples and the encoder.

Source: Devlin et al. 2019, section 4.

Read before this: fine_tuned.py, ../training/loop.py.
"""

import math
import time
from collections.abc import Callable, Generator, Hashable, Iterator, MutableMapping
from dataclasses import dataclass, replace

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.language_model import OwnModel
from mlm_core.finetuning.encoded_examples import EncodedExample
from mlm_core.finetuning.fine_tuned import make_upper, reading_of, starting_bert, training_data
from mlm_core.finetuning.scores import predicted_output, score_examples
from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.finetuning.snapshot import (
    FineTuneLoss,
    FineTuneSnapshot,
    FineTuneTest,
    Predictions,
    keep_trained,
    mean_loss,
)
from mlm_core.finetuning.task import FineTuneTask, frozen_states, loss_of, predict
from mlm_core.finetuning.upper_layers import UpperLayers
from mlm_core.labelled.examples import Dataset
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
    test: list[EncodedExample | None]  # None: the answer was cut off
    states: list[Float[Tensor, "_ hidden"]] | None  # after the frozen layers: train, then test
    of: tuple[OwnModel, Dataset]  # kept, so that no other object gets their id()


class FineTuneRun:
    """One fine-tuning. Making it costs nothing; `go_on` does the work.

    Runs with the same `shared` keep the prepared examples in common: a second run on the same
    data and frozen layers doesn't prepare them again. Pass a WeakValueDictionary, which forgets
    them with the last run.
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
        self.snapshot = FineTuneSnapshot(
            settings=settings, phase="preparing", step=0, n_steps=0, seconds=0.0
        )
        self._clock = clock
        self._snapshots = self._go_on()

    def go_on(self) -> Iterator[FineTuneSnapshot]:
        """Return the one stream of snapshots; a second call continues it.

        Raises ValueError if no example can be trained on, NonFiniteLossError if the
        training diverges.
        """
        return self._snapshots

    def _go_on(self) -> Iterator[FineTuneSnapshot]:
        work = self._work()
        while True:
            begun = self._clock()
            changes = next(work, None)
            if changes is None:
                return
            seconds = self.snapshot.seconds + self._clock() - begun
            if not (self.snapshot.step or changes.get("step")):
                changes["seconds_before"] = seconds
            self.snapshot = replace(self.snapshot, seconds=seconds, **changes)
            yield self.snapshot

    def _work(self) -> Iterator[dict]:  # noqa: PLR0915 - a run from its start to its end
        """Yield after each piece of work the changed fields of the snapshot."""
        settings = self.settings
        prepared = self._shared.get(self._shared_key())
        if prepared is None:
            data, train_part, test_part = yield from self._read_examples()
        else:
            data, train_part, test_part = prepared.data, prepared.train, prepared.test
        bert = starting_bert(self.encoder, settings)
        used_ids = None
        if settings.trained == "all":
            used_ids = torch.tensor(sorted({i for e in train_part for i in e.text.ids}))
        upper = make_upper(bert, data, settings, used_ids)
        yield {
            "phase": "reading",
            "dataset": data,
            "n_steps": settings.n_steps(len(train_part)),
            "n_left_out": len(data.train) - len(train_part),
            "n_cut": sum(
                e is not None and e.text.n_left_out > 0 for e in [*train_part, *test_part]
            ),
            "n_trained": sum(parameter.numel() for parameter in upper.parameters()),
        }
        readable = [example for example in test_part if example is not None]
        if prepared is None:
            states = None
            if upper.embeddings is None:
                states = yield from self._run_frozen(bert, upper.n_frozen, train_part + readable)
            prepared = Prepared(
                data=data,
                train=train_part,
                test=test_part,
                states=states,
                of=(self.encoder, self.dataset),
            )
            self._shared[self._shared_key()] = prepared
        states = prepared.states
        task = self._task(train_part, states and states[: len(train_part)], bert)
        test = self._task(readable, states and states[len(train_part) :], bert)
        yield {"phase": "training"}
        yield from self._test(upper, test, test_part, 0)
        curve = LossCurve(mean_loss, MOST_POINTS)
        steps_a_test = task.steps_an_epoch * -(-settings.n_epochs // MOST_TESTS)
        for step in train(upper, task, settings.training(len(train_part)), seed=settings.seed):
            curve.add(FineTuneLoss(step=step.number, loss=float(step.loss)))
            yield {"step": step.number, "losses": curve.points()}
            is_last = step.number == self.snapshot.n_steps
            if step.number % steps_a_test == 0 or is_last:
                yield from self._test(upper, test, test_part, step.number)
        yield {"phase": "finished"}

    def _shared_key(self) -> Hashable:
        """Return all settings that the prepared examples and their states depend on."""
        settings, n_layers = self.settings, self.encoder.bert.config.n_layers
        n_trained = None if settings.trained == "all" else settings.n_trained_layers(n_layers)
        of_examples = (settings.n_examples, settings.seed if settings.n_examples else None)
        reading = (settings.scheme, settings.labelling, settings.batch_size)
        return (id(self.encoder), id(self.dataset), n_trained, *of_examples, *reading)

    def _read_examples(self) -> Generator[dict, None, tuple]:
        """Encode the examples; return the data, the training part and the test part."""
        data = training_data(self.dataset, self.settings)
        reading = reading_of(self.encoder, data, self.settings)
        encoded: list[EncodedExample | None] = []
        examples = (*data.train, *data.test)
        for first in range(0, len(examples), READ_AT_ONCE):
            encoded += map(reading.read, examples[first : first + READ_AT_ONCE])
            yield {}
        n_train = len(data.train)
        train_part = [example for example in encoded[:n_train] if example is not None]
        if not train_part:
            raise ValueError(
                "no example fits into this model's window: choose a model with a larger one"
            )
        return data, train_part, encoded[n_train:]

    def _run_frozen(
        self, bert: Bert, n_frozen: int, examples: list[EncodedExample]
    ) -> Generator[dict, None, list]:
        """Return each example's states after the frozen layers."""
        states: list[Float[Tensor, "_ hidden"]] = []
        for part in frozen_states(bert, n_frozen, examples, self.settings.batch_size):
            states += part
            yield {"proportion_read": len(states) / len(examples)}
        return states

    def _task(
        self,
        examples: list[EncodedExample],
        states: list[Float[Tensor, "_ hidden"]] | None,
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

    def _test(
        self,
        upper: UpperLayers,
        task: FineTuneTask,
        test_part: list[EncodedExample | None],
        step: int,
    ) -> Iterator[dict]:
        """Predict the test part and score it; yield the test's results last."""
        found: list[Float[Tensor, "... class"]] = []
        for part in predict(upper, task):
            found += part
            yield {}
        loss = self._mean_loss(task, found)
        if not math.isfinite(loss):
            raise NonFiniteLossError(
                f"the test loss is {loss} at step {step}: lower the peak rate"
                f" ({self.settings.peak_learning_rate}) or lengthen the warm-up"
            )
        reading = reading_of(self.encoder, self.dataset, self.settings)
        left = iter(found)
        predicted = [
            "" if encoded is None else predicted_output(example, encoded, next(left), reading)
            for example, encoded in zip(self.dataset.test, test_part, strict=True)
        ]
        scores = score_examples(self.dataset.test, predicted, self.settings.scheme)
        test = FineTuneTest(
            step=step, loss=loss, proportion_right=scores.proportion_right, f1=scores.f1
        )
        yield {
            "tests": (*self.snapshot.tests, test),
            "predictions": Predictions(
                step=step, log_probabilities=tuple(found), predicted=tuple(predicted)
            ),
            "weights": keep_trained(upper, step),
        }

    def _mean_loss(self, task: FineTuneTask, found: list[Float[Tensor, "... class"]]) -> float:
        """Return the mean over examples of each one's loss, in nats."""
        losses = [
            loss_of(task.kind, one.unsqueeze(0), example.labels.unsqueeze(0)).item()
            for one, example in zip(found, task.examples, strict=True)
        ]
        return sum(losses) / max(1, len(losses))
