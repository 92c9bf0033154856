"""What this lesson works out and keeps, and the numbers of its summary.

A run depends on its settings alone, so settings and step name a model wherever it was trained.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from mlm_core.answers.rule import answer_all
from mlm_core.answers.words import AnswerScores, score_answers
from mlm_core.classification import bag_of_words, head_steps
from mlm_core.classification.few_labels import (
    SIZES,
    FewLabelsRun,
    FewScore,
    FewSettings,
    FewSnapshot,
)
from mlm_core.classification.head_steps import ClassSteps
from mlm_core.classification.occlusion import Occlusion, leave_words_out
from mlm_core.evaluation.seeds import Variant, best_of, compare
from mlm_core.finetuning.cost import PREDICTIONS_BYTES, extra_bytes, held_bytes, refuse_foreign
from mlm_core.finetuning.settings import RANDOM_LAYERS, Data, FineTuneSettings
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.shapes import Bool, Tensor
from mlm_core.stored.finetune_figures import read_few_labels, variant_of
from mlm_core.stored.twenty_runs import read_twenty_runs
from mlm_core.tagging.scores import compare_spans
from pages.kit.caches import cache_finetuning
from pages.kit.remember import Work, model, remembered
from pages.kit.training import runs

SEED = 1  # of a bootstrap
N_WORDS = 5  # of the second text, of each class
BY_HASH = (FineTuneSettings,)  # Streamlit would take settings to pieces at every look


def variant(task: str, name: str, n_examples: int | None = None) -> Variant:
    """Return what each seed of a stored variant gets right of the test part."""
    wanted = (task, name, n_examples)
    figures = cache_finetuning.figures()
    found = [one for one in figures if (one.task, one.variant, one.n_examples) == wanted]
    return variant_of(name, found)


@remembered(1)
def twenty_runs() -> Bool[Tensor, "seed sentence"]:
    """Return which sentences each of twenty stored runs is right about."""
    return read_twenty_runs()


def class_steps(snapshot: FineTuneSnapshot, text: str, pair: str | None) -> ClassSteps:
    """Return every number between a text, or two, and the probabilities of a run's classes."""
    return _class_steps(snapshot.settings, snapshot.step_of_weights, text, pair, snapshot)


# 10 kB each; model and text take 20 ms, or 60.
@remembered(128, by_hash=BY_HASH)
def _class_steps(
    settings: FineTuneSettings,
    step: int,
    text: str,
    pair: str | None,
    _snapshot: FineTuneSnapshot,
) -> ClassSteps:
    return head_steps.class_steps(cache_finetuning.model(_snapshot), text, pair)


def words_left_out(
    snapshot: FineTuneSnapshot, text: str, pair: str | None, most: int
) -> tuple[Occlusion, ...]:
    """Return what each word of a text, or of two, does to a run's logits; of `most` words."""
    step = snapshot.step_of_weights
    return _words_left_out(snapshot.settings, step, text, pair, most, snapshot)


# A text has some fifteen words, each of which takes a pass of the model: 0.1 s.
@remembered(128, by_hash=BY_HASH)
def _words_left_out(
    settings: FineTuneSettings,
    step: int,
    text: str,
    pair: str | None,
    most: int,
    _snapshot: FineTuneSnapshot,
) -> tuple[Occlusion, ...]:
    return leave_words_out(cache_finetuning.model(_snapshot), text, pair, most)


def pair_baselines(snapshot: FineTuneSnapshot) -> Work:
    """Return the work on what four baselines get right of a run's test part.

    With it come the words of the second text that betray a class.
    """
    settings = snapshot.settings
    seed = settings.seed if settings.n_examples else None  # which examples were drawn
    return _pair_baselines(settings.data, settings.own_data, settings.n_examples, seed, snapshot)


@remembered(12)  # as many as sets of examples are kept; a learner's own: 300,000 characters
def _pair_baselines(
    data: Data,
    own_data: str | None,
    n_examples: int | None,
    seed: int | None,
    _snapshot: FineTuneSnapshot,
) -> Work:
    examples = _snapshot.data
    return Work(bag_of_words.pair_baselines, examples.train, examples.test, N_WORDS)


@remembered(2)
def few_labels(task: Data) -> tuple[FewScore, ...]:
    """Return the stored comparison of three ways to learn from few labels."""
    return read_few_labels(task)


def compare_few_labels(settings: FewSettings) -> str:
    """Start such a comparison, or join the one with equal settings; return a ticket.

    Raises ValueError if words, examples and model don't suit, NoRoomError.
    """
    encoder = refuse_foreign(model(settings.model))
    data = cache_finetuning.dataset(settings.data, settings.own_data)
    FewLabelsRun(settings, data, encoder)  # refuses now what would fail later

    def work() -> Iterator[FewSnapshot]:
        return FewLabelsRun(settings, data, encoder).go_on()

    tuning = settings.tuning(n_examples=SIZES[-1] * len(data.classes))
    needed = {
        "held_bytes": held_bytes(tuning, data, encoder),
        "kept_bytes": PREDICTIONS_BYTES,
        "extra_bytes": extra_bytes(tuning, data, encoder),
    }
    return runs.begin(settings, work, **needed)


@remembered(32)
def error_of_lead(*ways: str) -> float:
    """Return the standard error of the lead in F1 of a way to find names over another."""
    gold = [one.spans for one in cache_finetuning.dataset("entities").test]
    predicted = [
        [()] * len(gold) if way == "majority" else cache_finetuning.stored(f"entities_{way}").spans
        for way in ways
    ]
    found = compare_spans(gold, *predicted, np.random.default_rng(SEED))
    return float(found.deltas.std())


@remembered(1)
def answered_by_rule() -> AnswerScores:
    """Return what a rule without an encoder scores on the test part of the passages."""
    questions = cache_finetuning.dataset("passages").test
    return score_answers(questions, answer_all(questions))


def in_short() -> Mapping[str, object]:
    """Return what is reached with pretraining, without it, and without an encoder, in English."""
    data = cache_finetuning.dataset("sentiment")
    ways = {"pretrained": "top", "random": "random", "bag": "bag_of_words"}
    reached = {name: variant("sentiment", way) for name, way in ways.items()}
    lead = compare(reached["pretrained"], best_of([reached["random"], reached["bag"]]))
    return {
        "n": len(data.train),
        "n_classes": len(data.classes),
        "layers": RANDOM_LAYERS,
        "n_seeds": len(reached["pretrained"].proportions),
        "lead": lead.difference,
        "margin": lead.margin,
        **{name: one.mean for name, one in reached.items()},
    }
