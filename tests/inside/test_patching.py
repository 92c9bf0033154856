"""Activation patching: all states give 1 and none 0, each share by hand, pairs that are refused.

tests/reference/test_patching.py: the same logits by a hook in transformers' own model.
"""

import copy

import pytest
import torch

from mlm_core.encoder.model_list import MissingHeadError
from mlm_core.inside.patching import (
    NoGapError,
    Pair,
    PairError,
    follow,
    likeliest_answers,
    pair_of,
    patched_logits,
    way_of,
)
from mlm_core.text.tokens import tokenize
from tests.prediction.small_models import small_model

CLEAN, CORRUPTED = "the old [MASK] saw a dog", "the old [MASK] saw a cat"


@pytest.fixture(scope="module")
def model():
    return small_model()


@pytest.fixture(scope="module")
def pair(model) -> Pair:
    return pair_in(model, CLEAN, CORRUPTED)


def pair_in(model, clean: str, corrupted: str) -> Pair:
    texts = (tokenize(model.tokenizer, text) for text in (clean, corrupted))
    return pair_of(model.tokenizer, *texts)


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_all_states_of_a_layer_give_the_clean_run_and_none_the_other(model, pair, layer):
    all_or_none = torch.tensor([[True], [False]]).expand(2, len(pair.clean.ids))
    found = patched_logits(model, pair, layer, all_or_none)
    for logits, text in zip(found, (pair.clean, pair.corrupted), strict=True):
        whole = model.vocabulary_logits(text)[pair.blank]
        torch.testing.assert_close(logits, whole, atol=1e-5, rtol=0)


def test_at_both_ends_one_state_has_all_of_the_gap_and_the_others_none(model, pair):
    closed = follow(model, pair, (7, 9)).closed
    n_tokens = len(pair.clean.ids)
    for row, position in ((closed[0], pair.word[0]), (closed[-1], pair.blank)):
        one_state = torch.eye(n_tokens)[position]
        torch.testing.assert_close(row, one_state, atol=1e-5, rtol=0)
    assert closed.shape == (model.n_layers + 1, n_tokens)


def test_a_share_is_that_of_the_run_with_one_state_exchanged(model, pair):
    """By hand, without batches: the state after layer 1 is exchanged, then layer 2 runs."""
    followed, (first, second) = follow(model, pair, (7, 9)), (7, 9)
    clean, corrupted = (model.encode(text).states[1] for text in (pair.clean, pair.corrupted))
    for position in (0, pair.blank, pair.word[0]):
        mixed = corrupted.clone()
        mixed[0, position] = clean[0, position]
        state, _ = model.bert.blocks[1](mixed, None)
        logits = model.bert.masked_language_logits(state[0, pair.blank])
        difference = (logits[first] - logits[second]).item()
        share = (difference - followed.corrupted) / (followed.clean - followed.corrupted)
        assert followed.closed[1, position].item() == pytest.approx(share, abs=1e-4)


def test_the_gap_is_of_the_likeliest_answers_unless_others_are_asked_for(model):
    pair = pair_in(model, "the [MASK] sat on the mat", "a [MASK] sat on the mat")
    first, second = likeliest_answers(model, pair)
    assert first != second, "the test needs a pair with a gap"
    followed = follow(model, pair)
    assert followed.answers == (first, second) and followed.clean > 0 > followed.corrupted
    turned = follow(model, pair, (second, first))
    assert turned.clean == pytest.approx(-followed.clean)
    torch.testing.assert_close(turned.closed, followed.closed, atol=1e-4, rtol=0)


@pytest.mark.parametrize(
    ("corrupted", "error"),
    [
        (CLEAN, "the same to this model"),
        ("the old [MASK] saw a river dog", "more than one word differs, the first at 'dog'"),
        ("a old [MASK] saw a cat", "the first at 'the' and 'a'"),
        ("the old [MASK] saw a", "more than one word differs"),
        (
            "the old [MASK] saw a dogdog",
            r"'dogdog' has \d tokens \(dog ##.*\), 'dog' has 1: in place of 'dogdog' write",
        ),
    ],
)
def test_a_pair_says_which_word_to_change(model, corrupted, error):
    with pytest.raises(PairError, match=error):
        pair_in(model, CLEAN, corrupted)
    if "place" in error:
        with pytest.raises(PairError, match=error):
            pair_in(model, corrupted, CLEAN)


def test_both_have_one_blank_and_few_tokens(model):
    with pytest.raises(ValueError, match="0 blanks"):
        pair_in(model, CLEAN, "the old man saw a dog")
    long = "the old dog " * 15 + "[MASK]"
    with pytest.raises(PairError, match="49 tokens in a sentence: shorten it to 40"):
        pair_in(model, f"a {long}", f"the {long}")


def test_without_a_gap_nothing_is_followed(model, pair):
    with pytest.raises(NoGapError, match="the same answer"):
        follow(model, pair, (7, 7))
    flat = small_model(initializer_range=1e-4)
    with pytest.raises(NoGapError, match="no gap to close"):
        follow(flat, pair, (7, 9))


def test_no_layer_beyond_the_last_and_no_model_without_a_head(model, pair):
    none = torch.zeros(1, len(pair.clean.ids), dtype=torch.bool)
    with pytest.raises(ValueError, match="layer 3: this model has layers 0 to 2"):
        patched_logits(model, pair, 3, none)
    headless = copy.copy(model)
    headless.has_language_head = False
    with pytest.raises(MissingHeadError):
        patched_logits(headless, pair, 1, none)


@pytest.mark.parametrize(
    ("peaks", "stays", "arrives", "moves", "is_direct"),
    [
        ([1, 1, 1, 3, 3], 2, 3, True, True),
        ([1, 1, 2, 3, 3], 1, 3, True, False),
        ([1, 1, 3, 1, 3], 1, 4, False, False),  # only where nothing else is possible
        ([1, 3, 3, 3, 3], 0, 1, False, True),
        ([1, 1, 1, 1, 3], 3, 4, False, True),
    ],
)
def test_the_way_of_the_peak(peaks, stays, arrives, moves, is_direct):
    way = way_of(torch.eye(4)[peaks], (1,), 3)
    assert way.peaks == tuple(peaks)
    assert (way.stays, way.arrives, way.moves, way.is_direct) == (stays, arrives, moves, is_direct)
