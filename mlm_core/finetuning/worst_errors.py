"""The errors that a fine-tuned model makes on its test part, the worst first.

              an error is                          worst
    classes   another class                        lowest P of the right class
    answers   other words                          lowest overlap F1
    tags      a missed entity or a false alarm     most of them in a sentence

Source: as scores.py, whose measures these are, example by example.

Read before this: scores.py, ../tagging/errors.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.answers.spans import exact_match, overlap_f1
from mlm_core.finetuning.settings import FineTuneSettings
from mlm_core.finetuning.snapshot import Predictions
from mlm_core.labelled.examples import Dataset, LabelledText, Question, TaggedSentence
from mlm_core.tagging.bio_tags import Span, decode
from mlm_core.tagging.errors import list_outcomes


@dataclass(frozen=True, kw_only=True)
class TestError:
    """One test example with a wrong prediction."""

    index: int  # in the test part
    asked: str  # the input
    right: str
    predicted: str
    measure: float  # P of the right class; overlap F1; or how many entities are wrong

    __test__ = False  # pytest takes a class of such a name for tests


def errors_of(
    dataset: Dataset, predictions: Predictions, settings: FineTuneSettings
) -> tuple[TestError, ...]:
    """Return every error on the test part, the worst first; of two alike, the earlier.

    Raises ValueError if the predictions are of other examples.
    """
    if len(predictions.predicted) != len(dataset.test):
        raise ValueError(
            f"{len(predictions.predicted)} predictions for {len(dataset.test)} test examples: give"
            " the data that the run was tested on"
        )
    if dataset.kind == "classes":
        found = _of_classes(dataset, predictions)
    elif dataset.kind == "answers":
        found = _of_answers(dataset, predictions)
    else:
        found = _of_tags(dataset, predictions, settings)
    sign = -1 if dataset.kind == "tags" else 1
    return tuple(sorted(found, key=lambda one: (sign * one.measure, one.index)))


def _of_classes(dataset: Dataset[LabelledText], predictions: Predictions) -> list[TestError]:
    rows = zip(dataset.test, predictions.texts, predictions.log_probabilities, strict=True)
    return [
        TestError(
            index=i,
            asked=one.text if one.pair is None else f"{one.text} / {one.pair}",
            right=one.label,
            predicted=predicted,
            measure=logs[dataset.classes.index(one.label)].exp().item(),
        )
        for i, (one, predicted, logs) in enumerate(rows)
        if predicted != one.label
    ]


def _of_answers(dataset: Dataset[Question], predictions: Predictions) -> list[TestError]:
    return [
        TestError(
            index=i,
            asked=one.question,
            right=one.answer,
            predicted=predicted,
            measure=overlap_f1(predicted, one.answer),
        )
        for i, (one, predicted) in enumerate(zip(dataset.test, predictions.texts, strict=True))
        if not exact_match(predicted, one.answer)
    ]


def _of_tags(
    dataset: Dataset[TaggedSentence], predictions: Predictions, settings: FineTuneSettings
) -> list[TestError]:
    found = []
    for i, (one, tags) in enumerate(zip(dataset.test, predictions.tags, strict=True)):
        predicted = decode(tags, settings.scheme, "conlleval")
        outcomes = list_outcomes([one.spans], [predicted])
        n_wrong = sum(outcome.is_miss + outcome.is_false_alarm for outcome in outcomes)
        if n_wrong:
            found.append(
                TestError(
                    index=i,
                    asked=" ".join(one.words),
                    right=list_entities(one.words, one.spans),
                    predicted=list_entities(one.words, predicted),
                    measure=n_wrong,
                )
            )
    return found


def list_entities(words: Sequence[str], spans: Sequence[Span]) -> str:
    """Return the entities of a sentence as a line; a dash if there is none.

    >>> list_entities(["Jane", "Villanueva", "spoke"], [Span(start=0, end=2, type="PER")])
    'PER: Jane Villanueva'
    """
    return "; ".join(f"{s.type}: {' '.join(words[s.start : s.end])}" for s in spans) or "–"
