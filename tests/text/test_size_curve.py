"""The stored curve is that of today's sentences and trainers."""

import pytest

from mlm_core.stored.size_curve import stored_curve
from mlm_core.text import corpora
from mlm_core.text.size_curve import SIZES, measure
from mlm_core.text.tokens import ALGORITHMS


def test_german_vocabularies_learn_from_the_sentences_of_labelled_sets_too():
    lines = corpora.training_sentences("de")
    assert lines[: len(corpora.sentences("de"))] == corpora.sentences("de")
    assert len(set(lines)) == len(lines) > 1500 and not any("\t" in line for line in lines)
    assert corpora.training_sentences() == corpora.sentences()
    for words in ("Das Handy wiegt knapp zweihundert Gramm.", "Viele Tiere haben vor dem Lärm"):
        assert any(line.startswith(words) for line in lines)


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_algorithm_and_size_is_stored(language):
    stored = [(point.algorithm, point.size) for point in stored_curve(language)]
    assert stored == [(algorithm, size) for algorithm in ALGORITHMS for size in SIZES]


@pytest.mark.parametrize(
    ("language", "algorithm", "size"),
    [
        ("en", "WordPiece", 3000),
        ("en", "BPE", 200),
        ("en", "Unigram", 5000),
        ("de", "WordPiece", 8000),
        ("de", "BPE", 400),
        ("de", "Unigram", 1500),
    ],
)
def test_a_stored_point_is_what_is_measured_now(language, algorithm, size):
    (stored,) = (p for p in stored_curve(language) if (p.algorithm, p.size) == (algorithm, size))
    now = measure(algorithm, size, language)
    assert now.reached == stored.reached, "remake it: make stored STORED=size_curve"
    assert now.tokens_per_word == pytest.approx(stored.tokens_per_word, rel=1e-9), (
        "remake it: make stored STORED=size_curve"
    )


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_larger_vocabulary_makes_fewer_tokens(language):
    for algorithm in ALGORITHMS:
        rates = [p.tokens_per_word for p in stored_curve(language) if p.algorithm == algorithm]
        assert rates == sorted(rates, reverse=True)
