"""The head step by step: the same numbers as the model's own, and sums that add up."""

import math

import pytest
import torch

from mlm_core.classification.head_steps import LARGEST_POWER, class_steps, largest_terms
from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.finetuning.fine_tuned import fine_tuned
from mlm_core.finetuning.run import FineTuneRun
from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.labelled.examples import Dataset, LabelledText

TEXTS = ("The soup was cold.", "We loved every minute.", "The bus leaves at nine.")


@pytest.fixture(scope="module", params=["mean", "cls"])
def model(request):
    examples = tuple(
        LabelledText(text=text, label=label)
        for text, label in zip(TEXTS, ("bad", "good", "neither"), strict=True)
    )
    data = Dataset(
        kind="classes", classes=("bad", "good", "neither"), train=examples, test=examples
    )
    encoder = load(BUNDLED)
    settings = FineTuneSettings(
        model=BUNDLED, trained="head", pooling=request.param, n_epochs=2, peak_learning_rate=0.01
    )
    *_, last = FineTuneRun(settings, data, encoder).go_on()
    return fine_tuned(last, encoder)


def test_the_steps_end_in_the_models_own_probabilities(model):
    steps = class_steps(model, TEXTS[0])
    expected = model.class_log_probabilities(TEXTS[0]).double().exp()
    # float32 sums of some hundred terms
    torch.testing.assert_close(steps.probabilities, expected, atol=1e-5, rtol=1e-5)
    assert steps.pooled.shape == (model.encoder.hidden_size,)
    assert steps.shift == 0.0
    torch.testing.assert_close(steps.powers / steps.powers.sum(), steps.probabilities)


@pytest.mark.parametrize("n_shown", [0, 5, 10_000])
def test_the_largest_terms_the_rest_and_the_bias_are_the_logit(model, n_shown):
    steps = class_steps(model, TEXTS[1])
    found = largest_terms(steps, 2, n_shown)
    total = math.fsum([term.product for term in found.shown]) + found.rest + found.bias
    assert total == pytest.approx(found.total, abs=1e-12)
    assert len(found.shown) + found.n_rest == len(steps.pooled)
    sizes = [abs(term.product) for term in found.shown]
    assert sizes == sorted(sizes, reverse=True)
    assert all(t.product == pytest.approx(t.number * t.weight) for t in found.shown)


def test_huge_logits_are_moved_before_the_power(model):
    classifier = model.upper.head.classifier
    before = classifier.bias.clone()
    try:
        classifier.bias.data += 1e4
        steps = class_steps(model, TEXTS[0])
    finally:
        classifier.bias.data = before
    assert steps.shift > LARGEST_POWER
    assert steps.powers.max() == 1 and bool(steps.powers.isfinite().all())
    torch.testing.assert_close(steps.powers / steps.powers.sum(), steps.probabilities)


def test_a_class_that_is_not_there_is_refused(model):
    with pytest.raises(ValueError, match="class 3 of 3"):
        largest_terms(class_steps(model, TEXTS[0]), 3, 5)
