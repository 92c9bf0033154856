"""The head step by step: the same numbers as the model's own, of texts and of tags."""

import math

import pytest
import torch

from mlm_core.classification.head_steps import LARGEST_POWER, class_steps, tag_steps
from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.finetuning.fine_tuned import fine_tuned
from mlm_core.finetuning.run import FineTuneRun
from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.labelled.examples import Dataset, LabelledText, TaggedSentence
from mlm_core.tagging.bio_tags import Span

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


@pytest.fixture(scope="module")
def tagger():
    sentences = tuple(
        TaggedSentence(words=tuple(text.split()), spans=(Span(start=0, end=1, type="PER"),))
        for text in ("Ada sleeps here .", "Bo is late .", "Cy eats bread .")
    )
    data = Dataset(kind="tags", classes=("PER",), train=sentences, test=sentences)
    encoder = load(BUNDLED)
    settings = FineTuneSettings(
        model=BUNDLED, trained="head", data="entities", n_epochs=2, peak_learning_rate=0.01
    )
    *_, last = FineTuneRun(settings, data, encoder).go_on()
    return fine_tuned(last, encoder)


def test_a_taggers_steps_end_in_its_own_probabilities_at_every_token(tagger):
    text = tagger.read("Ada is late.")
    expected = tagger.tag_log_probabilities(text).double().exp()
    for i in range(len(text.tokens)):
        steps = tag_steps(tagger, text, i)
        torch.testing.assert_close(steps.probabilities, expected[i], atol=1e-5, rtol=1e-5)
        # Eq 11.12 with its own numbers, each dot product by plain Python; and Eq 11.13.
        powers = [
            math.exp(math.fsum(h * w for h, w in zip(steps.pooled.tolist(), row, strict=True)) + c)
            for row, c in zip(steps.weights.tolist(), steps.bias.tolist(), strict=True)
        ]
        quotients = [power / math.fsum(powers) for power in powers]
        assert steps.probabilities.tolist() == pytest.approx(quotients, rel=1e-9)


def test_a_position_outside_of_the_text_and_a_head_for_texts_are_refused(tagger, model):
    text = tagger.read("Ada is late.")
    for position in (-1, len(text.tokens)):
        with pytest.raises(ValueError, match="they count from 0"):
            tag_steps(tagger, text, position)
    with pytest.raises(ValueError, match="use class_steps"):
        tag_steps(model, text, 0)
