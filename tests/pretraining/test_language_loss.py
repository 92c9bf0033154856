"""The masked-language loss in its own memory: the same numbers as torch's, sliced or not."""

import math

import pytest
import torch
from torch.nn import functional as F

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.masking.rule import IGNORED_LABEL
from mlm_core.pretraining import language_loss
from mlm_core.pretraining.language_loss import summed_language_loss
from mlm_core.text.tokens import tokenize

N_ROWS, N_WORDS = 7, 11
LABELS = torch.tensor([3, 0, IGNORED_LABEL, 10, 5, IGNORED_LABEL, 5])


def drawn_logits(dtype=torch.float64) -> torch.Tensor:
    logits = 3 * torch.randn(N_ROWS, N_WORDS, generator=torch.manual_seed(5), dtype=torch.float64)
    logits[0, 3] = 20.0  # a row that is right
    logits[1, 1] = 900.0  # a row whose label has a probability of 0 in any precision
    return logits.to(dtype).requires_grad_()


def ours(logits, labels=LABELS):
    """Return loss, gradient and right rows; times one, because the logits are used up."""
    loss, is_right = summed_language_loss(logits * 1, labels)
    loss.backward()
    return loss.detach(), logits.grad, is_right


def torchs(logits, labels=LABELS):
    loss = F.cross_entropy(logits, labels, ignore_index=IGNORED_LABEL, reduction="sum")
    loss.backward()
    return loss.detach(), logits.grad, logits.argmax(dim=-1) == labels


# float64 errs by 1e-16 an operation, over a few dozen of them.
@pytest.mark.parametrize("slice_size", [1, 2 * N_WORDS, 3 * N_WORDS + 1, 1000])
def test_loss_gradient_and_right_rows_are_torchs_whatever_the_slices(slice_size, monkeypatch):
    monkeypatch.setattr(language_loss, "SLICE_SIZE", slice_size)
    for mine, theirs in zip(ours(drawn_logits()), torchs(drawn_logits()), strict=True):
        torch.testing.assert_close(mine, theirs, atol=1e-12, rtol=0)


def test_in_bfloat16_only_the_gradient_is_rounded():
    logits = drawn_logits(torch.bfloat16)
    exact = drawn_logits(torch.bfloat16).detach().double().requires_grad_()
    loss, gradient, is_right = ours(logits)
    exact_loss, exact_gradient, exact_right = torchs(exact)
    assert loss.dtype == torch.float32
    assert loss.item() == pytest.approx(exact_loss.item(), rel=1e-6)
    # bfloat16 keeps 8 bits: half a step is 2**-9 of a number; twice, where it is scaled again.
    torch.testing.assert_close(gradient.double(), exact_gradient, atol=1e-6, rtol=2**-8)
    assert torch.equal(is_right, exact_right)


def test_worked_by_hand():
    """Two words with logits 0 and log 3 have the shares 1/4 and 3/4."""
    logits = torch.tensor([[0.0, math.log(3.0)]], requires_grad=True)
    loss, gradient, is_right = ours(logits, torch.tensor([0]))
    assert loss.item() == pytest.approx(math.log(4.0))
    assert gradient.tolist() == [pytest.approx([-0.75, 0.75])]
    assert is_right.tolist() == [False]


def test_without_a_gradient_the_logits_stay_and_the_numbers_are_the_same():
    logits = drawn_logits().detach()
    before = logits.clone()
    loss, is_right = summed_language_loss(logits, LABELS)
    expected_loss, _, expected_right = torchs(drawn_logits())
    assert loss.item() == pytest.approx(expected_loss.item(), abs=1e-12)
    assert torch.equal(is_right, expected_right)
    assert torch.equal(logits, before)


def test_each_gradient_sums_to_zero_and_ignored_rows_have_none():
    _, gradient, is_right = ours(drawn_logits())
    # Softmax sums to 1 and one 1 is taken away.
    torch.testing.assert_close(
        gradient.sum(dim=-1), torch.zeros(N_ROWS).double(), atol=1e-12, rtol=0
    )
    is_ignored = LABELS == IGNORED_LABEL
    assert (gradient[is_ignored] == 0).all()
    assert not is_right[is_ignored].any()


def test_ignored_rows_alone_have_a_loss_of_zero():
    loss, gradient, _ = ours(drawn_logits(), torch.full((N_ROWS,), IGNORED_LABEL))
    assert loss.item() == 0
    assert (gradient == 0).all()


def test_the_gradient_is_scaled_by_what_the_loss_is_divided_by():
    logits = drawn_logits()
    (summed_language_loss(logits * 1, LABELS)[0] / 4).backward()
    torch.testing.assert_close(logits.grad, torchs(drawn_logits())[1] / 4, atol=1e-12, rtol=0)


def test_a_second_backward_pass_is_refused():
    loss, _ = summed_language_loss(drawn_logits() * 1, LABELS)
    loss.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="a second backward pass: compute the loss anew"):
        loss.backward()


def test_one_blank_trains_visible_words_in_all_layers_but_the_last():
    model = load(BUNDLED)
    text = tokenize(model.tokenizer, "We missed the train and walked home.")
    blank, ids = text.texts.index("train"), list(text.ids)
    ids[blank] = model.tokenizer.token_to_id("[MASK]")
    with torch.enable_grad():
        model.bert.requires_grad_(True)
        states = model.bert.encode(torch.tensor([ids])).states
        logits = model.bert.masked_language_logits(states[-1])[0, [blank]]
        loss = F.cross_entropy(logits, torch.tensor([text.ids[blank]]))
        gradients = torch.autograd.grad(loss, states)
    visible = [i for i, token in enumerate(text.tokens) if not token.is_special and i != blank]
    norms = [gradient[0, visible].norm(dim=-1) for gradient in gradients]
    assert len(norms) == 13 and all((norm > 0.01).all() for norm in norms[:-1])
    assert (norms[-1] == 0).all() and gradients[-1][0, blank].norm() > 0.01
