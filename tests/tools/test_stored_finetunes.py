"""Stored fine-tunings are made: they come back as they were, and can be made again."""

from dataclasses import replace

import pytest
import torch

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.finetuning.fine_tuned import fine_tuned
from mlm_core.finetuning.run import FineTuneRun
from mlm_core.finetuning.settings import default_settings
from mlm_core.stored.finetunes import read_dataset, read_stored, stored_settings
from tools.stored_finetunes import train_to_the_end, write_stored

N_COMPARED = 3  # tests, each after some steps


def test_training_a_stored_run_again_gives_the_beginning_of_its_curve(bundled):
    name = "sentiment_10_random"
    stored = read_stored(name)
    run = FineTuneRun(stored_settings()[name], read_dataset("sentiment"), bundled)
    again = next(snapshot for snapshot in run.go_on() if len(snapshot.tests) == N_COMPARED)
    # Another processor adds in another order: losses agree to a few digits, not to the last.
    for test, before in zip(again.tests, stored.tests, strict=False):
        assert test.loss == pytest.approx(before.loss, abs=5e-3)
        assert test.proportion_right == pytest.approx(
            before.proportion_right, abs=2 / len(stored.dataset.dev)
        )


def test_a_run_comes_back_from_its_file_as_it_was(tmp_path, bundled):
    settings = replace(default_settings(BUNDLED, "sentiment", "head"), n_epochs=1)
    all_of_it = read_dataset("sentiment")
    data = replace(
        all_of_it, train=all_of_it.train[:30], dev=all_of_it.dev[:9], test=all_of_it.test[:7]
    )
    # The file knows a stored run by its name, so this one borrows a name.
    run = train_to_the_end(settings, data, bundled)
    write_stored(run, tmp_path / "sentiment_head.npz", bundled)
    back = read_stored("sentiment_head", tmp_path, lambda _: data)
    assert (back.settings, back.tests, back.on_test) == (run.settings, run.tests, run.on_test)
    assert back.losses == run.losses and back.predictions.step == run.on_test.step
    assert back.dataset == run.dataset
    assert back.predictions.predicted == run.predictions.predicted
    for ours, theirs in zip(
        back.predictions.log_probabilities, run.predictions.log_probabilities, strict=True
    ):
        assert torch.equal(ours, theirs)
    far = fine_tuned(run, bundled).upper, fine_tuned(back, bundled).upper
    for before, after in zip(*(upper.parameters() for upper in far), strict=True):
        torch.testing.assert_close(after, before, atol=2e-3, rtol=1e-3)
