"""Static against dynamic masking: what differs between the runs, and what their numbers bear."""

from collections import deque
from dataclasses import replace

import pytest
import torch

from mlm_core.evaluation.seeds import seed_mean
from mlm_core.small_runs.static_masking import (
    COPIES,
    N_BATCHES,
    N_PASSES,
    WAYS,
    RepeatedTask,
    mask_number,
)
from mlm_core.small_runs.text import prepare
from mlm_core.stored.static_masking import SEEDS, read_runs
from tools.static_masking import masking_run, masking_settings


@pytest.fixture(scope="module")
def text():
    return deque(prepare(masking_settings(1)), maxlen=1).pop()


def batch(text, way, pass_number, place=3):
    task = RepeatedTask(text, masking_settings(1), way)
    return task.batch(pass_number * N_BATCHES + place, torch.Generator())


def is_same(one, other):
    return one.ids.shape == other.ids.shape and torch.equal(one.ids, other.ids)


def original(found):
    """Return the texts before the corruption: the labels in their places."""
    ids = found.ids.clone()
    for row in range(len(ids)):
        for position, label in zip(
            found.positions[row].tolist(), found.labels[row].tolist(), strict=True
        ):
            if label >= 0:
                ids[row, position] = label
    return ids


def test_each_way_draws_the_masks_that_it_names():
    passes = range(N_PASSES)
    n_masks = {way: len({mask_number(way, number) for number in passes}) for way in WAYS}
    assert n_masks == {"once": 1, "ten": COPIES, "anew": N_PASSES}
    # RoBERTa's account of BERT: each mask four times.
    assert [mask_number("ten", number) for number in passes].count(7) == 4


def test_the_texts_are_the_same_in_every_pass_and_way_and_the_masks_are_not(text):
    first = batch(text, "once", 0)
    assert all(is_same(first, batch(text, way, 0)) for way in WAYS)  # the same first pass
    assert is_same(first, batch(text, "once", 39))
    assert is_same(first, batch(text, "ten", 10)) and not is_same(first, batch(text, "ten", 9))
    assert not is_same(first, batch(text, "anew", 10))
    for way in WAYS:
        assert torch.equal(original(batch(text, way, 9)), original(first))
    assert not is_same(first, batch(text, "once", 0, place=4))


def test_a_short_run_is_tested_on_the_way_and_gives_the_same_numbers_again(text):
    settings = replace(
        masking_settings(2), n_steps=7, hidden_size=8, n_heads=2, n_layers=1, batch_size=5
    )
    first, again = (masking_run(text, settings, "ten", test_every=3) for _ in range(2))
    assert first == again
    assert first.steps == (3, 6, 7) and len(first.held_out) == len(first.training) == 3


def test_the_stored_runs_are_all_there_and_say_what_the_lesson_says():
    runs = read_runs()
    assert {(run.way, run.seed) for run in runs} == {(way, s) for way in WAYS for s in SEEDS}
    assert all(run.steps[-1] == N_BATCHES * N_PASSES for run in runs)
    last = {(run.way, run.seed): run.held_out[-1] for run in runs}
    once, ten = (
        seed_mean([last[way, seed] - last["anew", seed] for seed in SEEDS])
        for way in ("once", "ten")
    )
    assert once.is_clear and once.mean > 20 * ten.mean > 0  # "much closer", "small beside"
    for run in runs:
        if run.way == "once":  # learnt by heart, while the held-out loss rises
            assert run.training[-1] < 0.01 and run.held_out[-1] > min(run.held_out) + 1
