"""Shares under alpha, and what a vocabulary learnt from the mixture has for each language."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.text.language_sampling import (
    draw_sentences,
    measure_use,
    read_languages,
    sampling_probabilities,
    subwords_per_word,
)
from mlm_core.text.tokens import train_tokenizer

counts_of_languages = st.lists(st.integers(1, 10**12), min_size=1, max_size=9)


@given(counts_of_languages, st.floats(0, 1))
def test_shares_sum_to_one_and_keep_the_order(counts, alpha):
    shares = sampling_probabilities(counts, alpha)
    assert sum(shares) == pytest.approx(1)
    for i, share in enumerate(shares):
        for j, other in enumerate(shares):
            assert counts[i] < counts[j] or share >= other - 1e-12


@given(counts_of_languages, st.floats(0, 0.99), st.floats(0, 0.99))
def test_a_smaller_alpha_never_takes_from_the_rarest(counts, one, other):
    rarest = counts.index(min(counts))
    small, large = sorted((one, other))
    shares = [sampling_probabilities(counts, alpha)[rarest] for alpha in (small, large)]
    assert shares[0] >= shares[1] - 1e-12


def test_a_language_without_text_is_never_drawn():
    assert sampling_probabilities([5, 0, 5], 0.0) == (0.5, 0.0, 0.5)


@pytest.mark.parametrize("counts", [[], [0, 0], [3, -1]])
def test_counts_that_are_none_are_refused(counts):
    with pytest.raises(ValueError, match="at least one above"):
        sampling_probabilities(counts, 0.3)


@pytest.mark.parametrize("alpha", [-0.1, float("nan"), float("inf")])
def test_an_alpha_that_is_none_is_refused(alpha):
    with pytest.raises(ValueError, match="choose 0 or more"):
        sampling_probabilities([1, 2], alpha)


def test_six_languages_say_the_same_thirty_things():
    languages = read_languages()
    assert [len(language.sentences) for language in languages] == [30] * 6
    assert len({language.code for language in languages}) == 6
    sizes = [language.wikipedia for language in languages]
    assert sizes == sorted(sizes, reverse=True)


def test_draws_follow_the_shares_and_repeat_no_sentence_before_its_turn():
    texts = [language.sentences for language in read_languages()[:3]]
    shares, n = (0.7, 0.2, 0.1), 3000
    drawn = draw_sentences(texts, shares, n, Random(3))
    assert sum(map(len, drawn)) == n
    for text, share, sentences in zip(texts, shares, drawn, strict=True):
        # Five standard deviations of a binomial count.
        assert abs(len(sentences) - n * share) < 5 * (n * share * (1 - share)) ** 0.5
        counts = [sentences.count(sentence) for sentence in text]
        assert max(counts) - min(counts) <= 1


def test_use_worked_by_hand():
    lines = [["aa ab"], ["aa cc"]]
    tokenizer = train_tokenizer("BPE", ["aa ab", "aa cc"], 100)
    first, second = measure_use(tokenizer, lines, lines)
    # Each word is one entry; "aa" belongs to both, "ab" and "cc" to one each.
    n_entries = tokenizer.get_vocab_size() - 5
    assert (first.n_used, first.n_alone, first.tokens_per_word) == (2, 1, 1.0)
    assert (
        first.vocabulary_proportion
        == second.vocabulary_proportion
        == pytest.approx(1.5 / n_entries)
    )
    assert first.n_drawn == 1


def test_subwords_per_word_by_hand():
    # In BPE without merges each letter is a subword; numbers and marks don't count.
    tokenizer = train_tokenizer("WordPiece", ["abc"], 6)
    counts = {"a": 3, "abc": 2, "c2": 50, "12": 70, ".": 90}
    assert subwords_per_word(tokenizer, counts) == pytest.approx((3 * 1 + 2 * 3) / 5)
    with pytest.raises(ValueError, match="no word of letters among 2 words"):
        subwords_per_word(tokenizer, {"12": 3, ".": 1})


def test_the_rare_language_is_cut_finer_when_drawn_by_size_and_the_large_when_drawn_alike():
    languages = read_languages()
    texts, uses = [language.sentences for language in languages], {}
    for alpha in (0.0, 1.0):
        shares = sampling_probabilities([language.wikipedia for language in languages], alpha)
        drawn = draw_sentences(texts, shares, 2000, Random(1))
        lines = [sentence for sentences in drawn for sentence in sentences]
        uses[alpha] = measure_use(train_tokenizer("BPE", lines, 800), texts, drawn)
    large, rare = 0, len(languages) - 1
    assert uses[1.0][rare].tokens_per_word > uses[0.0][rare].tokens_per_word + 0.5
    assert uses[1.0][large].tokens_per_word < uses[0.0][large].tokens_per_word - 0.3
    assert uses[1.0][rare].vocabulary_proportion < uses[0.0][rare].vocabulary_proportion
    assert all(sum(use.vocabulary_proportion for use in each) <= 1 for each in uses.values())
