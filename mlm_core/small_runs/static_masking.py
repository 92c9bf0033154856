"""Static against dynamic masking: the same texts again and again, with old masks or new ones.

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

`make stored STORED=masking` trains the runs, ../stored/static_masking.py reads them.

Read before this: held_out.py, ../masking/batch.py. Read next: ../evaluation/seeds.py.
"""

from typing import Literal, get_args

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.pretraining.batches import PretrainingBatch
from mlm_core.shapes import Float, Tensor
from mlm_core.small_runs.held_out import make_training_task
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.text import PreparedText
from mlm_core.training.loop import generator_of_step

Way = Literal["once", "ten", "anew"]
WAYS: tuple[Way, ...] = get_args(Way)
COPIES = 10
N_BATCHES, N_PASSES = 20, 40


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
