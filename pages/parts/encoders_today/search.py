"""Opening: one query, and what each way of comparing sentences finds for it."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from mlm_core.figures.embeddings.search_hits import FoundText, HitColumn, hits_html
from mlm_core.search.graded_pairs import GRADES, SearchTask
from mlm_core.search.tf_idf import tf_idf_cosines
from pages.shared.caches import cache_search
from pages.shared.kit.part import Part, part

N_HITS = 3


@part(code=("search.tf_idf:tf_idf_cosines", "search.vectors:sentence_vectors"))
def show(p: Part) -> None:
    """Let the learner choose a query; show what each way ranks first."""
    task = cache_search.task()
    names = {str(number): query for number, query in enumerate(task.queries)}
    number = int(p.choice("search_query", names))
    query = task.queries[number]
    scores = _scores(p, query, task.candidates)
    grades = {candidate: grade for one, candidate, grade in task.pairs if one == number}
    columns = [_column(p, way, found, task, grades) for way, found in scores.items()]
    p.figure(
        "hits",
        partial(hits_html, query, columns, [p.plain(f"grade_{name}") for name in GRADES]),
        [
            {"way": column.name, "rank": rank, "sentence": hit.text, "cosine": hit.score}
            for column in columns
            for rank, hit in enumerate(column.hits, start=1)
        ],
        query=query,
        n=task.n_candidates,
    )


def _scores(p: Part, query: str, candidates: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the query's score with each candidate, by the name of the way."""
    from mlm_core.embeddings.word_senses import cosines

    asked = cache_search.vectors(p.model_name, (query,))
    stored = cache_search.vectors(p.model_name, tuple(candidates))
    found = {"tf_idf": tf_idf_cosines([query], candidates)[0]}
    for pooling in ("cls", "mean"):
        found[pooling] = cosines(asked[pooling], stored[pooling])[0].cpu().numpy()
    return found


def _column(
    p: Part, way: str, scores: np.ndarray, task: SearchTask, grades: dict[int, int]
) -> HitColumn:
    """Return the best hits of a way, and where the right one is."""
    order = np.argsort(-scores, kind="stable").tolist()
    right = next(candidate for candidate, grade in grades.items() if grade == 2)
    return HitColumn(
        name=p.plain(f"way_{way}"),
        hits=[
            FoundText(text=task.candidates[i], score=float(scores[i]), grade=grades.get(i))
            for i in order[:N_HITS]
        ],
        foot=p.plain("foot", rank=order.index(right) + 1, n=len(order)),
    )
