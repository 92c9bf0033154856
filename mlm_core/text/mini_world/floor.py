"""How well the best possible prediction does on corrupted texts of the mini world.

The texts are corrupted as in pretraining (../../small_runs/best.py hands in a run's own test), the
prediction is best.py's. What comes out are the floor of the loss and the ceiling of
the accuracies: what a training run can be held against.

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
    """A text as it is shown, and what it was."""

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
    """Return how frequent each word is: the unigram prediction, and that of random words."""
    counts = Counter(w for d in documents for sentence in d.sentences for w in sentence.words)
    total = counts.total()
    return {word: count / total for word, count in counts.items()}


def best_possible(reader: WorldReader, texts: Sequence[CorruptedText]) -> BestFigures:
    """Return the figures of the best possible prediction on `texts`."""
    losses, n_right, pair_losses, pairs_right = [], 0, [], 0
    for text in texts:
        best = reader.predict(text.shown)
        for i, words in best.words.items():
            losses.append(-math.log(words[text.words[i]]))
            n_right += max(words, key=words.__getitem__) == text.words[i]
        if best.follows is not None:
            believed = best.follows if text.follows else 1 - best.follows
            # 1 - follows can round to 0, which the exact number never is.
            pair_losses.append(-math.log(max(believed, 1e-16)))
            pairs_right += (best.follows >= 0.5) == text.follows
    n_pairs = len(pair_losses)
    return BestFigures(
        masked_language_loss=math.fsum(losses) / len(losses) if losses else math.nan,
        masked_accuracy=n_right / len(losses) if losses else math.nan,
        next_sentence_loss=math.fsum(pair_losses) / n_pairs if n_pairs else math.nan,
        next_sentence_accuracy=pairs_right / n_pairs if n_pairs else math.nan,
        n_predictions=len(losses),
        n_pairs=n_pairs,
    )
