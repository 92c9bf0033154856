"""Three baselines without an encoder: the most frequent class, shared words, a bag of words.

    majority        every text gets the class that is most frequent in the training part
    shared words    of a pair: words in both texts / words in either (the Jaccard index)
    bag of words    x_w = 1 if word w occurs in the text;  y = softmax(x W + c)

scikit-learn's CountVectorizer makes x, its LogisticRegression finds W and c. A pair's words are
two bags, one for each text, so that the second can be judged alone: what a bag gets right from the
second text alone comes from writing habits in the data (annotation artifacts). Words are
lower-cased; one that occurs in a single example is left out. A bag doesn't see whether the texts
share a word; two cuts along the shared words see nothing else.

Source: SLP3, chapter "Logistic Regression"; Gururangan et al. 2018 (the second text alone).

Read before this: ../labelled/examples.py.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import regex

from mlm_core.labelled.examples import LabelledText
from mlm_core.shapes import Float
from mlm_core.text.words import SEGMENT

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

# Two letters or more, or one of a script without small and capital letters.
WORD = regex.compile(r"\w\w+|\p{Lo}|n't|!|\?")
FEWEST_USES = 2  # examples that a word occurs in, or it is left out
MOST_STEPS = 5_000  # of the search for the best weights, which ends earlier


@dataclass(frozen=True, eq=False, kw_only=True)
class BagOfWords:
    """A fitted model."""

    classes: tuple[str, ...]
    words: tuple[str, ...]  # one a column; of a pair's second text "2:word"
    weights: Float[np.ndarray, "class column"]
    fitted: "Pipeline"

    def says(self, examples: Sequence[LabelledText]) -> list[str]:
        """Return the likeliest class of each example."""
        return self.fitted.predict(examples).tolist()


@dataclass(frozen=True, kw_only=True)
class PairBaselines:
    """What is reached on pairs without an encoder."""

    # Which test pairs are right by "both" texts, the "second" alone, their "shared" words, and
    # "majority".
    right: dict[str, list[bool]]
    heaviest: dict[str, list[str]]  # by class, the words of the second text that weigh most


@dataclass(frozen=True, eq=False, kw_only=True)
class SharedWords:
    """Bands of shared words, each with one class."""

    cuts: tuple[float, float]  # where the second and the third band begin
    classes: tuple[str, ...]  # of the three bands, from few shared words to many

    def says(self, examples: Sequence[LabelledText]) -> list[str]:
        """Return the class of each pair's band."""
        bands = np.searchsorted(self.cuts, [shared_words(one) for one in examples], side="right")
        return [self.classes[band] for band in bands]


def majority_class(train: Sequence[LabelledText]) -> str:
    """Return the most frequent class; of two alike, the first by name."""
    counts = Counter(example.label for example in train)
    return min(counts, key=lambda label: (-counts[label], label))


def words_of(example: LabelledText) -> set[str]:
    """Return the words of an example; those of the second text with "2:" before them.

    >>> sorted(words_of(LabelledText(text="Old car", pair="new car", label="x")))
    ['2:car', '2:new', 'car', 'old']
    """
    return {*_words(example.text), *(f"2:{word}" for word in _words(example.pair or ""))}


def _words(text: str) -> set[str]:
    return {word for segment in SEGMENT.findall(text.lower()) for word in WORD.findall(segment)}


def shared_words(example: LabelledText) -> float:
    """Return the words that both texts of a pair have, as a share of those that either has.

    >>> shared_words(LabelledText(text="The old car", pair="the new car", label="x"))
    0.5
    """
    first, second = _words(example.text), _words(example.pair or "")
    return len(first & second) / max(1, len(first | second))


def fit_shared_words(train: Sequence[LabelledText]) -> SharedWords:
    """Return the two cuts with which most training pairs get the class of their band."""
    names = np.array(sorted({one.label for one in train}))
    shares = np.array([shared_words(one) for one in train])
    order = np.argsort(shares, kind="stable")
    is_class = np.array([one.label for one in train])[order, None] == names
    shares, counts = shares[order], np.vstack([np.zeros(len(names)), is_class.cumsum(axis=0)])
    # A cut stands before the first pair of a share, so that equal shares stay together.
    starts = np.flatnonzero(np.r_[True, np.diff(shares) > 0])
    below, above = counts[starts], counts[-1] - counts[starts]
    between = below[None] - below[:, None]
    n_right = below.max(axis=1)[:, None] + between.max(axis=2) + above.max(axis=1)
    n_right[np.tril_indices(len(starts), -1)] = -1  # the second cut isn't before the first
    i, j = np.unravel_index(n_right.argmax(), n_right.shape)
    return SharedWords(
        cuts=(float(shares[starts[i]]), float(shares[starts[j]])),
        classes=tuple(str(names[of.argmax()]) for of in (below[i], between[i, j], above[j])),
    )


def fit_bag_of_words(train: Sequence[LabelledText], *, penalty: float = 1.0) -> BagOfWords:
    """Return the weights that fit best.

    Raises ValueError if all examples are of one class, no word occurs in two of them, or the
    penalty is not above 0.
    """
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    if not penalty > 0:
        raise ValueError(f"penalty is {penalty}: choose a number above 0")
    if len({example.label for example in train}) < 2:
        raise ValueError("all examples have one class: give some of at least two")
    uses = Counter(word for example in train for word in words_of(example))
    if max(uses.values(), default=0) < FEWEST_USES:
        raise ValueError("no word occurs in two examples: add examples for a bag of words")
    counter = CountVectorizer(analyzer=words_of, binary=True, min_df=FEWEST_USES)
    regression = LogisticRegression(C=1 / penalty, tol=1e-6, max_iter=MOST_STEPS)
    fitted = make_pipeline(counter, regression).fit(train, [example.label for example in train])
    weights = regression.coef_
    return BagOfWords(
        classes=tuple(regression.classes_.tolist()),
        words=tuple(counter.get_feature_names_out().tolist()),
        # Of two classes scikit-learn gives one row, that of the second.
        weights=np.concatenate([-weights, weights]) if len(weights) == 1 else weights,
        fitted=fitted,
    )


def second_only(examples: Sequence[LabelledText]) -> tuple[LabelledText, ...]:
    """Return the second texts alone, with the class of their pair.

    Raises ValueError if an example has no second text.
    """
    if any(example.pair is None for example in examples):
        raise ValueError("an example without a second text: give pairs")
    return tuple(replace(example, text=example.pair, pair=None) for example in examples)


def heaviest_words(bag: BagOfWords, n: int) -> dict[str, list[str]]:
    """Return for each class the `n` words of the highest weight, the highest first."""
    return {
        name: [bag.words[i] for i in np.argsort(-row, kind="stable")[:n]]
        for name, row in zip(bag.classes, bag.weights, strict=True)
    }


def pair_baselines(
    train: Sequence[LabelledText], test: Sequence[LabelledText], n_words: int
) -> PairBaselines:
    """Return what four baselines get right on test pairs, and the second text's telling words.

    Raises ValueError as fit_bag_of_words and second_only do.
    """
    second = fit_bag_of_words(second_only(train))
    predicted = {
        "both": fit_bag_of_words(train).says(test),
        "second": second.says(second_only(test)),
        "shared": fit_shared_words(train).says(test),
        "majority": [majority_class(train)] * len(test),
    }
    labels = [example.label for example in test]
    return PairBaselines(
        right={
            name: [one == label for one, label in zip(of, labels, strict=True)]
            for name, of in predicted.items()
        },
        heaviest=heaviest_words(second, n_words),
    )
