"""The words that a chosen token may be replaced with, and how likely each of them is.

A word is drawn by its unigram frequency (SLP3 section 11.2.1: "gasp" for "delicious") or
uniformly from the vocabulary (google-research/bert, transformers). One number from 0 to 1
decides, so that the same number gives the same word again.

Source: SLP3 section 11.2.1; Devlin et al. 2019, section 3.1.
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

from mlm_core.text.tokens import special_token_ids


@dataclass(frozen=True, kw_only=True)
class RandomWords:
    """A lottery over a vocabulary without its special tokens."""

    tokenizer: Tokenizer
    ids: array  # of the words that can be drawn
    cumulated: array  # summed weights up to and with each of them

    def draw(self, roll: float) -> tuple[int, str]:
        """Return the id and text of the word that a roll from 0 to 1 (1 excluded) stands for."""
        at = bisect_right(self.cumulated, roll * self.cumulated[-1])
        id_ = self.ids[min(at, len(self.ids) - 1)]
        return id_, self.tokenizer.id_to_token(id_)

    def proportion(self, id_: int) -> float:
        """Return how likely a word is, from 0 to 1."""
        if id_ not in self.ids:
            return 0.0
        at = self.ids.index(id_)
        below = self.cumulated[at - 1] if at else 0.0
        return (self.cumulated[at] - below) / self.cumulated[-1]


def unigram_counts(tokenizer: Tokenizer, lines: Iterable[str]) -> Counter[int]:
    """Return how often each token occurs in the lines, by its id."""
    counts: Counter[int] = Counter()
    for encoding in tokenizer.encode_batch(list(lines), add_special_tokens=False):
        counts.update(encoding.ids)
    return counts


def random_words(tokenizer: Tokenizer, counts: Mapping[int, int] | None = None) -> RandomWords:
    """Return the lottery: words weighed by `counts`, or all alike if there are none.

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
