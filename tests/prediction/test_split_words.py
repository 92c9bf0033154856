"""A word of several subwords in a blank: n masks, three scores of each subword."""

import pytest
import torch

from mlm_core.prediction.fillers import find_blanks, word_tokens
from mlm_core.prediction.split_words import score_pieces, widen_blank
from mlm_core.text.tokens import tokenize

SENTENCE = "They saw a [MASK] in the garden."
WORD = "hedgehog"


@pytest.fixture(scope="module")
def text(bundled):
    return tokenize(bundled.tokenizer, SENTENCE)


@pytest.fixture(scope="module")
def pieces(bundled):
    found = word_tokens(bundled.tokenizer, WORD)
    assert len(found) > 1
    return found


def test_a_blank_is_widened_in_its_place(bundled, text):
    widened = widen_blank(text, 3, bundled.tokenizer)
    (blank,) = find_blanks(text, bundled.tokenizer)
    assert find_blanks(widened, bundled.tokenizer) == (blank, blank + 1, blank + 2)
    assert widened.texts[: blank + 1] == text.texts[: blank + 1]
    assert widened.texts[blank + 3 :] == text.texts[blank + 1 :]
    assert len({token.word for token in widened.tokens[blank : blank + 3]}) == 1
    assert widen_blank(text, 1, bundled.tokenizer).ids == text.ids


def test_widened_masks_are_those_that_somebody_types(bundled, text):
    typed = tokenize(bundled.tokenizer, SENTENCE.replace("[MASK]", "[MASK] [MASK]"))
    assert widen_blank(text, 2, bundled.tokenizer).ids == typed.ids


def test_the_scores_are_those_of_single_passes(bundled, text, pieces):
    """Work out each log P from logits of a text that was put together by hand."""
    scores = score_pieces(bundled, text, pieces)
    (blank,) = find_blanks(text, bundled.tokenizer)
    ids, n = [piece.id for piece in pieces], len(pieces)
    mask = bundled.tokenizer.token_to_id("[MASK]")
    left, right = text.ids[:blank], text.ids[blank + 1 :]

    def log_probability(inside: list[int], k: int) -> float:
        sequence = torch.tensor([[*left, *inside, *right]])
        with torch.inference_mode():
            states = bundled.bert.last_states(sequence)
            logits = bundled.bert.masked_language_logits(states[0, blank + k])
        return logits.log_softmax(-1)[ids[k]].item()

    # Texts of one length run in a batch, whose sums run in another order.
    for k, score in enumerate(scores):
        assert score.id == ids[k] and score.token == pieces[k].text
        assert score.at_once == pytest.approx(log_probability([mask] * n, k), abs=1e-4)
        in_turn = ids[:k] + [mask] * (n - k)
        assert score.left_to_right == pytest.approx(log_probability(in_turn, k), abs=1e-4)
        in_sight = [*ids[:k], mask, *ids[k + 1 :]]
        assert score.others_in_sight == pytest.approx(log_probability(in_sight, k), abs=1e-4)


def test_two_ways_agree_where_they_see_the_same(bundled, text, pieces):
    scores = score_pieces(bundled, text, pieces)
    # The first piece: all masks open in both ways. The last: all others in sight in both.
    assert scores[0].at_once == pytest.approx(scores[0].left_to_right, abs=1e-4)
    assert scores[-1].left_to_right == pytest.approx(scores[-1].others_in_sight, abs=1e-4)


def test_a_word_of_one_token_has_one_score_in_three_ways(bundled, text):
    (score,) = score_pieces(bundled, text, word_tokens(bundled.tokenizer, "dog"))
    assert score.at_once == pytest.approx(score.left_to_right, abs=1e-4)
    assert score.at_once == pytest.approx(score.others_in_sight, abs=1e-4)


@pytest.mark.parametrize(
    ("sentence", "n", "error"),
    [("No blank.", 2, "0 blanks"), ("[MASK] [MASK]", 2, "2 blanks"), (SENTENCE, 13, "1 to 12")],
)
def test_what_cannot_be_widened_is_refused(bundled, sentence, n, error):
    with pytest.raises(ValueError, match=error):
        widen_blank(tokenize(bundled.tokenizer, sentence), n, bundled.tokenizer)
