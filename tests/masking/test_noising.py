"""The denoising family: worked by hand, and what holds for any text."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlm_core.masking.noising import (
    NOISES,
    delete,
    infill,
    insert,
    mask_tokens,
    noise,
    permute,
    sentence_positions,
    substitute,
)
from mlm_core.masking.random_words import random_words
from mlm_core.text.tokens import tokenize, train_tokenizer

LINES = ["The food was delicious today .", "Cats sleep ! Dogs run ?"]
TOKENIZER = train_tokenizer("WordPiece", LINES, 90)
WORDS = random_words(TOKENIZER)


def tokens_of(text: str) -> tuple:
    return tuple(token for token in tokenize(TOKENIZER, text).tokens if not token.is_special)


FOOD = tokens_of("The food was delicious today.")
NAMES = [token.text for token in FOOD]


def texts(pieces) -> list[str]:
    return [piece.text for piece in pieces]


def test_masking_hides_in_place_and_asks_for_what_is_hidden():
    made = mask_tokens(FOOD, [1, 3], "[MASK]")
    assert texts(made.corrupted) == ["The", "[MASK]", "was", "[MASK]", "today", "."]
    assert texts(made.target) == ["food", "delicious"] and not made.whole_text


def test_substitution_marks_nothing():
    made = substitute(FOOD, [3], ["planet"])
    assert texts(made.corrupted) == ["The", "food", "was", "planet", "today", "."]
    assert texts(made.target) == NAMES and made.whole_text


def test_deletion_closes_the_gap():
    assert texts(delete(FOOD, [0, 5]).corrupted) == ["food", "was", "delicious", "today"]


def test_insertion_puts_words_between():
    made = insert(FOOD, [0, 2], ["x", "y"])
    assert texts(made.corrupted) == ["x", "The", "food", "y", "was", "delicious", "today", "."]


def test_infilling_has_one_sentinel_a_span_and_one_at_the_end():
    made = infill(FOOD, [1, 2, 4])
    assert texts(made.corrupted) == ["The", "<extra_id_0>", "delicious", "<extra_id_1>", "."]
    assert texts(made.target) == [
        *("<extra_id_0>", "food", "was"),
        *("<extra_id_1>", "today", "<extra_id_2>"),
    ]


def test_sentences_end_at_their_marks_with_the_quotes_that_close_them():
    text = tokenize(TOKENIZER, "Cats sleep!! Dogs run? Cats")
    assert [len(part) for part in sentence_positions(text)] == [4, 3, 1]
    assert sentence_positions(tokenize(TOKENIZER, "")) == []


def test_permutation_of_two_sentences_swaps_them():
    made = permute(tokenize(TOKENIZER, "Cats sleep! Dogs run?"), Random(0))
    assert texts(made.corrupted) == ["Dogs", "run", "?", "Cats", "sleep", "!"]
    assert made.changed == (0, 1, 2, 3, 4, 5)


def test_one_sentence_can_not_be_permuted():
    made = permute(tokenize(TOKENIZER, "The food was delicious today."), Random(0))
    assert texts(made.corrupted) == NAMES and made.changed == ()


@settings(max_examples=100)
@given(
    kind=st.sampled_from(NOISES),
    text=st.text(alphabet="Cats sleep. Dogs run!", max_size=40),
    rate=st.floats(0.05, 1.0),
    seed=st.integers(0, 999),
)
def test_corrupted_text_and_target_give_the_original_back(kind, text, rate, seed):
    made = noise(kind, tokenize(TOKENIZER, text), rate, Random(seed), WORDS)
    assert not any(token.is_special for token in made.original)
    names = [token.text for token in made.original]
    if made.whole_text:
        assert texts(made.target) == names
    elif kind == "masking":
        answers = iter(made.target)
        filled = [next(answers) if p.change == "mask" else p for p in made.corrupted]
        assert texts(filled) == names
    else:
        fillings: dict[str, list[str]] = {}
        for piece in made.target:
            if piece.change == "sentinel":
                current = fillings.setdefault(piece.text, [])
            else:
                current.append(piece.text)
        filled = [
            text
            for piece in made.corrupted
            for text in (fillings[piece.text] if piece.change == "sentinel" else [piece.text])
        ]
        assert filled == names
    if kind == "insertion":
        assert [p.text for p in made.corrupted if p.origin is not None] == names
    if kind == "permutation":
        assert sorted(texts(made.corrupted)) == sorted(names)


def test_an_unknown_noise_is_refused(unchecked_shapes):
    with pytest.raises(ValueError, match="choose one of masking"):
        noise("rotation", tokenize(TOKENIZER, "Cats"), 0.3, Random(0), WORDS)
