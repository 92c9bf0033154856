"""The baseline of every search: tf-idf, a bag of words in which rare words weigh more.

    weight of word w in a text = (times w occurs in it) * idf(w)
    idf(w)                     = ln((1 + n) / (1 + candidates with w)) + 1,   n candidates
    score                      = cosine of the two texts' weights

scikit-learn's TfidfVectorizer with its default settings: words of two letters or more,
lower-cased; idf from the candidates alone. A word of the query that no candidate has is left out,
so a paraphrase in other words scores 0.

Source: Spärck Jones 1972 (idf); Manning et al. 2008, section 6.2; scikit-learn's user guide for the
smoothed formula.

Read before this: graded_pairs.py, ../classification/bag_of_words.py.
"""

from collections.abc import Sequence

import numpy as np

from mlm_core.shapes import Float


def tf_idf_cosines(
    queries: Sequence[str], candidates: Sequence[str]
) -> Float[np.ndarray, "query candidate"]:
    """Return the cosine of each query with each candidate, 0 to 1.

    Raises ValueError if no candidate has a word of two letters.

    >>> tf_idf_cosines(["a red car"], ["my car", "green tea"]).round(2)
    array([[0.71, 0.  ]])
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer()
    try:
        of_candidates = vectorizer.fit_transform(candidates)
    except ValueError as error:
        raise ValueError(
            "no candidate has a word of two letters or more: add texts with words"
        ) from error
    # Each row has length 1, so products are cosines.
    return (vectorizer.transform(queries) @ of_candidates.T).toarray()
