"""How many words of the test part never occur in what was learnt from?

    share unseen = |words of the test part that no training example has| / |words of the test part|

A model that starts from random numbers knows nothing of these words; one that was pretrained has
met them in other texts.

Read before this: ../classification/bag_of_words.py.
"""

from collections.abc import Sequence

from mlm_core.classification.bag_of_words import words_of
from mlm_core.labelled.examples import LabelledText


def unseen_share(train: Sequence[LabelledText], test: Sequence[LabelledText]) -> float:
    """Return the share of the test part's different words that `train` lacks, 0 to 1.

    >>> def said(text): return LabelledText(text=text, label="any")
    >>> unseen_share([said("good soup")], [said("good bread"), said("bad soup")])
    0.5
    """
    tested = set().union(*map(words_of, test))
    if not tested:
        raise ValueError("the test part has no word: give at least one example with words")
    return len(tested.difference(*map(words_of, train))) / len(tested)
