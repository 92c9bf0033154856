"""From the states at the chosen positions to -log P and their mean."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.prediction.masked_words import (
    hide,
    labels_of,
    losses_everywhere,
    mean_over,
    passes_for_as_many,
    perplexity,
    predict,
    proportion_scored,
)
from mlm_core.text.tokens import Token, TokenizedText, tokenize
from tests.prediction.small_models import LINES


class GivenLogits(MaskedLanguageModel):
    """A model that another library runs, and that gives every position the same logits."""

    bert = None
    token_embedding = torch.zeros(0, 0)

    def __init__(self, logits: list[float]) -> None:
        self.logits = torch.tensor(logits)

    def vocabulary_logits(self, text, *, causal=False, attention_mask=None):
        return self.logits.expand(len(text.tokens), -1)


UNIFORM = GivenLogits([0.0] * 8)


def text_of(ids: list[int]) -> TokenizedText:
    tokens = tuple(
        Token(text=str(i), id=i, start=0, stop=1, word=0, segment=0, is_special=False) for i in ids
    )
    return TokenizedText(text="", pair=None, tokens=tokens, n_left_out=0)


def test_a_model_that_knows_nothing_loses_the_logarithm_of_its_vocabulary():
    predictions = predict(UNIFORM, text_of([5, 6, 7]), (-100, 6, 7))
    assert predictions.losses.tolist() == pytest.approx([math.log(8)] * 2)
    assert predictions.loss == pytest.approx(math.log(8))
    assert predictions.perplexity == pytest.approx(8.0)
    assert predictions.states is None and predictions.transformed is None


def test_a_loss_worked_by_hand():
    # Logits 0, 1, 0: P(1) = e / (2 + e) = 0.5761 and -log of it 0.5514; P(0) = 0.2119, 1.5514.
    predictions = predict(GivenLogits([0.0, 1.0, 0.0]), text_of([1, 0]), (1, 0))
    assert predictions.losses.tolist() == pytest.approx([0.5514, 1.5514], abs=1e-4)
    assert predictions.true_probabilities == pytest.approx([0.5761, 0.2119], abs=1e-4)
    assert predictions.loss == pytest.approx(1.0514, abs=1e-4)


@torch.inference_mode()
def test_every_step_leads_to_the_next(model):
    text = tokenize(model.tokenizer, LINES[0])
    predictions = predict(model, text, labels_of(text.ids, {2, 5}))
    bert = model.bert
    states = model.encode(text).last[0, [2, 5]]
    assert torch.equal(predictions.states, states)
    head = bert.masked_language_head
    logits = predictions.transformed @ bert.embeddings.token.weight.T + head.bias
    assert torch.allclose(predictions.logits, logits, atol=1e-5)
    assert torch.allclose(predictions.probabilities, logits.softmax(-1), atol=1e-6)
    assert predictions.probabilities.sum(-1).tolist() == pytest.approx([1.0, 1.0])
    assert torch.allclose(model.vocabulary_logits(text)[[2, 5]], predictions.logits, atol=1e-5)
    assert predictions.true_ids == (text.ids[2], text.ids[5])


@pytest.mark.parametrize("causal", [False, True])
def test_the_losses_everywhere_hold_those_of_the_chosen(model, causal):
    text = tokenize(model.tokenizer, LINES[1])
    everywhere = losses_everywhere(model, text, text.ids, causal=causal)
    chosen = predict(model, text, labels_of(text.ids, {1, 4}), causal=causal)
    assert everywhere[[1, 4]].tolist() == pytest.approx(chosen.losses.tolist(), abs=1e-5)
    assert mean_over(everywhere.tolist(), {1, 4}) == pytest.approx(chosen.loss, abs=1e-5)


def test_what_is_not_chosen_changes_no_loss_but_through_what_is_seen(model):
    text = tokenize(model.tokenizer, LINES[2])
    alone = predict(model, text, labels_of(text.ids, {3}))
    together = predict(model, text, labels_of(text.ids, {1, 3, 6}))
    assert together.losses[1].item() == pytest.approx(alone.losses[0].item(), abs=1e-5)


def test_replaced_tokens_keep_their_word_and_place(model):
    text = tokenize(model.tokenizer, LINES[0])
    seen = hide(text, [2], model.tokenizer)
    assert seen.texts[2] == "[MASK]" and seen.tokens[2].is_special
    assert seen.tokens[2].word == text.tokens[2].word
    assert [i for i in range(len(text.ids)) if seen.ids[i] != text.ids[i]] == [2]
    assert text.texts[2] != "[MASK]"  # the original is as it was


def test_no_chosen_position_is_refused(model):
    text = tokenize(model.tokenizer, LINES[0])
    with pytest.raises(ValueError, match="choose at least one"):
        predict(model, text, [-100] * len(text.ids))
    with pytest.raises(ValueError, match="let at least one count"):
        mean_over([1.0, 2.0], set())


def test_labels_of_another_length_and_place_are_refused(model):
    with pytest.raises(ValueError, match="2 labels for 3 tokens"):
        predict(UNIFORM, text_of([1, 2, 3]), (-100, 2))
    with pytest.raises(ValueError, match="positions 0 to 2"):
        labels_of([1, 2, 3], {3})


def test_perplexity_beyond_floats_is_infinite():
    assert perplexity(10_000.0) == math.inf


@given(n_tokens=st.integers(1, 500), data=st.data())
def test_enough_passes_ask_as_often_as_one_causal_pass(n_tokens, data):
    n_chosen = data.draw(st.integers(1, n_tokens))
    passes = passes_for_as_many(n_tokens, n_chosen)
    assert passes * n_chosen >= n_tokens > (passes - 1) * n_chosen


def test_signals_from_nothing_are_refused():
    with pytest.raises(ValueError, match="choose 1 to 4"):
        passes_for_as_many(4, 0)
    with pytest.raises(ValueError, match="choose 1 to 4"):
        passes_for_as_many(4, 5)


def test_the_share_asked_starts_at_none_and_follows_the_draws():
    assert proportion_scored(0.15, 0) == 0.0
    generator = torch.Generator().manual_seed(5)
    n_tokens, n_passes = 40_000, 4
    asked = (torch.rand(n_passes, n_tokens, generator=generator) < 0.15).any(dim=0)
    expected = proportion_scored(0.15, n_passes)
    # Five standard deviations of a share: false alarm in less than one of a million seeds.
    tolerance = 5 * math.sqrt(expected * (1 - expected) / n_tokens)
    assert asked.float().mean().item() == pytest.approx(expected, abs=tolerance)
