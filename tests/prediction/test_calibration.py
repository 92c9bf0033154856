"""Temperature, entropy, reliability and the expected calibration error."""

import math
from random import Random

import pytest
import torch
from sklearn.calibration import calibration_curve

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.prediction.calibration import (
    ScoredBlanks,
    at_temperature,
    best_temperature,
    calibration_error,
    confidence_gap,
    entropy,
    error_if_calibrated,
    join_blanks,
    reliability,
    score_blanks,
)
from mlm_core.prediction.masked_words import hide, labels_of, predict
from mlm_core.text.tokens import tokenize

SENTENCES = ("The old man sat by the river.", "A dog.", "", "She opened the door and went in.")


@pytest.fixture(scope="module")
def drawn():
    """Give confidences and outcomes of an overconfident model."""
    generator = torch.Generator().manual_seed(5)
    confidence = torch.rand(613, generator=generator)
    return confidence, torch.rand(613, generator=generator) < confidence * 0.6


@pytest.mark.parametrize("temperature", [0.3, 1.0, 2.7])
def test_the_temperature_divides_the_logits(temperature):
    logits = torch.tensor([[2.0, -1.0, 0.5], [0.0, 3.0, 1.0]])
    expected = torch.distributions.Categorical(logits=logits / temperature)
    found = at_temperature(logits, temperature)
    assert torch.allclose(found, expected.probs, atol=1e-6)
    assert [entropy(row) for row in found] == pytest.approx(expected.entropy().tolist(), abs=1e-5)
    assert found.argmax(-1).tolist() == logits.argmax(-1).tolist()


def test_the_entropy_rises_with_the_temperature_to_the_logarithm_of_the_vocabulary():
    logits = torch.tensor([2.0, -1.0, 0.5, 0.0, 4.0])
    found = [entropy(at_temperature(logits, t)) for t in (0.05, 0.5, 1.0, 2.0, 1e6)]
    assert found == sorted(found)
    assert found[0] == pytest.approx(0.0, abs=1e-6)
    assert found[-1] == pytest.approx(math.log(5), abs=1e-6)


@pytest.mark.parametrize("temperature", [0.0, -1.0, math.nan, math.inf])
def test_an_impossible_temperature_is_refused(temperature):
    with pytest.raises(ValueError, match="choose one above 0"):
        at_temperature(torch.zeros(3), temperature)


def test_a_calibration_error_worked_by_hand():
    # Bins (.2, .3] with two cases and (.8, .9] with three: gaps |.5 - .25| and |2/3 - .85|.
    confidence = torch.tensor([0.3, 0.2001, 0.85, 0.85, 0.85])
    is_right = torch.tensor([True, False, True, False, True])
    bins = reliability(confidence, is_right)
    assert [(each.low, each.n, each.accuracy) for each in bins] == [
        (0.2, 2, 0.5),
        (0.8, 3, pytest.approx(2 / 3)),
    ]
    assert bins[1].standard_error == pytest.approx(math.sqrt(0.85 * 0.15 / 3))
    assert calibration_error(bins) == pytest.approx(2 / 5 * 0.24995 + 3 / 5 * 0.18333, abs=1e-4)


def test_a_gap_worked_by_hand():
    gap, error = confidence_gap(torch.tensor([0.5, 0.9]), torch.tensor([False, True]))
    assert gap == pytest.approx(0.7 - 0.5)
    # The variance of the number of hits is .25 + .09; of their mean, a quarter of that.
    assert error == pytest.approx(math.sqrt(0.34) / 2)


def test_the_bins_are_scikit_learns(drawn):
    confidence, is_right = drawn
    bins = reliability(confidence, is_right)
    accuracy, mean = calibration_curve(is_right.numpy(), confidence.numpy(), n_bins=10)
    assert [each.accuracy for each in bins] == pytest.approx(accuracy.tolist())
    assert [each.confidence for each in bins] == pytest.approx(mean.tolist())
    assert sum(each.n for each in bins) == len(confidence)


def test_every_confidence_has_a_bin_its_ends_too():
    bins = reliability(torch.tensor([0.0, 1.0]), torch.tensor([False, True]))
    assert [(each.low, each.high) for each in bins] == [(0.0, 0.1), (0.9, 1.0)]
    assert calibration_error(bins) == 0.0 and bins[0].standard_error == 0.0


def test_a_calibrated_model_of_few_cases_has_an_error_by_chance(drawn):
    confidence, is_right = drawn
    generator = torch.Generator().manual_seed(1)
    by_chance = error_if_calibrated(confidence, generator)
    few = error_if_calibrated(confidence[:60], generator)
    # Of confidences of .5 on average 40 % too much: an error of about .2, chance gives .04.
    assert 0 < by_chance < few < 0.15
    assert calibration_error(reliability(confidence, is_right)) > 2 * by_chance


def test_the_error_by_chance_is_that_of_drawn_outcomes(drawn):
    confidence, _ = drawn
    generator = torch.Generator().manual_seed(1)
    outcomes = [torch.rand(613, generator=generator) < confidence for _ in range(200)]
    errors = [calibration_error(reliability(confidence, each)) for each in outcomes]
    again = error_if_calibrated(confidence, torch.Generator().manual_seed(2))
    # Means of 200 draws, each with a deviation of about .01.
    assert again == pytest.approx(sum(errors) / 200, abs=0.004)


def test_the_best_temperature_of_an_overconfident_model_is_above_one():
    logits = 2.0 * torch.randn(4000, 6, generator=torch.Generator().manual_seed(2))
    true_ids = torch.distributions.Categorical(logits=logits / 1.5)
    torch.manual_seed(0)
    drawn = true_ids.sample()
    grid = (0.5, 1.0, 1.5, 2.0)
    losses = torch.stack(
        [-(logits / t).log_softmax(-1).gather(-1, drawn[:, None])[:, 0] for t in grid]
    )
    blanks = ScoredBlanks(
        temperatures=grid,
        confidence=torch.stack([at_temperature(logits, t).amax(-1) for t in grid]),
        losses=losses,
        is_right=logits.argmax(-1) == drawn,
    )
    assert best_temperature(blanks) == 1.5
    assert blanks.mean_loss(1.5) == pytest.approx(losses[2].mean().item())


def test_scored_blanks_are_what_predict_gives():
    model = load(BUNDLED)
    blanks = score_blanks(model, SENTENCES, Random(4), (1.0, 2.0))
    rng = Random(4)
    confidence, losses, is_right = [], [], []
    for sentence in SENTENCES:
        text = tokenize(model.tokenizer, sentence)
        places = range(1, len(text.tokens) - 1)
        n_masked = min(len(places), max(1, round(0.15 * len(places))))
        chosen = rng.sample(places, n_masked)
        if not chosen:
            continue
        seen = hide(text, chosen, model.tokenizer)
        found = predict(model, seen, labels_of(text.ids, chosen))
        confidence += found.probabilities.amax(-1).tolist()
        losses += found.losses.tolist()
        is_right += (found.logits.argmax(-1) == torch.tensor(found.true_ids)).tolist()
    # Padded beside longer sentences, a row's sums run in another order.
    assert blanks.at(1.0).tolist() == pytest.approx(confidence, abs=1e-4)
    assert blanks.losses[0].tolist() == pytest.approx(losses, abs=1e-4)
    assert blanks.is_right.tolist() == is_right
    assert (blanks.at(2.0) <= blanks.at(1.0)).all()
    twice = join_blanks([blanks, blanks])
    assert twice.confidence.shape == (2, 2 * len(is_right))
    assert twice.mean_loss(1.0) == pytest.approx(blanks.mean_loss(1.0))


def test_a_model_of_another_library_is_scored_alike():
    ours = load(BUNDLED)

    class Theirs(MaskedLanguageModel):
        bert, tokenizer, max_tokens = None, ours.tokenizer, ours.max_tokens
        token_embedding = ours.token_embedding

        def vocabulary_logits(self, text, *, causal=False, attention_mask=None):
            return ours.vocabulary_logits(text)

    found, expected = (score_blanks(model, SENTENCES, Random(4)) for model in (Theirs(), ours))
    assert torch.allclose(found.confidence, expected.confidence, atol=1e-4)
    assert torch.allclose(found.losses, expected.losses, atol=1e-3)
    assert torch.equal(found.is_right, expected.is_right)


def test_without_a_word_there_is_nothing_to_score():
    with pytest.raises(ValueError, match="no sentence has a token"):
        score_blanks(load(BUNDLED), ("", " "), Random(1))
    with pytest.raises(ValueError, match="at least one"):
        reliability(torch.zeros(0), torch.zeros(0, dtype=torch.bool))
    with pytest.raises(ValueError, match="at least one part"):
        join_blanks([])
