"""The baseline of a search."""

import math

import numpy as np
import pytest

from mlm_core.search.tf_idf import tf_idf_cosines


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
