"""A fine-tuning while you watch, one small piece of work at a time.

    read the examples -> run the frozen layers once -> test -> step, step, ... test, step, ...

Every `next()` does one piece (a batch through the frozen layers, one training step, a batch of a
test) and yields a snapshot. The result depends on the settings, the examples and the encoder
alone. (The module is longer than others, because what is prepared, trained and tested is one
stream of snapshots.)

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
from mlm_core.finetuning.fine_tuned import (
    head_classes,
    head_generator,
    make_upper,
    reading_of,
    starting_bert,
)
from mlm_core.finetuning.heads import start_head
from mlm_core.finetuning.scores import (
    answer_text,
    predicted_class,
    score_examples,
    word_tags,
)
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
from mlm_core.labelled.examples import Dataset, Example, LabelledText, Question
from mlm_core.shapes import Float, Tensor
from mlm_core.training.curve import LossCurve
from mlm_core.training.loop import NonFiniteLossError, generator_of_step, train

MOST_TESTS = 10  # of a run, at the end of an epoch, beside the one before the first step
MOST_POINTS = 1_000  # of the loss curve, which each snapshot carries
READ_AT_ONCE = 64  # examples cut into tokens between two snapshots


@dataclass(frozen=True, eq=False, kw_only=True)
class Prepared:
    """The examples as the model reads them; nothing changes them, so runs may share them."""

    data: Dataset
    learnt: list[EncodedExample]
    tested: list[EncodedExample | None]
    states: list[Float[Tensor, "_ hidden"]] | None  # after the frozen layers: learnt, then tested
    of: tuple[OwnModel, Dataset]  # kept, so that their ids stay their own


class FineTuneRun:
    """One fine-tuning. Making it costs nothing; `go_on` does the work.

    Runs that are given the same `shared` hold what is prepared for equal examples once: of heads
    on the same data and the same frozen layers the second has it at once. Pass a
    WeakValueDictionary, which forgets it with the last of them.
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
        """Return the one stream of snapshots; asking again goes on where it was left.

        Raises ValueError if nothing can be learnt from the data, NonFiniteLossError if the
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

    def _work(self) -> Iterator[dict]:
        """Yield after each piece of work what it changed in the snapshot."""
        settings = self.settings
        prepared = self._shared.get(self._shared_key())
        if prepared is None:
            data, learnt, tested = yield from self._read_examples()
        else:
            data, learnt, tested = prepared.data, prepared.learnt, prepared.tested
        bert = starting_bert(self.encoder, settings)
        upper = self._upper(bert, data, learnt)
        yield {
            "phase": "reading",
            "dataset": data,
            "n_steps": settings.n_steps(len(learnt)),
            "n_left_out": len(data.train) - len(learnt),
            "n_cut": sum(e is not None and e.text.n_left_out > 0 for e in [*learnt, *tested]),
            "n_trained": sum(parameter.numel() for parameter in upper.parameters()),
        }
        readable = [example for example in tested if example is not None]
        if prepared is None:
            states = None
            if upper.embeddings is None:
                states = yield from self._run_frozen(bert, upper.n_frozen, learnt + readable)
            prepared = Prepared(
                data=data,
                learnt=learnt,
                tested=tested,
                states=states,
                of=(self.encoder, self.dataset),
            )
            self._shared[self._shared_key()] = prepared
        states = prepared.states
        task = self._task(learnt, states and states[: len(learnt)], bert)
        test = self._task(readable, states and states[len(learnt) :], bert)
        yield {"phase": "training"}
        yield from self._test(upper, test, tested, 0)
        curve = LossCurve(mean_loss, MOST_POINTS)
        steps_a_test = task.steps_an_epoch * -(-settings.n_epochs // MOST_TESTS)
        for step in train(upper, task, settings.training(len(learnt)), seed=settings.seed):
            curve.add(FineTuneLoss(step=step.number, loss=float(step.loss)))
            yield {"step": step.number, "losses": curve.points()}
            is_last = step.number == self.snapshot.n_steps
            if step.number % steps_a_test == 0 or is_last:
                yield from self._test(upper, test, tested, step.number)
        yield {"phase": "finished"}

    def _shared_key(self) -> Hashable:
        """Return all that the prepared examples depend on, to the last bit of their states."""
        settings, n_layers = self.settings, self.encoder.bert.config.n_layers
        n_trained = None if settings.trained == "all" else settings.n_trained_layers(n_layers)
        of_examples = (settings.n_examples, settings.seed if settings.n_examples else None)
        reading = (settings.scheme, settings.labelling, settings.batch_size)
        return (id(self.encoder), id(self.dataset), n_trained, *of_examples, *reading)

    def _read_examples(self) -> Generator[dict, None, tuple]:
        """Cut the examples into tokens; return the data, what is learnt, and what is tested."""
        settings, data = self.settings, self.dataset
        if settings.n_examples is not None:
            drawing = generator_of_step(settings.seed, "examples", "cpu")
            data = data.fewer(settings.n_examples, drawing)
        learnt: list[EncodedExample] = []
        for part in self._read(data.train):
            learnt += [example for example in part if example is not None]
            yield {}
        if not learnt:
            raise ValueError(
                "no example fits into this model's window: choose a model with a larger one"
            )
        tested: list[EncodedExample | None] = []
        for part in self._read(data.test):
            tested += part
            yield {}
        return data, learnt, tested

    def _run_frozen(
        self, bert: Bert, n_frozen: int, examples: list[EncodedExample]
    ) -> Generator[dict, None, list]:
        """Return each example's states after the frozen layers."""
        states: list[Float[Tensor, "_ hidden"]] = []
        for part in frozen_states(bert, n_frozen, examples, self.settings.batch_size):
            states += part
            yield {"proportion_read": len(states) / len(examples)}
        return states

    def _read(self, examples: tuple[Example, ...]) -> Iterator[list[EncodedExample | None]]:
        reading = reading_of(self.encoder, self.dataset, self.settings)
        for first in range(0, len(examples), READ_AT_ONCE):
            yield [reading.read(example) for example in examples[first : first + READ_AT_ONCE]]

    def _upper(self, bert: Bert, data: Dataset, learnt: list[EncodedExample]) -> UpperLayers:
        settings, used_ids = self.settings, None
        if settings.trained == "all":
            used_ids = torch.tensor(sorted({i for e in learnt for i in e.text.ids}))
        upper = make_upper(bert, data, settings, used_ids)
        start_head(upper.head, bert, head_generator(settings))
        return upper

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
        tested: list[EncodedExample | None],
        step: int,
    ) -> Iterator[dict]:
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
        predicted, left = [], iter(found)
        for example, encoded in zip(self.dataset.test, tested, strict=True):
            predicted.append(
                "" if encoded is None else self._predicted(example, encoded, next(left))
            )
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

    def _predicted(
        self, example: Example, encoded: EncodedExample, found: Float[Tensor, "*token class"]
    ) -> str | tuple[str, ...]:
        settings = self.settings
        classes = head_classes(self.dataset, settings)
        if isinstance(example, LabelledText):
            return predicted_class(found, classes)
        if isinstance(example, Question):
            return answer_text(encoded, found)
        return word_tags(
            encoded, found, len(example.words), classes, settings.scheme, settings.labelling
        )
