"""The baseline of every search: tf-idf, a bag of words in which rare words weigh more.

    weight of word w in a text = (times w occurs in it) * idf(w)
    idf(w)                     = ln((1 + n) / (1 + candidates with w)) + 1,   n candidates
    score                      = cosine of the two texts' weights

The words and the formula are those of scikit-learn's TfidfVectorizer with its default settings
(tested): words of two letters or more, lower-cased; idf from the candidates alone. A word of the
query that no candidate has is left out, so a paraphrase in other words scores 0.

Source: Spärck Jones 1972 (idf); Manning et al. 2008, section 6.2; scikit-learn's user guide for the
smoothed formula.

Read before this: graded_pairs.py, ../classification/bag_of_words.py.
"""

import re
from collections.abc import Sequence

import numpy as np

from mlm_core.shapes import Float

WORD = re.compile(r"\b\w\w+\b")
DIGITS = 12  # of a cosine; beyond is rounding


def tf_idf_cosines(
    queries: Sequence[str], candidates: Sequence[str]
) -> Float[np.ndarray, "query candidate"]:
    """Return the cosine of each query with each candidate, 0 to 1.

    Raises ValueError if no candidate has a word of two letters.

    >>> tf_idf_cosines(["a red car"], ["my car", "green tea"]).round(2)
    array([[0.71, 0.  ]])
    """
    column_of: dict[str, int] = {}
    for text in candidates:
        for word in WORD.findall(text.lower()):
            column_of.setdefault(word, len(column_of))
    if not column_of:
        raise ValueError("no candidate has a word of two letters or more: add texts with words")
    counts = _count(candidates, column_of)
    idf = np.log((1 + len(candidates)) / (1 + (counts > 0).sum(axis=0))) + 1
    cosines = _unit(_count(queries, column_of) * idf) @ _unit(counts * idf).T
    # Texts with the same shared words are equal, in whatever order the products are summed.
    return cosines.round(DIGITS)


def _count(texts: Sequence[str], column_of: dict[str, int]) -> Float[np.ndarray, "text word"]:
    """Return how often each word is in each text; other words are left out."""
    counts = np.zeros((len(texts), len(column_of)))
    for row, text in zip(counts, texts, strict=True):
        for word in WORD.findall(text.lower()):
            if word in column_of:
                row[column_of[word]] += 1
    return counts


def _unit(rows: Float[np.ndarray, "text word"]) -> Float[np.ndarray, "text word"]:
    """Return rows of length 1; one of zeros stays."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1.0)
