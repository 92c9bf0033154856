"""Loss and accuracy of the best possible prediction on texts of the mini world.

The texts are corrupted as in pretraining (../../small_runs/best.py passes the test of a run), and
best.py predicts them. The result is the lowest possible loss and the highest possible accuracy,
to compare a training run with.

Read before this: best.py.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.text.mini_world.best import ShownText, WorldReader
from mlm_core.text.mini_world.world import WorldDocument


@dataclass(frozen=True, kw_only=True)
class CorruptedText:
    """A text as it is shown, with the original words."""

    shown: ShownText
    words: tuple[str, ...]  # A and B before corruption
    follows: bool | None  # None without B


@dataclass(frozen=True, kw_only=True)
class BestFigures:
    """Means over all predictions, and over all pairs."""

    masked_language_loss: float  # nats a chosen word
    masked_accuracy: float
    next_sentence_loss: float  # nats a pair; nan without pairs
    next_sentence_accuracy: float  # likewise
    n_predictions: int
    n_pairs: int


def word_probabilities(documents: Sequence[WorldDocument]) -> dict[str, float]:
    """Return the frequency of each word, for unigram prediction and random words."""
    counts = Counter(w for d in documents for sentence in d.sentences for w in sentence.words)
    total = counts.total()
    return {word: count / total for word, count in counts.items()}


def best_possible(reader: WorldReader, texts: Sequence[CorruptedText]) -> BestFigures:
    """Return the figures of the best possible prediction on `texts`."""
    losses, are_right, pair_losses, pairs_are_right = [], [], [], []
    for text in texts:
        best = reader.predict(text.shown)
        for i, words in best.words.items():
            losses.append(-math.log(words[text.words[i]]))
            are_right.append(max(words, key=words.__getitem__) == text.words[i])
        if best.follows is not None:
            believed = best.follows if text.follows else 1 - best.follows
            # 1 - follows can round to 0, which the exact number never is.
            pair_losses.append(-math.log(max(believed, 1e-16)))
            pairs_are_right.append((best.follows >= 0.5) == text.follows)
    return BestFigures(
        masked_language_loss=_mean(losses),
        masked_accuracy=_mean(are_right),
        next_sentence_loss=_mean(pair_losses),
        next_sentence_accuracy=_mean(pairs_are_right),
        n_predictions=len(losses),
        n_pairs=len(pair_losses),
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan
