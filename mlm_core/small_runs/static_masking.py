"""Static against dynamic masking: the same texts again and again, with old masks or new ones.

    python -m mlm_core.small_runs.static_masking          (re)makes data/static_masking.json

    once    each text keeps the mask of its first pass            "static"
    ten     ten masks for each text, which take turns             BERT's data, with copies
    anew    every pass draws a new mask                           "dynamic", RoBERTa

As in RoBERTa's account of BERT, each text is read in 40 passes, so with ten masks each mask is met
four times. The runs of one seed have the same starting weights, the same texts in the same order
and the same masks in the first pass; nothing but the later masks differs, so the differences are
taken seed by seed.

Source: Liu et al. 2019, section 4.1.
Departs: 960 short texts and one small encoder, where RoBERTa used 16 GB and BERT-base; the measure
is the held-out loss, where RoBERTa fine-tuned on three tasks.

Read before this: run.py, ../masking/batch.py. Read next: ../evaluation/seeds.py.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Literal, get_args

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.pretraining.batches import PretrainingBatch
from mlm_core.shapes import Float, Tensor
from mlm_core.small_runs.held_out import HeldOutTest, make_training_task
from mlm_core.small_runs.run import untrained_bert
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.text import PreparedText, prepare_at_once
from mlm_core.training.loop import generator_of_step, train

Way = Literal["once", "ten", "anew"]
WAYS: tuple[Way, ...] = get_args(Way)
COPIES = 10
N_BATCHES, N_PASSES = 20, 40
SEEDS = (1, 2, 3, 4)
RESULTS_FILE = Path(__file__).parents[1] / "data" / "static_masking.json"


@dataclass(frozen=True, kw_only=True)
class MaskingRun:
    """One run: a way to mask and a seed."""

    way: Way
    seed: int
    steps: tuple[int, ...]  # at which it was tested
    held_out: tuple[float, ...]  # loss, nats a token
    training: tuple[float, ...]  # mean loss of the passes since the last test


def masking_settings(seed: int) -> SmallRunSettings:
    """Return the settings of a run; all but the seed are the same."""
    return SmallRunSettings(objective="mlm", n_steps=N_BATCHES * N_PASSES, seed=seed)


def mask_number(way: Way, pass_number: int) -> int:
    """Return which mask a text has in a pass, counted from 0.

    >>> [mask_number("ten", number) for number in (0, 9, 10, 39)]
    [0, 9, 0, 9]
    """
    return {"once": 0, "ten": pass_number % COPIES, "anew": pass_number}[way]


class RepeatedTask:
    """The same batches of texts in every pass, masked in one of the ways."""

    def __init__(self, text: PreparedText, settings: SmallRunSettings, way: Way) -> None:
        """Draw nothing yet: a text and a mask follow from the seed and their numbers."""
        self._task, self._seed, self._way = make_training_task(text, settings), settings.seed, way

    def batch(self, step: int, generator: torch.Generator) -> PretrainingBatch:
        """Return the batch of a step; `generator` isn't used."""
        pass_number, place = divmod(step, N_BATCHES)
        (shape,) = self._task.phases[0].shapes
        texts = self._task.draw_texts(shape, generator_of_step(self._seed, f"texts {place}", "cpu"))
        mask = f"mask {mask_number(self._way, pass_number)} of {place}"
        return self._task.corrupt(texts, shape, generator_of_step(self._seed, mask, "cpu"))

    def loss(
        self, bert: Bert, batch: PretrainingBatch
    ) -> tuple[Float[Tensor, ""], dict[str, Float[Tensor, ""]]]:
        """Return the loss and its measures, as in pretraining."""
        return self._task.loss(bert, batch)

    def n_tokens(self, batch: PretrainingBatch) -> int:
        """Return the tokens that the model reads, padding included."""
        return self._task.n_tokens(batch)


def masking_run(
    text: PreparedText, settings: SmallRunSettings, way: Way, *, test_every: int = 80
) -> MaskingRun:
    """Train one encoder and test it on the way."""
    bert = untrained_bert(settings, text.tokenizer.get_vocab_size())
    test = HeldOutTest(text, settings)
    steps, held_out, training, losses = [], [], [], []
    task = RepeatedTask(text, settings, way)
    for step in train(bert, task, settings.training(), seed=settings.seed):
        losses.append(float(step.loss))
        if step.number % test_every == 0 or step.number == settings.n_steps:
            *_, point = test.evaluate(bert, step.number)
            assert point is not None  # the last
            steps.append(step.number)
            held_out.append(point.loss)
            training.append(fmean(losses))
            losses = []
    return MaskingRun(
        way=way,
        seed=settings.seed,
        steps=tuple(steps),
        held_out=tuple(held_out),
        training=tuple(training),
    )


def make_runs() -> Iterator[str]:
    """Train all runs and write their results; yield lines for a log."""
    text = prepare_at_once(masking_settings(SEEDS[0]))
    runs = []
    for seed in SEEDS:
        for way in WAYS:
            runs.append(masking_run(text, masking_settings(seed), way))
            last = runs[-1]
            yield (
                f"{way}, seed {seed}: held-out loss {last.held_out[-1]:.3f}, in training"
                f" {last.training[-1]:.3f}"
            )
    rows = [
        {
            "way": run.way,
            "seed": run.seed,
            "steps": run.steps,
            "held_out": [round(loss, 4) for loss in run.held_out],
            "training": [round(loss, 4) for loss in run.training],
        }
        for run in runs
    ]
    RESULTS_FILE.write_text(
        "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8"
    )


def read_runs() -> tuple[MaskingRun, ...]:
    """Return the stored runs."""
    rows = json.loads(RESULTS_FILE.read_text(encoding="utf-8"))
    return tuple(
        MaskingRun(
            way=row["way"],
            seed=row["seed"],
            steps=tuple(row["steps"]),
            held_out=tuple(row["held_out"]),
            training=tuple(row["training"]),
        )
        for row in rows
    )


if __name__ == "__main__":
    for line in make_runs():
        print(line, flush=True)
