"""The baseline of a search."""

import math

import numpy as np
import pytest

from mlm_core.search.tf_idf import tf_idf_cosines

QUERIES = ("Two old, old boats!", "Über Zebras", "a b")
CANDIDATES = ("The boats are old.", "two boats_2 of TWO", "über alles", "a")


def test_rare_words_weigh_more_as_worked_by_hand():
    found = tf_idf_cosines(["old red"], ["old boat", "old red", "the boat"])
    old, red = math.log(4 / 3) + 1, math.log(4 / 2) + 1
    boat = old
    length = math.hypot(old, red)
    expected = [old * old / length / math.hypot(old, boat), 1.0, 0.0]
    np.testing.assert_allclose(found, [expected])


def test_a_paraphrase_in_other_words_scores_nothing():
    assert tf_idf_cosines(["It was pricey."], ["That cost much."]).tolist() == [[0.0]]


def test_candidates_without_words_are_refused():
    with pytest.raises(ValueError, match="no candidate has a word of two letters or more"):
        tf_idf_cosines(["a word"], ["?", "a"])


def test_the_cosines_are_those_of_scikit_learn():
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer()
    of_candidates = vectorizer.fit_transform(CANDIDATES)
    expected = (vectorizer.transform(QUERIES) @ of_candidates.T).toarray()
    np.testing.assert_allclose(tf_idf_cosines(QUERIES, CANDIDATES), expected, atol=1e-12)
