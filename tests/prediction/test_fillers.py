"""Fillers of blanks: ranks, several blanks at once and in turn, and sentences place by place."""

import math
from itertools import pairwise
from random import Random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken

from mlm_core.prediction.fillers import (
    BATCH_SIZE,
    MOST_BLANKS,
    fill_at_once,
    fill_in_turn,
    find_blanks,
    positions_to_score,
    rank_of,
    score_among_hidden,
    score_positions,
    text_before,
    top_fillers,
    word_tokens,
)
from mlm_core.prediction.masked_words import hide
from mlm_core.text.tokens import role_token, tokenize
from tests.prediction.small_models import LINES
from tests.reference.small_checkpoints import small_tokenizer


def test_the_likeliest_come_first_with_softmax_probabilities():
    # softmax of (0, 1, 0): e / (2 + e) = 0.5761
    best, *rest = top_fillers(torch.tensor([0.0, 1.0, 0.0]), 3)
    assert best.id == 1
    assert best.probability == pytest.approx(math.e / (2 + math.e))
    assert sum(filler.probability for filler in (best, *rest)) == pytest.approx(1.0)


def test_no_more_fillers_than_the_vocabulary_has():
    assert len(top_fillers(torch.zeros(3), 10)) == 3


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30), st.data())
def test_the_rank_is_one_more_than_the_number_of_better_ones(values, data):
    id_ = data.draw(st.integers(0, len(values) - 1))
    assert rank_of(torch.tensor(values).float(), id_) == 1 + sum(v > values[id_] for v in values)


def test_at_once_every_blank_gets_the_best_of_the_one_pass(model):
    text = tokenize(model.tokenizer, "the [MASK] sat on [MASK] mat")
    blanks = find_blanks(text, model.tokenizer)
    steps = fill_at_once(model, text, n=3)
    assert tuple(step.position for step in steps) == blanks and len(blanks) == 2
    logits = model.vocabulary_logits(text)
    assert [step.chosen.id for step in steps] == logits[list(blanks)].argmax(-1).tolist()
    assert all(len(step.guesses) == 3 for step in steps)


def test_in_turn_each_step_reads_what_was_put_in_before(model):
    text = tokenize(model.tokenizer, "[MASK] cat [MASK] the [MASK]")
    steps = list(fill_in_turn(model, text, "left_to_right"))
    assert [step.position for step in steps] == list(find_blanks(text, model.tokenizer))
    for earlier, later in pairwise(steps):
        assert later.before.ids[earlier.position] == earlier.chosen.id
        logits = model.vocabulary_logits(later.before)[later.position]
        assert later.chosen.id == int(logits.argmax())


def test_the_first_step_in_turn_is_the_one_at_once(model):
    text = tokenize(model.tokenizer, "[MASK] cat [MASK] the mat")
    first = next(fill_in_turn(model, text, "left_to_right"))
    assert first.guesses == fill_at_once(model, text)[0].guesses


def test_the_most_certain_blank_is_the_likeliest_of_those_still_open(model):
    text = tokenize(model.tokenizer, "[MASK] cat [MASK] the [MASK]")
    for step in fill_in_turn(model, text, "most_certain_first"):
        open_ones = fill_at_once(model, step.before)
        assert step.chosen.probability == max(s.chosen.probability for s in open_ones)


def test_a_text_without_blanks_needs_no_step(model):
    text = tokenize(model.tokenizer, LINES[0])
    assert fill_at_once(model, text) == ()
    assert list(fill_in_turn(model, text, "left_to_right")) == []


def test_an_unknown_order_and_too_many_blanks_are_refused(model, unchecked_shapes):
    text = tokenize(model.tokenizer, "[MASK] " * (MOST_BLANKS + 1))
    with pytest.raises(ValueError, match="choose one of left_to_right"):
        next(fill_in_turn(model, text, "backwards"))
    with pytest.raises(ValueError, match=f"at most {MOST_BLANKS}"):
        next(fill_in_turn(model, text, "left_to_right"))


@pytest.mark.parametrize("causal", [False, True])
def test_a_batch_of_places_scores_as_one_at_a_time(model, causal):
    text = tokenize(model.tokenizer, " ".join(LINES))
    places = positions_to_score(text)
    assert len(places) > BATCH_SIZE  # so that there is more than one batch
    together = [s.log_probability for s in score_positions(model, text, causal=causal)]
    alone = [
        next(score_positions(model, text, [place], causal=causal)).log_probability
        for place in places
    ]
    assert together == pytest.approx(alone, abs=1e-4)
    assert all(score <= 0 for score in together)


def test_with_the_causal_mask_what_follows_a_place_does_not_count(model):
    short, long = (tokenize(model.tokenizer, line) for line in ("the cat sat", "the cat sat on a"))
    # Without its [SEP], the short text begins the long one.
    ours = [s.log_probability for s in score_positions(model, short, [1, 2, 3], causal=True)]
    theirs = [s.log_probability for s in score_positions(model, long, [1, 2, 3], causal=True)]
    assert ours == pytest.approx(theirs, abs=1e-5)


def test_hiding_the_rest_of_a_word_hides_the_pieces_behind_it_only(model):
    text = tokenize(model.tokenizer, "dogat sat")
    word = text.words[0].positions
    assert len(word) > 1
    scores = {
        rest: [s.log_probability for s in score_positions(model, text, hide_rest_of_word=rest)]
        for rest in (False, True)
    }
    last = positions_to_score(text).index(word[-1])
    assert scores[True][:last] != pytest.approx(scores[False][:last], abs=1e-6)
    assert scores[True][last:] == pytest.approx(scores[False][last:], abs=1e-6)


def test_a_token_hidden_with_no_other_scores_as_hidden_alone_and_with_all_as_at_once(model):
    text = tokenize(model.tokenizer, LINES[0])
    alone = [score.log_probability for score in score_positions(model, text)]
    times = BATCH_SIZE // len(alone)
    assert score_among_hidden(model, text, 0.0, Random(3)) == pytest.approx(alone * times, abs=1e-5)
    places = positions_to_score(text)
    hidden = hide(text, places, model.tokenizer)
    logits = model.vocabulary_logits(hidden).log_softmax(dim=-1)
    at_once = [logits[i, text.ids[i]].item() for i in places]
    assert score_among_hidden(model, text, 1.0, Random(3)) == pytest.approx(
        at_once * times, abs=1e-5
    )


def test_special_tokens_are_not_scored(model):
    text = tokenize(model.tokenizer, "the [MASK] sat")
    assert [text.texts[i] for i in positions_to_score(text)] == ["the", "sat"]
    assert list(score_positions(model, tokenize(model.tokenizer, ""))) == []


def test_more_places_than_any_window_has_are_refused(model):
    text = tokenize(model.tokenizer, "the cat")
    with pytest.raises(ValueError, match="at most 512"):
        next(score_positions(model, text, [1] * 513))


def test_a_word_of_several_pieces_says_so(model):
    assert [token.text for token in word_tokens(model.tokenizer, " cat ")] == ["cat"]
    assert len(word_tokens(model.tokenizer, "dogat")) > 1
    assert word_tokens(model.tokenizer, "  ") == ()


PLACES = {  # before the blank, and the tokens of "he" there, as a text has them that says it
    "roberta": {"": ["he"], "because ": ["Ġhe"], "“": ["he"], "The dog\n": ["Ġhe"], "un": ["he"]},
    "xlm-roberta": {"": ["▁he"], "because ": ["▁he"], "the old “": ["he"], "un": ["▁he"]},
    "bert-uncased": {"": ["he"], "because ": ["he"], "(": ["he"], "un": ["he"]},
}


@pytest.mark.parametrize(
    ("family", "before"), [(name, before) for name, each in PLACES.items() for before in each]
)
@pytest.mark.parametrize("takes_the_space", [True, False])
def test_a_word_is_looked_up_at_its_own_place(family, before, takes_the_space):
    tokenizer = small_tokenizer(family)
    mask = role_token(tokenizer, "[MASK]")
    tokenizer.add_special_tokens([AddedToken(mask, lstrip=takes_the_space, special=True)])
    text = tokenize(tokenizer, f"{before}{mask} was tired")
    found = word_tokens(tokenizer, "he", text_before(text, find_blanks(text, tokenizer)[0]))
    assert [token.text for token in found] == PLACES[family][before]
