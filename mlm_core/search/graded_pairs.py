"""Pairs of sentences to learn from, and a search to be tested on.

    labelled     a sentence, one that says the same, and hard negatives: a related and an
                 unrelated one
    unlabelled   a sentence and itself, which dropout makes two different vectors of

    search       query: the first sentence of held-out pairs; candidates: all second ones
                 right: the one candidate that says the same

The stored pairs have three grades: unrelated 0, related 1, same 2. No topic is in two parts, and
half of the pairs of each grade share many words.

Source: Gao et al. 2021, sections 3 and 4; Reimers & Gurevych 2019.
Departs: of the wrong candidates, only the two of the query's own pairs were read as such. The
others are of other pairs, and are taken to say something else.

Read before this: ../labelled/tables.py.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mlm_core.labelled.tables import GradedPair, stored_paraphrases
from mlm_core.short_repr import short_repr

GRADES = ("unrelated", "related", "same")  # the index is the grade


@dataclass(frozen=True, kw_only=True)
class TrainingPair:
    """Two sentences whose vectors are to be alike, and some that are to be unlike the first."""

    first: str
    second: str
    negatives: tuple[str, ...] = ()  # hard negatives


@short_repr("n_queries", "n_candidates", "n_pairs")
@dataclass(frozen=True, kw_only=True)
class SearchTask:
    """Queries, what is searched, and which candidate is right."""

    queries: tuple[str, ...]
    candidates: tuple[str, ...]  # all different
    right: tuple[int, ...]  # of each query, the number of the candidate that says the same
    pairs: tuple[tuple[int, int, int], ...]  # number of query and candidate, grade 0 to 2

    @property
    def n_queries(self) -> int:
        """Return the number of queries."""
        return len(self.queries)

    @property
    def n_candidates(self) -> int:
        """Return the number of candidates."""
        return len(self.candidates)

    @property
    def n_pairs(self) -> int:
        """Return the number of graded pairs."""
        return len(self.pairs)


def search_task(pairs: Iterable[GradedPair]) -> SearchTask:
    """Return the search that graded pairs of one part make.

    Raises ValueError if there is no pair, or a first sentence has not just one that says the same.
    """
    queries: dict[str, int] = {}
    candidates: dict[str, int] = {}
    graded = []
    for one in pairs:
        query = queries.setdefault(one.pair.text, len(queries))
        candidate = candidates.setdefault(_second(one), len(candidates))
        graded.append((query, candidate, GRADES.index(one.pair.label)))
    right = {query: candidate for query, candidate, grade in graded if grade == 2}
    n_right = sum(grade == 2 for *_, grade in graded)
    if not graded or not len(right) == n_right == len(queries):
        raise ValueError(
            f"{n_right} sentences that say the same as {len(queries)} queries: give one for each"
            " query, and at least one query"
        )
    return SearchTask(
        queries=tuple(queries),
        candidates=tuple(candidates),
        right=tuple(right[query] for query in range(len(queries))),
        pairs=tuple(graded),
    )


def labelled_pairs(
    pairs: Iterable[GradedPair], *, hard_negatives: bool = True
) -> tuple[TrainingPair, ...]:
    """Return each first sentence with the one that says the same.

    The others of its pairs are its hard negatives, or left out.
    """
    seconds: dict[str, dict[str, list[str]]] = {}
    for one in pairs:
        by_grade = seconds.setdefault(one.pair.text, {grade: [] for grade in GRADES})
        by_grade[one.pair.label].append(_second(one))
    return tuple(
        TrainingPair(
            first=first,
            second=same,
            negatives=(*by_grade["related"], *by_grade["unrelated"]) if hard_negatives else (),
        )
        for first, by_grade in seconds.items()
        for same in by_grade["same"]
    )


def unlabelled_pairs(sentences: Sequence[str]) -> tuple[TrainingPair, ...]:
    """Return each different sentence as a pair with itself.

    >>> unlabelled_pairs(["A bee.", "A bee."])
    (TrainingPair(first='A bee.', second='A bee.', negatives=()),)
    """
    return tuple(TrainingPair(first=one, second=one) for one in dict.fromkeys(sentences))


def sentences_of(pairs: Iterable[GradedPair]) -> tuple[str, ...]:
    """Return all different sentences of some pairs, in the order in which they come up."""
    return tuple(dict.fromkeys(text for one in pairs for text in (one.pair.text, _second(one))))


def corpus_in(language: str) -> tuple[str, ...]:
    """Return the sentences of a language's training pairs, which z-scores are by."""
    return sentences_of(one for one in stored_paraphrases(language) if one.part == "train")


def _second(one: GradedPair) -> str:
    assert one.pair.pair is not None  # a graded pair has two sentences
    return one.pair.pair
