"""Words of the test part that no training example has."""

import pytest

from mlm_core.classification.errors import unseen_proportion
from mlm_core.labelled.examples import LabelledText
from mlm_core.labelled.tables import stored_classes


def said(*texts):
    return [LabelledText(text=text, label="any") for text in texts]


def test_what_was_learnt_from_has_no_unseen_word():
    assert unseen_proportion(said("cold soup", "warm bread"), said("Warm soup")) == 0


def test_a_share_by_hand():
    # Of warm, soup, and, milk the last two are new; case doesn't count.
    assert unseen_proportion(said("cold soup", "warm"), said("Warm soup and", "milk soup")) == 0.5


def test_more_examples_never_leave_more_unseen():
    data = stored_classes("sentiment")
    shares = [unseen_proportion(data.train[:n], data.test) for n in (0, 10, 100, len(data.train))]
    assert shares[0] == 1 and shares == sorted(shares, reverse=True)


def test_a_test_part_without_words_is_refused():
    with pytest.raises(ValueError, match="has no word"):
        unseen_proportion(said("soup"), said("..."))
