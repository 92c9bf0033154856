"""y - onehot, and one SGD step on a copy of the output bias and the tied embedding."""

import math

import pytest
import torch

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.prediction.masked_words import hide
from mlm_core.prediction.one_step import MOVED, logit_gradient, take_step
from mlm_core.text.tokens import tokenize
from tests.prediction.small_models import LINES

BLANK, OTHER = 3, 5


@pytest.fixture(scope="module")
def seen(model):
    """Give a text with one mask."""
    text = tokenize(model.tokenizer, LINES[0])
    return hide(text, [BLANK], model.tokenizer)


def test_a_gradient_worked_by_hand():
    # Logits 0, ln 2, ln 5: y = 1/8, 2/8, 5/8; the right token is the second.
    gradient = logit_gradient(torch.tensor([0.0, math.log(2), math.log(5)]), 1)
    assert gradient.tolist() == pytest.approx([1 / 8, 2 / 8 - 1, 5 / 8])


def test_a_step_on_the_bias_worked_by_hand(model, seen):
    step = take_step(model, seen, BLANK, 7, rate=0.5)
    y = step.before.softmax(-1)
    assert step.n_moved == len(y)
    # Only b moves, so each logit moves by rate times its own entry of onehot - y.
    expected = step.before - 0.5 * y
    expected[7] += 0.5
    assert torch.allclose(step.after, expected, atol=1e-5)
    old, new = step.target_bias
    assert new == pytest.approx(old + 0.5 * (1 - y[7].item()), abs=1e-6)
    assert step.squared_length == pytest.approx(step.gradient.square().sum().item(), rel=1e-5)


def test_the_entries_of_the_gradient_sum_to_zero(model, seen):
    step = take_step(model, seen, BLANK, 7, rate=0.1)
    # 90 float32 numbers below 1 in size, rounded at 6e-8 each.
    assert step.gradient.sum().item() == pytest.approx(0.0, abs=1e-5)
    assert (step.gradient < 0).nonzero().flatten().tolist() == [7]


def test_the_gradient_is_that_of_autograd_and_of_finite_differences(model, seen):
    logits = model.vocabulary_logits(seen)[BLANK].clone().double()
    ours = logit_gradient(logits, 7)
    leaf = logits.clone().requires_grad_()
    (-leaf.log_softmax(-1)[7]).backward()
    assert torch.allclose(ours, leaf.grad, atol=1e-12)
    for i in (0, 7, 23):
        ends = [logits.clone() for _ in range(2)]
        ends[0][i] += 1e-5
        ends[1][i] -= 1e-5
        up, down = (-end.log_softmax(-1)[7].item() for end in ends)
        # Central differences: off by about the third derivative times 1e-10.
        assert (up - down) / 2e-5 == pytest.approx(ours[i].item(), abs=1e-8)


@pytest.mark.parametrize("moved", MOVED)
def test_a_small_step_lowers_the_loss_by_what_the_gradient_promises(model, seen, moved):
    step = take_step(model, seen, BLANK, 7, rate=1e-4, moved=moved)
    before, after = step.losses
    assert after < before
    # The rest is of second order in the rate.
    assert before - after == pytest.approx(before - step.promised_loss, rel=0.02)


def test_the_tied_embedding_moves_by_both_of_its_uses(model, seen):
    step = take_step(model, seen, BLANK, 7, rate=1e-3, moved="bias_and_embedding")
    bert = model.bert
    assert step.n_moved == bert.embeddings.token.weight.numel() + len(step.gradient)
    # As the output matrix alone, E would have the gradient g t^T, of squared length |g|^2 |t|^2.
    states = model.encode(seen).last[0, BLANK]
    head = bert.masked_language_head
    transformed = head.norm(torch.nn.functional.gelu(head.transform(states)))
    squared = step.gradient.square().sum() * (1 + transformed.square().sum())
    assert step.squared_length != pytest.approx(squared.item(), rel=1e-3)


@pytest.mark.parametrize("moved", MOVED)
def test_the_shared_model_stays_as_it_is(model, seen, moved):
    weights = {name: weight.clone() for name, weight in model.bert.state_dict().items()}
    logits = model.vocabulary_logits(seen)
    take_step(model, seen, BLANK, 7, rate=3.0, moved=moved)
    assert torch.equal(model.vocabulary_logits(seen), logits)
    for name, weight in model.bert.state_dict().items():
        assert torch.equal(weight, weights[name]), name
    assert not any(p.requires_grad or p.grad is not None for p in model.bert.parameters())


@torch.inference_mode()
def test_a_step_is_taken_inside_inference_mode_too(model, seen):
    assert take_step(model, seen, BLANK, 7, rate=0.1).losses[1] > 0


def test_the_losses_elsewhere_are_those_of_the_model_before_and_after(model, seen):
    step = take_step(model, seen, BLANK, 7, rate=0.1, others=((OTHER, 7), (1, 9)))
    logits = model.vocabulary_logits(seen)
    # The bias is one for all positions: it moves the logits everywhere as it does at the blank.
    for losses, moved in zip(
        zip(*step.other_losses, strict=True), (0.0, step.after - step.before), strict=True
    ):
        log_probabilities = (logits + moved).log_softmax(-1)
        expected = [-log_probabilities[OTHER, 7].item(), -log_probabilities[1, 9].item()]
        assert losses == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"rate": 0.0}, "learning rate"),
        ({"rate": math.nan}, "learning rate"),
        ({"rate": math.inf}, "learning rate"),
        ({"rate": 1.0, "others": ((99, 7),)}, "position 99"),
        ({"rate": 1.0, "target": 10_000}, "token 10000"),
    ],
)
def test_what_cannot_be_done_is_refused(model, seen, settings, error):
    with pytest.raises(ValueError, match=error):
        take_step(model, seen, BLANK, settings.pop("target", 7), **settings)


@pytest.mark.usefixtures("unchecked_shapes")
def test_unknown_parameters_are_refused(model, seen):
    with pytest.raises(ValueError, match="choose one of bias"):
        take_step(model, seen, BLANK, 7, rate=1.0, moved="all")


def test_a_model_of_another_library_has_no_parameters_to_move(seen):
    class Theirs(MaskedLanguageModel):
        bert, name = None, "theirs"
        token_embedding = torch.zeros(1, 1)  # or the check of types asks the protocol for one

    with pytest.raises(ValueError, match="BERT's own architecture"):
        take_step(Theirs(), seen, BLANK, 7, rate=0.1)
