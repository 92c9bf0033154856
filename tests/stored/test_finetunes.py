"""Fine-tunings on disk: they come back as they were, can be asked, and can be made again."""

from dataclasses import replace
from statistics import mean

import pytest
import torch

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.finetuning.fine_tuned import fine_tuned
from mlm_core.finetuning.scores import score_examples
from mlm_core.finetuning.settings import default_settings
from mlm_core.finetuning.task import log_probabilities_of
from mlm_core.stored.finetunes import (
    FOLDER,
    has_weights,
    read_dataset,
    read_stored,
    stored_names,
    stored_settings,
    train_to_the_end,
    write_stored,
)


@pytest.fixture(scope="module")
def encoder():
    return load(BUNDLED)


def test_every_run_that_is_named_is_stored():
    assert set(stored_names()) == set(stored_settings())


@pytest.mark.parametrize("name", stored_settings())
def test_a_stored_run_has_the_present_settings_and_the_scores_of_its_predictions(name):
    run = read_stored(name)
    assert run.settings == stored_settings()[name]
    scores = score_examples(run.dataset.test, run.predictions.predicted, run.settings.scheme)
    last = run.result
    assert (last.proportion_right, last.f1) == pytest.approx((scores.proportion_right, scores.f1))
    assert (run.weights is not None) == has_weights(name)


@pytest.mark.parametrize("name", ["sentiment_head", "sentiment_top", "entities_top"])
def test_stored_weights_give_the_stored_predictions(name, encoder):
    run = read_stored(name)
    model = fine_tuned(run, encoder)
    # Weights come back to 1/127 of the way they went, so log P is near, not equal.
    for example, stored in zip(
        run.dataset.test[:12], run.predictions.log_probabilities, strict=False
    ):
        text = model.reading.read(example).text
        logits = model.logits(text).unsqueeze(0)
        may_answer = torch.ones(1, len(text.tokens), dtype=torch.bool)
        found = log_probabilities_of(run.dataset.kind, logits, may_answer)[0]
        torch.testing.assert_close(found.exp(), stored.exp(), atol=0.05, rtol=0)


@pytest.mark.parametrize("name", [name for name in stored_settings() if "random" in name])
def test_a_random_start_is_one_that_trains(name):
    losses = [point.loss for point in read_stored(name).losses]
    tenth = max(1, len(losses) // 10)
    # It fits the examples: of three classes, the loss begins at ln 3 = 1.1.
    assert mean(losses[-tenth:]) < 0.5 * mean(losses[:tenth])


@pytest.mark.parametrize("name", ["sentiment_head", "sentiment_10_random"])
def test_training_a_stored_run_again_gives_its_curve(name, encoder):
    settings, stored = stored_settings()[name], read_stored(name)
    again = train_to_the_end(settings, read_dataset("sentiment"), encoder)
    # Another processor adds in another order: losses agree to a few digits, not to the last.
    for test, before in zip(again.tests, stored.tests, strict=True):
        assert test.loss == pytest.approx(before.loss, abs=5e-3)
        assert test.proportion_right == pytest.approx(
            before.proportion_right, abs=2 / len(stored.dataset.dev)
        )


def test_a_run_comes_back_from_its_file_as_it_was(tmp_path, encoder):
    settings = replace(default_settings(BUNDLED, "sentiment", "head"), n_epochs=1, n_examples=30)
    # The file knows a stored run by its name, so this one borrows a name.
    run = train_to_the_end(settings, read_dataset("sentiment"), encoder)
    write_stored(run, tmp_path / "sentiment_head.npz", encoder)
    back = read_stored("sentiment_head", tmp_path)
    assert (back.settings, back.tests, back.on_test) == (run.settings, run.tests, run.on_test)
    assert back.losses == run.losses and back.predictions.step == run.on_test.step
    assert back.dataset == run.dataset
    assert back.predictions.predicted == run.predictions.predicted
    for ours, theirs in zip(
        back.predictions.log_probabilities, run.predictions.log_probabilities, strict=True
    ):
        assert torch.equal(ours, theirs)
    far = fine_tuned(run, encoder).upper, fine_tuned(back, encoder).upper
    for before, after in zip(*(upper.parameters() for upper in far), strict=True):
        torch.testing.assert_close(after, before, atol=2e-3, rtol=1e-3)


def test_an_unknown_name_and_a_damaged_file_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no stored run 'nothing'"):
        read_stored("nothing")
    (tmp_path / "sentiment_head.npz").write_bytes(b"PK nothing")
    with pytest.raises(ValueError, match="is damaged"):
        read_stored("sentiment_head", tmp_path)


def test_weights_of_other_sizes_are_refused(tmp_path, encoder):
    run = read_stored("sentiment_head")
    other = replace(run, weights=replace(run.weights, file=FOLDER / "entities_head.npz"))
    with pytest.raises(ValueError, match="weights for a model of"):
        fine_tuned(other, encoder)
