"""An encoder trained while you watch, one small piece of work at a time.

    prepare the text -> test the untrained model -> step, step, ... with a test now and then

Every `next()` does one piece (a chunk of text, one training step, one batch of a test) and
yields a snapshot, so the caller can stop, wait, or run others after any of them. The result
depends on the settings alone: each step's random numbers come from (seed, step).

Source: Devlin et al. 2019, section 3.1 and appendix A.2, at a thousandth of the size.

Read before this: ../pretraining/objectives.py; also snapshot.py. Read next:
../embeddings/contextual.py; also ../probing/neighbours.py.
"""

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace

from mlm_core.encoder.bert import Bert
from mlm_core.pretraining.starting_weights import set_starting_weights
from mlm_core.small_runs.held_out import HeldOutTest, make_scheduled_task
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.snapshot import (
    Checkpoint,
    LossPoint,
    Snapshot,
    empty_bert,
    keep_weights,
    mean_point,
)
from mlm_core.small_runs.text import PreparedText, prepare
from mlm_core.training.curve import LossCurve
from mlm_core.training.loop import NonFiniteLossError, TrainingStep, generator_of_step, train

RECENT_STEPS = 20  # over which the speed is measured


class SmallRun:
    """One run. `go_on` does the work.

    Pass `text` if another run has prepared the same text with the same vocabulary.
    """

    def __init__(
        self,
        settings: SmallRunSettings,
        *,
        text: PreparedText | None = None,
        bfloat16: bool = False,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.settings, self.text = settings, text
        self.snapshot = Snapshot(
            settings=settings, phase="preparing", step=0, seconds=0.0, n_tokens=0, tokens_a_second=0
        )
        self._bfloat16, self._clock = bfloat16, clock
        self._checkpoints: list[Checkpoint] = []
        self._newest: Checkpoint | None = None
        self._best: Checkpoint | None = None  # by the held-out loss
        self._curve = LossCurve(mean_point)
        self._recent: deque[tuple[int, float]] = deque(maxlen=RECENT_STEPS)  # tokens, seconds
        self._snapshots = self._go_on()

    def go_on(self) -> Iterator[Snapshot]:
        """Return the one iterator of snapshots; a second call returns the same.

        Raises ValueError if the text is too small, NonFiniteLossError if the training diverges.
        """
        return self._snapshots

    def _go_on(self) -> Iterator[Snapshot]:
        yield from self._prepare()
        work = self._work()
        while True:
            begun = self._clock()
            changes = next(work, None)
            if changes is None:
                return
            spent = self._clock() - begun
            n_tokens = changes.pop("tokens", 0)
            if n_tokens:
                self._recent.append((n_tokens, spent))
            speed = sum(n for n, _ in self._recent) / max(1e-9, sum(s for _, s in self._recent))
            self.snapshot = replace(
                self.snapshot,
                seconds=self.snapshot.seconds + spent,
                n_tokens=self.snapshot.n_tokens + n_tokens,
                tokens_a_second=speed if self._recent else 0.0,
                **changes,
            )
            yield self.snapshot

    def _prepare(self) -> Iterator[Snapshot]:
        if self.text is None:
            for prepared in prepare(self.settings):
                self.text = prepared  # None until the last
                yield self.snapshot
        assert self.text is not None
        self.snapshot = replace(self.snapshot, facts=self.text.facts, tokenizer=self.text.tokenizer)
        yield self.snapshot

    def _work(self) -> Iterator[dict]:
        """Yield the changes of the snapshot after each piece of work."""
        settings, text = self.settings, self.text
        assert text is not None  # it is prepared
        test = HeldOutTest(text, settings)
        yield {"baselines": test.baselines}
        bert = untrained_bert(settings, text.tokenizer.get_vocab_size())
        self._checkpoints.append(keep_weights(bert, 0))
        yield {"phase": "training", "checkpoints": tuple(self._checkpoints)}
        yield from self._test(test, bert, 0)
        kept_steps = frozenset(settings.checkpoint_steps)
        training = settings.training(bfloat16=self._bfloat16)
        task = make_scheduled_task(text, settings)
        for step in train(bert, task, training, seed=settings.seed):
            self._curve.add(_point(step))
            if step.number in kept_steps:
                self._checkpoints.append(keep_weights(bert, step.number))
            yield {
                "step": step.number,
                "tokens": step.n_tokens,
                "losses": self._curve.points(),
                "checkpoints": self._all_checkpoints(),
            }
            is_last = step.number == settings.n_steps
            if step.number % settings.evaluate_every == 0 or is_last:
                yield from self._test(test, bert, step.number)
        yield {"phase": "finished"}

    def _test(self, test: HeldOutTest, bert: Bert, step: int) -> Iterator[dict]:
        for point in test.evaluate(bert, step, bfloat16=self._bfloat16):
            if point is None:
                yield {}
        assert point is not None  # the last
        if not math.isfinite(point.loss):
            raise NonFiniteLossError(
                f"the held-out loss is {point.loss} at step {step}: lower the peak rate"
                f" ({self.settings.peak_learning_rate}) or lengthen the warm-up"
            )
        self._newest = keep_weights(bert, step)
        if all(point.loss < before.loss for before in self.snapshot.held_out):
            self._best = self._newest
        yield {
            "held_out": (*self.snapshot.held_out, point),
            "checkpoints": self._all_checkpoints(),
        }

    def _all_checkpoints(self) -> tuple[Checkpoint, ...]:
        """Return the checkpoints of checkpoint_steps, the newest one and the best one."""
        kept = {one.step: one for one in (self._best, self._newest, *self._checkpoints) if one}
        return tuple(kept[step] for step in sorted(kept))


def untrained_bert(settings: SmallRunSettings, n_entries: int) -> Bert:
    """Return the run's model before its first step."""
    bert = empty_bert(settings, n_entries)
    weights = generator_of_step(settings.seed, "starting weights", "cpu")
    set_starting_weights(bert, settings.start, weights)
    return bert


def _point(step: TrainingStep) -> LossPoint:
    pairs = step.measures.get("next_sentence_loss")
    loss = float(step.loss)
    return LossPoint(
        step=step.number,
        loss=loss,
        language_loss=float(step.measures.get("masked_language_loss", loss)),
        next_sentence_loss=None if pairs is None else float(pairs),
        rate=step.rate,
        gradient_norm=float(step.gradient_norm),
    )
