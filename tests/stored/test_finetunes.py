"""Fine-tunings on disk: complete, with the present settings, and they can be asked."""

from dataclasses import replace
from statistics import mean

import pytest
import torch

from mlm_core.encoder.pretrained import load
from mlm_core.finetuning.fine_tuned import fine_tuned
from mlm_core.finetuning.scores import score_examples
from mlm_core.finetuning.task import log_probabilities_of
from mlm_core.stored.finetunes import FOLDER, has_weights, read_stored, stored_settings


@pytest.mark.parametrize("name", stored_settings())
def test_a_stored_run_has_the_present_settings_and_the_scores_of_its_predictions(name):
    run = read_stored(name)
    assert run.settings == stored_settings()[name]
    scores = score_examples(run.dataset.test, run.predictions.predicted, run.settings.scheme)
    last = run.result
    assert (last.proportion_right, last.f1) == pytest.approx((scores.proportion_right, scores.f1))
    assert (run.weights is not None) == has_weights(name)


STORED = ["sentiment_head", "sentiment_top", "sentiment_de_top", "entities_top", "entities_de_top"]


@pytest.mark.parametrize("name", STORED)
def test_stored_weights_give_the_stored_predictions(name):
    run = read_stored(name)
    model = fine_tuned(run, load(run.settings.model))
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


def test_weights_of_other_sizes_are_refused(tmp_path, bundled):
    run = read_stored("sentiment_head")
    other = replace(run, weights=replace(run.weights, file=FOLDER / "entities_head.npz"))
    with pytest.raises(ValueError, match="weights for a model of"):
        fine_tuned(other, bundled)
