"""Leaving a word out: the moves are differences of logits that the model itself gives."""

import pytest
import torch

from mlm_core.classification import occlusion
from mlm_core.classification.occlusion import leave_words_out
from mlm_core.encoder.model_list import BUNDLED
from mlm_core.encoder.pretrained import load
from mlm_core.finetuning.fine_tuned import fine_tuned
from mlm_core.stored.finetunes import read_stored

TEXT, WITHOUT_MUSIC = "The music ruined our evening.", "The  ruined our evening."


@pytest.fixture(scope="module")
def sentiment():
    return fine_tuned(read_stored("sentiment_top"), load(BUNDLED))


def test_a_words_move_is_the_logit_with_it_minus_the_logit_without_it(sentiment):
    found = leave_words_out(sentiment, TEXT)
    assert [one.word for one in found] == ["The", "music", "ruined", "our", "evening", "."]
    log_p, without = (sentiment.class_log_probabilities(one) for one in (TEXT, WITHOUT_MUSIC))
    # Softmax leaves out what all logits share: their differences are those of log P.
    expected = (log_p - log_p[0]) - (without - without[0])
    moves = torch.tensor(found[1].moves)
    torch.testing.assert_close(moves - moves[0], expected, atol=1e-4, rtol=1e-4)


def test_the_word_that_carries_the_opinion_moves_its_class_most(sentiment):
    found = leave_words_out(sentiment, TEXT)
    negative = sentiment.classes.index("negative")
    assert max(found, key=lambda one: one.moves[negative]).word == "ruined"


def test_words_of_both_texts_of_a_pair_are_left_out_from_their_own():
    model = fine_tuned(read_stored("entailment_top"), load(BUNDLED))
    found = leave_words_out(model, "A man sleeps.", "He sleeps.", most=6)
    assert [(one.word, one.segment) for one in found] == [
        *(("A", 0), ("man", 0), ("sleeps", 0), (".", 0)),
        *(("He", 1), ("sleeps", 1)),
    ]
    same, shorter = (
        model.class_log_probabilities(one, "He sleeps.") for one in ("A man sleeps.", "A  sleeps.")
    )
    moves = torch.tensor(found[1].moves)
    expected = (same - same[0]) - (shorter - shorter[0])
    torch.testing.assert_close(moves - moves[0], expected, atol=1e-4, rtol=1e-4)


def test_a_text_of_one_word_can_lose_it(sentiment):
    (only,) = leave_words_out(sentiment, "Awful")
    assert only.word == "Awful" and len(only.moves) == len(sentiment.classes)


def test_a_long_text_is_read_a_few_words_at_a_time_and_gives_the_same(sentiment, monkeypatch):
    together = leave_words_out(sentiment, TEXT)
    monkeypatch.setattr(occlusion, "TOKENS_AT_ONCE", 20)
    for few, all_ in zip(leave_words_out(sentiment, TEXT), together, strict=True):
        assert few.word == all_.word and few.moves == pytest.approx(all_.moves, abs=1e-4)
