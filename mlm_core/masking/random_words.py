"""The words that may replace a chosen token, and the probability of each.

A word is drawn by its unigram frequency (SLP3 section 11.2.1: "gasp" for "delicious") or
uniformly from the vocabulary (Devlin et al. 2019, section 3.1; google-research/bert,
transformers). It is a function of one number from 0 to 1: the same number, the same word.

Departs: a special token is never drawn; google-research/bert and transformers can draw one.

Read before this: ../text/corpora.py.
"""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate

from tokenizers import Tokenizer

from mlm_core.text.tokens import entry_of, special_token_ids


@dataclass(frozen=True, kw_only=True)
class RandomWords:
    """A distribution over a vocabulary without its special tokens."""

    tokenizer: Tokenizer
    ids: array  # of the words that can be drawn
    cumulated: array  # summed weights up to and with each of them

    def draw(self, roll: float) -> tuple[int, str]:
        """Return the id and text of the word of a number from 0 to 1 (1 excluded)."""
        at = bisect_right(self.cumulated, roll * self.cumulated[-1])
        id_ = self.ids[min(at, len(self.ids) - 1)]
        return id_, entry_of(self.tokenizer, id_)

    def proportion(self, id_: int) -> float:
        """Return the probability of a word."""
        if id_ not in self.ids:
            return 0.0
        at = self.ids.index(id_)
        below = self.cumulated[at - 1] if at else 0.0
        return (self.cumulated[at] - below) / self.cumulated[-1]


def unigram_counts(tokenizer: Tokenizer, lines: Iterable[str]) -> Counter[int]:
    """Return how often each token occurs in the lines, by its id."""
    encodings = tokenizer.encode_batch(list(lines), add_special_tokens=False)
    return Counter(id_ for encoding in encodings for id_ in encoding.ids)


def random_words(tokenizer: Tokenizer, counts: Mapping[int, int] | None = None) -> RandomWords:
    """Return the distribution: words weighted by `counts`, or uniform without counts.

    Raises ValueError if no word is left to draw.
    """
    special = special_token_ids(tokenizer)
    every = sorted(tokenizer.get_vocab().values()) if counts is None else sorted(counts)
    ids = [id_ for id_ in every if id_ not in special and (counts is None or counts[id_] > 0)]
    if not ids:
        raise ValueError("no word to draw at random: count a text that has words in it")
    weights = (1.0 if counts is None else float(counts[id_]) for id_ in ids)
    return RandomWords(
        tokenizer=tokenizer, ids=array("q", ids), cumulated=array("d", accumulate(weights))
    )
