"""Small vocabularies and word counts, drawn by chance, that a learner can work through by hand.

Read before this: ../exercise.py, ../../text/cutting.py.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import pairwise
from random import Random

from mlm_core.text.cutting import END_OF_WORD, wordpiece_attempts


def draw_vocabulary(word: str, rng: Random) -> frozenset[str]:
    """Return pieces with which a word can be cut in several ways, WordPiece's among them.

    >>> "under" in draw_vocabulary("under", Random(0))
    False
    """
    while True:
        stops = [sorted(rng.sample(range(1, len(word)), rng.choice((2, 3)))) for _ in range(2)]
        pieces = {
            ("##" if start else "") + word[start:stop]
            for cut in stops
            for start, stop in zip([0, *cut], [*cut, len(word)], strict=True)
        }
        # One more that tempts: it begins the word or ends it.
        middle = rng.randrange(2, len(word) - 1)
        pieces.add(rng.choice((word[:middle], "##" + word[middle:])))
        is_cut = wordpiece_attempts(word, pieces)[-1].found
        if is_cut and len(pieces) >= 5 and n_cuts(word, pieces) >= 2:
            return frozenset(pieces)


def n_cuts(word: str, vocabulary: Collection[str]) -> int:
    """Return in how many ways a word can be cut into pieces of the vocabulary.

    >>> n_cuts("abc", {"a", "ab", "##c", "##bc"})
    2
    """
    ways = [1] + [0] * len(word)
    for stop in range(1, len(word) + 1):
        for start in range(stop):
            if ("##" if start else "") + word[start:stop] in vocabulary:
                ways[stop] += ways[start]
    return ways[-1]


def count_pairs(word_counts: Mapping[str, int]) -> Counter[tuple[str, str]]:
    """Return how often each pair of letters stands side by side, before any merge."""
    pairs: Counter[tuple[str, str]] = Counter()
    for word, count in word_counts.items():
        letters = [*word[:-1], word[-1] + END_OF_WORD]
        for pair in pairwise(letters):
            pairs[pair] += count
    return pairs
