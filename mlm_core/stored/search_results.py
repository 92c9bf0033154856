"""Stored: how well each way of comparing sentences searches the test part.

    tf_idf                       a bag of words
    cls_last, mean_last          the last layer's vectors
    cls_z_scored, mean_z_scored  the same, z-scored by the sentences of the training pairs
    mean_layer_8                 the layers that are trained, before training
    late_last                    late interaction of the last layer's states
    expansion                    the words that the masked-language head gives, without training
    labelled, unlabelled         vectors trained with the default settings, three seeds
    late_trained                 late interaction, trained on the labelled pairs, three seeds
    re_ranked                    the first of `labelled`, re-ranked by a pair model, three seeds

In English with mini-bert, in German with mini-bert-de-en. Beside them, in English, a public
encoder of sentences: `python -m tools.search_results FOLDER` measures it.

Every interval is over the same drawn queries. Of a trained way, the value is the mean over seeds,
and each seed's own value is beside it. `make stored STORED=search` makes the file.

What training gains is measured against the best vector without training, `best_untrained()`. That
one is chosen on the test part, so its value is a little too high and the gain a little too low.

Read before this: ../search/ranking.py, ../search/run.py.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from mlm_core.evaluation.bootstrap import Estimate
from mlm_core.search.ranking import MEASURES, Measure
from mlm_core.search.settings import PairKind
from mlm_core.text.corpora import DATA_FOLDER, name_in

PUBLIC_FILE = DATA_FOLDER / "public_encoder.json"
SEEDS = (1, 2, 3)
Vector = Literal["cls_last", "cls_z_scored", "mean_last", "mean_z_scored", "mean_layer_8"]
Untrained = Literal["tf_idf"] | Vector | Literal["late_last", "expansion"]
Trained = PairKind | Literal["late_trained", "re_ranked"]
Way = Untrained | Trained
VECTORS: tuple[Vector, ...] = get_args(Vector)  # without training
UNTRAINED: tuple[Untrained, ...] = ("tf_idf", *VECTORS, "late_last", "expansion")
TRAINED: tuple[Trained, ...] = ("labelled", "unlabelled", "late_trained", "re_ranked")
WAYS: tuple[Way, ...] = (*UNTRAINED, *TRAINED)
# Which is compared with which, after the trained way with the best vector without training.
LEADS: tuple[tuple[Way, Way], ...] = (
    ("labelled", "tf_idf"),
    ("cls_last", "mean_last"),
    ("late_trained", "labelled"),
    ("late_trained", "late_last"),
    ("expansion", "tf_idf"),
    ("re_ranked", "labelled"),
)


@dataclass(frozen=True, kw_only=True)
class SearchResults:
    """The measures of all ways on one test part."""

    n_queries: int
    n_candidates: int
    n_pairs: int  # graded ones
    n_higher: int  # queries whose right candidate [CLS] ranks higher than tf-idf does
    n_lower: int
    scores: dict[Way, dict[Measure, Estimate]]
    of_seeds: dict[Trained, dict[Measure, tuple[float, ...]]]  # in the order of SEEDS
    leads: dict[tuple[Way, Way], dict[Measure, Estimate]]  # the first way's over the second

    @property
    def best_untrained(self) -> Vector:
        """Return the best vector without training, by the mean reciprocal rank."""
        return best_untrained(self.scores)

    @property
    def gain(self) -> dict[Measure, Estimate]:
        """Return the lead of training with labelled pairs over the best vector without training."""
        return self.leads["labelled", self.best_untrained]


@dataclass(frozen=True, kw_only=True)
class PublicEncoder:
    """The measures of a public encoder of sentences on the English test part."""

    model: str
    n_parameters: int
    scores: dict[Measure, Estimate]
    lead: dict[Measure, Estimate]  # over training with labelled pairs, on the same drawn queries
    ranks: tuple[float, ...]  # of each query's right candidate
    cosines: tuple[float, ...]  # of the graded pairs


def best_untrained(
    scores: Mapping[Way, Mapping[Measure, Estimate]], measure: Measure = "mean_reciprocal_rank"
) -> Vector:
    """Return the untrained encoder's vector with the highest value of a measure.

    Of equal ones, the first of VECTORS.
    """
    return max(VECTORS, key=lambda way: scores[way][measure].value)


def compared(scores: Mapping[Way, Mapping[Measure, Estimate]]) -> tuple[tuple[Way, Way], ...]:
    """Return which way is compared with which, each pair once."""
    return tuple(dict.fromkeys((("labelled", best_untrained(scores)), *LEADS)))


def results_file(language: str = "en") -> Path:
    """Return the file of the results in a language."""
    return DATA_FOLDER / f"{name_in(language, 'search_results')}.json"


def read_results(language: str = "en") -> SearchResults:
    """Return the stored results."""
    found = json.loads(results_file(language).read_text(encoding="utf-8"))
    scores: dict[Way, dict[Measure, Estimate]] = {
        way: _estimates(found["scores"][way]) for way in WAYS
    }
    return SearchResults(
        n_queries=found["n_queries"],
        n_candidates=found["n_candidates"],
        n_pairs=found["n_pairs"],
        n_higher=found["n_higher"],
        n_lower=found["n_lower"],
        scores=scores,
        of_seeds={
            kind: {name: tuple(found["of_seeds"][kind][name]) for name in MEASURES}
            for kind in TRAINED
        },
        leads={
            (first, second): _estimates(found["leads"][f"{first} - {second}"])
            for first, second in compared(scores)
        },
    )


def read_public() -> PublicEncoder:
    """Return the stored results of the public encoder."""
    found = json.loads(PUBLIC_FILE.read_text(encoding="utf-8"))
    return PublicEncoder(
        model=found["model"],
        n_parameters=found["n_parameters"],
        scores=_estimates(found["scores"]),
        lead=_estimates(found["lead"]),
        ranks=tuple(found["ranks"]),
        cosines=tuple(found["cosines"]),
    )


def _estimates(found: dict[str, list[float]]) -> dict[Measure, Estimate]:
    """Return each measure's value and interval, stored as three numbers."""
    return {
        name: Estimate(value=value, low=low, high=high)
        for name, (value, low, high) in ((name, found[name]) for name in MEASURES)
    }
