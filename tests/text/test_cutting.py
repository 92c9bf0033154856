"""Cutting a word step by step: worked by hand, invariants, edges and errors."""

import math

import pytest

from mlm_core.text import cutting
from mlm_core.text.tokens import ALGORITHMS, Token, tokenize, train_tokenizer

LINES = ("the river rose and the reeds bent", "the river fell", "reeds rise, rivers rest") * 3


def test_wordpiece_tries_the_longest_piece_first():
    tries = cutting.wordpiece_attempts("reeds", {"ree", "re", "##ds", "##d", "##s"})
    assert [(t.subword, t.found) for t in tries] == [
        ("reeds", False),
        ("reed", False),
        ("ree", True),
        ("##ds", True),
    ]


def test_wordpiece_gives_up_at_a_letter_it_does_not_know():
    tries = cutting.wordpiece_attempts("reü", {"r", "##e", "##d"})
    assert [t.subword for t in tries if t.found] == ["r", "##e"]
    assert not tries[-1].found
    assert tries[-1].subword == "##ü"


def test_wordpiece_does_not_look_at_words_that_are_too_long():
    assert cutting.wordpiece_attempts("aaaa", {"a", "##a"}, longest_word=3) == ()


def test_bpe_merges_what_was_learnt_first_not_what_stands_first():
    merges = [("b", "c"), ("a", "b"), ("a", "bc")]
    steps = cutting.bpe_steps("abcd", merges, {"a", "b", "c", "d</w>"})
    assert [step.subwords for step in steps] == [
        ("a", "b", "c", "d</w>"),
        ("a", "bc", "d</w>"),
        ("abc", "d</w>"),
    ]
    assert [step.rank for step in steps] == [None, 0, 2]


def test_bpe_of_an_unknown_letter_keeps_the_rest():
    steps = cutting.bpe_steps("aüb", [("a", "b</w>")], {"a", "b</w>"})
    assert steps[-1].subwords == ("a", "[UNK]", "b</w>")


def test_the_first_merge_is_the_most_frequent_pair():
    # th: 4 + 1; he</w>: 4; ha: 1.
    learnt = cutting.first_merges({"the": 4, "tha": 1}, 2)
    assert [(m.left, m.right, m.count) for m in learnt] == [("t", "h", 5), ("th", "e</w>", 4)]


def test_merging_stops_when_every_word_is_whole():
    assert len(cutting.first_merges({"abc": 1}, 10)) == 2


def test_unigrams_cuts_are_in_order_and_complete():
    log_probs = {"a": -1.0, "b": -2.0, "c": -2.5, "ab": -2.5, "bc": -4.25, "abc": -9.0}
    cuts = cutting.unigram_segmentations("abc", log_probs, 10)
    assert [(cut.subwords, cut.log_prob) for cut in cuts] == [
        (("ab", "c"), -5.0),
        (("a", "bc"), -5.25),
        (("a", "b", "c"), -5.5),
        (("abc",), -9.0),
    ]
    weights = [math.exp(cut.log_prob) for cut in cuts]
    share = cutting.proportion_of_best("abc", log_probs)
    assert share == pytest.approx(weights[0] / sum(weights), abs=1e-12)


def test_an_unknown_letter_costs_more_than_any_piece():
    (cut,) = cutting.unigram_segmentations("aü", {"a": -1.0, "b": -7.0}, 1)
    assert cut.subwords == ("a", "[UNK]")
    assert cut.log_probs == (-1.0, -17.0)


def test_every_cut_gives_the_word_back():
    tokenizer = train_tokenizer("Unigram", LINES, 60)
    for cut in cutting.unigram_segmentations("▁rivers", cutting.log_probs_of(tokenizer), 5):
        assert "".join(cut.subwords) == "▁rivers"


def test_reading_the_wrong_model_says_so():
    tokenizer = train_tokenizer("BPE", LINES, 60)
    with pytest.raises(ValueError, match="is BPE: pass one trained as Unigram"):
        cutting.log_probs_of(tokenizer)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_tokens_per_word_lies_between_one_and_the_letters(algorithm):
    tokenizer = train_tokenizer(algorithm, LINES, 70)
    assert 1 <= cutting.tokens_per_word(tokenizer, ["the river rose"]) <= 5


def test_tokens_per_word_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no words"):
        cutting.tokens_per_word(train_tokenizer("BPE", LINES, 60), [" "])


def test_neighbours_end_where_the_vocabulary_ends():
    tokenizer = train_tokenizer("BPE", LINES, 60)
    last = tokenizer.get_vocab_size() - 1
    assert [i for i, _ in cutting.neighbours(tokenizer, 0, 2)] == [0, 1, 2]
    assert [i for i, _ in cutting.neighbours(tokenizer, last, 2)] == [last - 2, last - 1, last]


def test_wordpiece_counts_an_unknown_word_once_and_bpe_each_letter():
    text = "the ΩΩΩ river"
    counts = {
        algorithm: cutting.count_unknown(tokenize(train_tokenizer(algorithm, LINES, 70), text))
        for algorithm in ALGORITHMS
    }
    assert counts == {"WordPiece": 1, "BPE": 3, "Unigram": 1}  # Unigram joins them


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_letter_that_was_never_seen_is_called_unknown(algorithm):
    tokenizer = train_tokenizer(algorithm, LINES, 70)
    unknown: list[Token] = [t for t in tokenize(tokenizer, "the Ω").tokens if "Ω" in t.text]
    assert not unknown
    assert "[UNK]" in tokenize(tokenizer, "the Ω").texts
