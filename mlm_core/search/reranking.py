"""Re-ranking: a slow and better judge reads only what a quick search found first.

    1. all candidates in the order of a quick way, such as the cosine of vectors
    2. the first k with the query as one input: [CLS] query [SEP] text [SEP], as one pair each
    3. these k in the order of P(same meaning | pair); all others stay behind them, as they were

In such a cross-encoder each token of the query attends to each of the text, in every layer. Nothing
of it can be stored: k texts cost k readings for each query. What the quick way doesn't find
among its first k, no judge brings back.

Source: Nogueira & Cho 2019 (BERT as re-ranker: P(relevant) of a fine-tuned pair head).
Departs: three classes (same, related, unrelated), of which one is taken as relevant; learnt from
hundreds of pairs, not millions. In English, seed 1 is the run that lesson “classification” stores.

Read before this: vectors.py, ../finetuning/fine_tuned.py.
"""

from collections.abc import Callable, Sequence

import numpy as np
import torch

from mlm_core.finetuning.fine_tuned import FineTuned
from mlm_core.search.graded_pairs import GRADES
from mlm_core.shapes import Float

# Texts that are re-ranked: of 3, 5, 10 and 20, the best on the English dev part. On the German one,
# three seeds: reciprocal rank .459, and .477 without re-ranking.
K = 3
SAME = GRADES[2]
ABOVE = 2.0  # is added to the judged ones, so that they stay above all cosines


def relevance(model: FineTuned, query: str, texts: Sequence[str]) -> Float[np.ndarray, " text"]:
    """Return P(same meaning) of the query with each text, 0 to 1.

    Raises ValueError if there is no text.
    """
    logits = model.logits_of([model.read(query, text) for text in texts])
    same = model.classes.index(SAME)
    return torch.softmax(logits, dim=-1)[:, same].cpu().numpy()


def rerank(
    cosines: Float[np.ndarray, "query candidate"],
    judge: Callable[[int, Sequence[int]], Float[np.ndarray, " candidate"]],
    k: int = K,
) -> Float[np.ndarray, "query candidate"]:
    """Return scores that put each query's first `k` in the order of a judge.

    `judge` gives a number from 0 to 1 for some candidates of a query. Their score is 2 more, above
    all others, whose cosine is at most 1; `as_judged` takes the 2 off again.

    >>> rerank(np.array([[0.9, 0.8, 0.1]]), lambda query, some: np.array([0.25, 0.75]), k=2)
    array([[2.25, 2.75, 0.1 ]])
    """
    scores = np.array(cosines, dtype=np.float64)
    for query, row in enumerate(cosines):
        first = np.argsort(-row, kind="stable")[:k]
        scores[query, first] = ABOVE + judge(query, first.tolist())
    return scores


def as_judged(scores: Float[np.ndarray, " *shape"]) -> Float[np.ndarray, " *shape"]:
    """Return the judge's number for what was re-ranked, and NaN for the rest.

    >>> as_judged(np.array([2.25, 0.1]))
    array([0.25,  nan])
    """
    return np.where(scores >= ABOVE, scores - ABOVE, np.nan)
