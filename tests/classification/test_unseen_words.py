"""Words of the test part that no training example has."""

from mlm_core.classification.errors import unseen_proportion
from mlm_core.labelled.examples import LabelledText


def said(*texts):
    return [LabelledText(text=text, label="any") for text in texts]


def test_what_was_learnt_from_has_no_unseen_word():
    assert unseen_proportion(said("cold soup", "warm bread"), said("Warm soup")) == 0


def test_a_share_by_hand():
    # Of warm, soup, and, milk the last two are new; case doesn't count.
    assert unseen_proportion(said("cold soup", "warm"), said("Warm soup and", "milk soup")) == 0.5
