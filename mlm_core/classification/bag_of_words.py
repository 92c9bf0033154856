"""What anyone gets without an encoder: the most frequent class, and a bag of words.

    majority        every text gets the class that is most frequent in the part to learn from
    bag of words    x_w = 1 if word w occurs in the text;  y = softmax(x W + c)
                    lowers  sum of -log P(right class)  +  penalty / 2 * |W|^2

A pair's words are two bags, one for each text, so that the second can be judged by itself. Words
are lower-cased; one that occurs in a single example is left out. The sum is convex, so there is
one answer, and it doesn't depend on chance. It is found by following the gradient with momentum
(Nesterov 1983); torch.optim would bring the compiler into memory, 90 MB.

Source: SLP3, chapter "Logistic Regression" (multinomial, L2); scikit-learn's CountVectorizer
(binary) and LogisticRegression(C = 1 / penalty) give the same numbers (tested).

Read before this: ../finetuning/scores.py. Read next: ../finetuning/snapshot.py.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch.nn import functional as F

from mlm_core.labelled.examples import LabelledText
from mlm_core.shapes import Float, Tensor

WORD = re.compile(r"\w\w+|n't|!|\?")
FEWEST_USES = 2  # examples that a word occurs in, or it is left out
MOST_ITERATIONS = 5_000
SMALLEST_STEP = 1e-6  # of any weight; below, no prediction changes any more


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
    if len(classes) < 2:
        raise ValueError("all examples have one class: give some of at least two")
    if not penalty > 0:
        raise ValueError(f"penalty is {penalty}: choose a number above 0")
    uses = Counter(word for example in train for word in words_of(example))
    words = {w: i for i, w in enumerate(sorted(w for w, n in uses.items() if n >= FEWEST_USES))}
    inputs = bags(train, words)
    labels = torch.tensor([classes.index(example.label) for example in train])
    # The constant 1 behind each bag carries the bias, which is not penalized.
    inputs = torch.cat([inputs, torch.ones(len(inputs), 1, dtype=torch.float64)], dim=1)
    penalties = torch.full((inputs.shape[1],), penalty, dtype=torch.float64)
    penalties[-1] = 0.0
    found = _lowest(inputs, F.one_hot(labels, len(classes)).double(), penalties)
    return BagOfWords(classes=classes, words=words, weights=found[:, :-1], bias=found[:, -1])


def _lowest(
    inputs: Float[Tensor, "example column"],
    wanted: Float[Tensor, "example class"],
    penalties: Float[Tensor, " column"],
) -> Float[Tensor, "class column"]:
    """Return the weights of the lowest sum, by Nesterov's accelerated gradient descent."""
    # No gradient changes faster than this, so a step of its inverse never overshoots.
    steepest = torch.linalg.matrix_norm(inputs, 2) ** 2 / 2 + penalties.max()
    here = ahead = torch.zeros(wanted.shape[1], inputs.shape[1], dtype=torch.float64)
    momentum = 1.0
    for _ in range(MOST_ITERATIONS):
        errors = torch.softmax(inputs @ ahead.T, dim=1) - wanted
        gradient = errors.T @ inputs + penalties * ahead
        step = ahead - gradient / steepest
        if (step - here).abs().max() < SMALLEST_STEP:
            return step
        # A step that goes against the last one has overshot: the momentum starts anew.
        if ((step - here) * gradient).sum() > 0:
            momentum = 1.0
        faster = (1 + math.sqrt(1 + 4 * momentum**2)) / 2
        ahead = step + (momentum - 1) / faster * (step - here)
        here, momentum = step, faster
    return here
