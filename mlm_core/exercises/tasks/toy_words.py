"""Small random vocabularies and word counts for exercises by hand.

Read before this: ../exercise.py, ../../text/cutting.py.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import pairwise
from random import Random

from mlm_core.text.cutting import END_OF_WORD, wordpiece_attempts


def draw_vocabulary(word: str, rng: Random) -> frozenset[str]:
    """Return subwords that allow several segmentations, WordPiece's included.

    >>> "under" in draw_vocabulary("under", Random(0))
    False
    """
    while True:
        stops = [sorted(rng.sample(range(1, len(word)), rng.choice((2, 3)))) for _ in range(2)]
        subwords = {
            ("##" if start else "") + word[start:stop]
            for cut in stops
            for start, stop in zip([0, *cut], [*cut, len(word)], strict=True)
        }
        # One more that tempts: it begins the word or ends it.
        middle = rng.randrange(2, len(word) - 1)
        subwords.add(rng.choice((word[:middle], "##" + word[middle:])))
        is_cut = wordpiece_attempts(word, subwords)[-1].found
        if is_cut and len(subwords) >= 5 and n_cuts(word, subwords) >= 2:
            return frozenset(subwords)


def n_cuts(word: str, vocabulary: Collection[str]) -> int:
    """Return the number of a word's segmentations into subwords.

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
    """Return the count of each pair of adjacent letters, before any merge."""
    pairs: Counter[tuple[str, str]] = Counter()
    for word, count in word_counts.items():
        letters = [*word[:-1], word[-1] + END_OF_WORD]
        for pair in pairwise(letters):
            pairs[pair] += count
    return pairs
