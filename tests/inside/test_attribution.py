"""Attributions of one prediction: by brute force, by their sum, and by hand."""

import math
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from mlm_core.encoder.language_model import OwnModel
from mlm_core.inside import attribution
from mlm_core.inside.attribution import (
    LARGEST_GAP,
    MOST_TOKENS,
    TOKENS_A_PASS,
    attention_of,
    integrated_gradients,
    occlusion,
    rank_correlation,
    words_around,
)
from mlm_core.text.tokens import TokenizedText, role_id, tokenize
from tests.prediction.small_models import small_model

TEXT = "the old [MASK] saw rather a."  # rather is several subwords, the period unknown
TOKEN = 21


@pytest.fixture
def text(model: OwnModel) -> TokenizedText:
    return tokenize(model.tokenizer, TEXT)


def log_p(model: OwnModel, text: TokenizedText, ids: list[int]) -> float:
    tokens = [replace(one, id=id_) for one, id_ in zip(text.tokens, ids, strict=True)]
    logits = model.vocabulary_logits(replace(text, tokens=tuple(tokens)))
    return logits.log_softmax(dim=-1)[3, TOKEN].item()


def test_the_words_are_all_but_the_blank_and_special_tokens(model, text):
    words = words_around(model, text)
    assert [word.text for word in words] == ["the", "old", "saw", "rather", "a", "."]
    assert len(words[3].positions) > 1
    counted = sorted(i for word in words for i in word.positions)
    assert counted == [1, 2, *range(4, len(text.tokens) - 1)]


def test_occlusion_is_what_each_text_with_a_hidden_word_gives(model, text):
    mask = role_id(model.tokenizer, "[MASK]")
    by_hand = []
    for word in words_around(model, text):
        hidden = [mask if i in word.positions else id_ for i, id_ in enumerate(text.ids)]
        by_hand.append(log_p(model, text, text.ids) - log_p(model, text, hidden))
    assert occlusion(model, text, TOKEN) == pytest.approx(by_hand, abs=1e-5)
    assert max(map(abs, by_hand)) > 0.1


def test_the_parts_of_integrated_gradients_sum_to_the_difference(model, text):
    mask = role_id(model.tokenizer, "[MASK]")
    blanks = [text.ids[0], *[mask] * (len(text.ids) - 2), text.ids[-1]]
    found = integrated_gradients(model, text, TOKEN)
    difference = log_p(model, text, text.ids) - log_p(model, text, blanks)
    assert found.difference == pytest.approx(difference, abs=1e-5)
    assert abs(found.gap) < LARGEST_GAP
    assert sum(found.parts) == pytest.approx(difference, abs=LARGEST_GAP)


def test_where_the_steps_do_not_suffice_the_gap_says_by_how_much(model, text, monkeypatch):
    monkeypatch.setattr(attribution, "FEWEST_STEPS", 1)
    monkeypatch.setattr(attribution, "MOST_STEPS", 2)
    found = integrated_gradients(model, text, TOKEN)
    assert found.n_steps == 2 and abs(found.gap) > LARGEST_GAP
    assert sum(found.parts) - found.difference == pytest.approx(found.gap, abs=1e-5)


def test_few_tokens_a_pass_give_the_same_numbers(model, text, monkeypatch):
    sizes, logits_of_vectors = [], model.logits_of_vectors

    def counted(vectors, *rest):
        sizes.append(vectors[..., 0].numel())
        return logits_of_vectors(vectors, *rest)

    monkeypatch.setattr(model, "logits_of_vectors", counted)
    whole = integrated_gradients(model, text, TOKEN), occlusion(model, text, TOKEN)
    assert 64 < max(sizes) <= TOKENS_A_PASS
    monkeypatch.setattr(attribution, "TOKENS_A_PASS", 25)
    assert integrated_gradients(model, text, TOKEN).parts == pytest.approx(whole[0].parts, abs=1e-4)
    assert occlusion(model, text, TOKEN) == pytest.approx(whole[1], abs=1e-5)


def test_no_gradient_stays_with_the_shared_weights(model, text):
    model.bert.requires_grad_(True)
    integrated_gradients(model, text, TOKEN)
    assert all(parameter.grad is None for parameter in model.bert.parameters())
    model.bert.requires_grad_(False)


def test_attention_is_the_mean_over_heads_from_the_blank(model, text):
    weights = model.encode(text, record=True).weights[1][0]
    found = attention_of(model, text, 2)
    for word, value in zip(words_around(model, text), found, strict=True):
        by_hand = sum(weights[head, 3, i].item() for head in (0, 1) for i in word.positions) / 2
        assert value == pytest.approx(by_hand)
    assert 0 < sum(found) < 1
    with pytest.raises(ValueError, match="layer 3: this model has 1 to 2"):
        attention_of(model, text, 3)


def test_a_long_text_is_refused():
    model = small_model(n_positions=99)
    text = tokenize(model.tokenizer, "the [MASK] " + "cat " * MOST_TOKENS)
    for attribute in (occlusion, integrated_gradients, attention_of):
        with pytest.raises(ValueError, match=rf"68 tokens: shorten the text to {MOST_TOKENS}"):
            attribute(model, text, 1)


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=2, max_size=9))
def test_rank_correlation_is_spearmans_of_the_sizes(pairs):
    first, second = zip(*pairs, strict=True)
    found = rank_correlation(first, second)
    sizes = [[abs(value) for value in each] for each in (first, second)]
    if any(len(set(each)) == 1 for each in sizes):
        assert math.isnan(found)
    else:
        assert found == pytest.approx(spearmanr(*sizes).statistic)


def test_one_word_has_no_order():
    assert math.isnan(rank_correlation([0.5], [0.2]))


def test_the_sums_are_those_of_double_precision(model, text):
    """The numbers are no accident of float32."""
    double = small_model()
    double.bert.double()
    assert integrated_gradients(double, text, TOKEN).parts == pytest.approx(
        integrated_gradients(model, text, TOKEN).parts, abs=1e-3
    )
    assert torch.get_default_dtype() == torch.float32
