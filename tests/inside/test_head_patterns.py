"""What a head attends to: each key's kind by hand, proportions that sum to 1, the strongest pairs.

tests/stored/test_head_patterns.py: those of the bundled models.
"""

import pytest
import torch

from mlm_core.inside.head_patterns import (
    KINDS,
    head_patterns,
    kinds_of,
    pairs_at,
    parts_of_speech,
    shares_of,
    strongest_pairs,
)
from mlm_core.inside.switches import Head
from mlm_core.text.tokens import tokenize
from tests.prediction.small_models import small_model

SENTENCE = "the dog saw the cat on the mat."
SENTENCES = (SENTENCE, "a dog sat", "the old dog saw a cat")


@pytest.fixture(scope="module")
def model():
    return small_model()


def test_each_key_is_of_the_first_kind_that_fits(model):
    text = tokenize(model.tokenizer, SENTENCE)
    kinds = kinds_of(text, {"dog": "noun", "cat": "noun", "saw": "verb"})
    tokens = [token.text for token in text.tokens]
    assert [tokens[i] for i in (1, 4, 7)] == ["the"] * 3, "the test needs one token a word"
    named = [[KINDS[k] for k in row] for row in kinds.tolist()]
    assert named[4] == (
        "cls same_word noun previous itself next rest same_word rest punctuation sep".split()
    )
    assert (
        named[1][:3] == ["cls", "itself", "next"] and named[9][8:] == "previous itself sep".split()
    )


def test_subwords_of_one_word_are_not_the_same_word_elsewhere(model):
    text = tokenize(model.tokenizer, "dogdogdog saw dogdogdog")
    first, _, last = text.words
    kinds, n = kinds_of(text, {}), len(first.positions)
    assert n > 2, "the test needs a word of several tokens"
    named = [KINDS[k] for k in kinds[first.positions[0]].tolist()]
    assert {named[i] for i in last.positions} == {"same_word"}
    assert [named[i] for i in first.positions] == ["itself", "next", *["rest"] * (n - 2)]


def test_proportions_by_hand(model):
    """Two queries: the one gives .5 to [CLS], .2 to itself, .3 to the next; the other all back."""
    text = tokenize(model.tokenizer, "the dog")
    weights = torch.tensor([[9, 9, 9, 9], [0.5, 0.2, 0.3, 0], [0, 1, 0, 0], [9, 9, 9, 9.0]])
    shares = dict(zip(KINDS, shares_of(weights, text, {}).tolist(), strict=True))
    expected = {"cls": 0.25, "itself": 0.1, "next": 0.15, "previous": 0.5}
    assert shares == pytest.approx(dict.fromkeys(KINDS, 0.0) | expected)


def test_a_strongest_pair_has_no_special_token_and_a_position_that_is_asked_for(model):
    text = tokenize(model.tokenizer, "the dog sat")
    weights = torch.zeros(2, 5, 5)
    weights[0, 1, 0], weights[0, 4, 1], weights[0, 2, 3], weights[0, 3, 1] = 0.9, 0.9, 0.4, 0.3
    weights[1, 3, 3] = 0.5
    most, query, key = strongest_pairs(weights, text)
    assert most.tolist() == pytest.approx([0.4, 0.5])
    assert (query.tolist(), key.tolist()) == ([2, 3], [3, 3])
    at = [one.tolist()[0] for one in strongest_pairs(weights, text, at=[1])]
    assert at == pytest.approx([0.3, 3, 1])


def test_of_all_heads_of_some_sentences(model):
    found = head_patterns(model, SENTENCES)
    assert (found.n_sentences, found.n_queries) == (3, 18)
    assert sum(found.chance) == pytest.approx(1)
    assert all(sum(shares) == pytest.approx(1) for shares in found.shares.values())
    assert len(found.shares) == model.n_layers * model.n_heads
    head = Head(2, 1)
    for pair in found.pairs[head]:
        weights = model.encode(tokenize(model.tokenizer, pair.sentence), record=True).weights
        (most, query, key) = strongest_pairs(
            weights[1][0, 0], tokenize(model.tokenizer, pair.sentence)
        )
        assert pair[1:] == pytest.approx((int(query), int(key), most.item()))
    ordered = [pair.weight for pair in found.pairs[head]]
    assert ordered == sorted(ordered, reverse=True)


def test_pairs_at_a_word_are_of_the_sentences_that_have_it(model):
    pairs = pairs_at(model, SENTENCES, Head(1, 2), "Cat")
    assert {pair.sentence for pair in pairs} == {SENTENCES[0], SENTENCES[2]}
    for pair in pairs:
        tokens = tokenize(model.tokenizer, pair.sentence).texts
        assert "cat" in (tokens[pair.query], tokens[pair.key])
    assert len(pairs_at(model, SENTENCES, Head(1, 2), "dog", n=1)) == 1
    assert not pairs_at(model, SENTENCES, Head(1, 2), "do")


@pytest.mark.parametrize(("language", "word"), [("en", "night"), ("de", "woche")])
def test_words_of_our_list_have_one_part_of_speech(language, word):
    assert parts_of_speech(language)[word] == "noun"
    assert {*parts_of_speech(language).values()} == {"noun", "verb", "adjective"}
