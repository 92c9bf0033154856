"""Two baselines without an encoder: the most frequent class, and a bag of words.

    majority        every text gets the class that is most frequent in the training part
    bag of words    x_w = 1 if word w occurs in the text;  y = softmax(x W + c)

A pair's words are two bags, one for each text, so that the second can be judged alone. Words are
lower-cased; one that occurs in a single example is left out.

Source: SLP3, chapter "Logistic Regression"; scikit-learn's CountVectorizer (binary) counts the
same words (tested).

Read before this: ../probing/linear_probe.py, ../labelled/examples.py.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from mlm_core.labelled.examples import LabelledText
from mlm_core.probing.linear_probe import fit_logistic_regression
from mlm_core.shapes import Float, Tensor

WORD = re.compile(r"\w\w+|n't|!|\?")
FEWEST_USES = 2  # examples that a word occurs in, or it is left out


@dataclass(frozen=True, eq=False, kw_only=True)
class BagOfWords:
    """A fitted model."""

    classes: tuple[str, ...]
    words: dict[str, int]  # each word's column; of a pair's second text "2:word"
    weights: Float[Tensor, "class column"]
    bias: Float[Tensor, " class"]

    def says(self, examples: Sequence[LabelledText]) -> list[str]:
        """Return the likeliest class of each example."""
        logits = bags(examples, self.words) @ self.weights.T + self.bias
        return [self.classes[i] for i in logits.argmax(dim=1).tolist()]


def majority_class(train: Sequence[LabelledText]) -> str:
    """Return the most frequent class; of two alike, the first by name."""
    counts = Counter(example.label for example in train)
    return min(counts, key=lambda label: (-counts[label], label))


def words_of(example: LabelledText) -> set[str]:
    """Return the words of an example; those of the second text with "2:" before them.

    >>> sorted(words_of(LabelledText(text="Old car", pair="new car", label="x")))
    ['2:car', '2:new', 'car', 'old']
    """
    found = set(WORD.findall(example.text.lower()))
    return found | {f"2:{word}" for word in WORD.findall((example.pair or "").lower())}


def bags(
    examples: Sequence[LabelledText], words: dict[str, int]
) -> Float[Tensor, "example column"]:
    """Return a 1 for each word that occurs in an example."""
    table = torch.zeros(len(examples), len(words), dtype=torch.float64)
    for row, example in zip(table, examples, strict=True):
        row[[words[word] for word in words_of(example) if word in words]] = 1.0
    return table


def fit_bag_of_words(train: Sequence[LabelledText], *, penalty: float = 1.0) -> BagOfWords:
    """Return the weights that fit best.

    Raises ValueError if all examples are of one class, or the penalty is not above 0.
    """
    classes = tuple(sorted({example.label for example in train}))
    uses = Counter(word for example in train for word in words_of(example))
    words = {w: i for i, w in enumerate(sorted(w for w, n in uses.items() if n >= FEWEST_USES))}
    labels = torch.tensor([classes.index(example.label) for example in train])
    found = fit_logistic_regression(bags(train, words), labels, penalty=penalty)
    return BagOfWords(classes=classes, words=words, weights=found.weights, bias=found.bias)
