"""The stored curve is that of today's sentences and trainers."""

import pytest

from mlm_core.stored.size_curve import stored_curve
from mlm_core.text.size_curve import SIZES, measure
from mlm_core.text.tokens import ALGORITHMS


def test_every_algorithm_and_size_is_stored():
    stored = [(point.algorithm, point.size) for point in stored_curve()]
    assert stored == [(algorithm, size) for algorithm in ALGORITHMS for size in SIZES]


@pytest.mark.parametrize(
    ("algorithm", "size"), [("WordPiece", 3000), ("BPE", 200), ("Unigram", 5000)]
)
def test_a_stored_point_is_what_is_measured_now(algorithm, size):
    (stored,) = (p for p in stored_curve() if (p.algorithm, p.size) == (algorithm, size))
    now = measure(algorithm, size)
    assert now.reached == stored.reached, "remake it: make stored STORED=size_curve"
    assert now.tokens_per_word == pytest.approx(stored.tokens_per_word, rel=1e-9), (
        "remake it: make stored STORED=size_curve"
    )


def test_a_larger_vocabulary_makes_fewer_tokens():
    for algorithm in ALGORITHMS:
        rates = [p.tokens_per_word for p in stored_curve() if p.algorithm == algorithm]
        assert rates == sorted(rates, reverse=True)
