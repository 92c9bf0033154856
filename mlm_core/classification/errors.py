"""The errors of a classifier: scores of each class, and wrong predictions.

    Judged        a test text with its predicted class and probabilities; errors of high
                  probability come first: the model learned something wrong, or the label is
                  disputed
    Contrast      the predictions of several models for one text
    unseen words  the proportion of the test part's words that no training example has

The most telling contrast is a text that the first model gets wrong and the last one right; of
these, the one whose P(true class) differs most.

Source: SLP3, chapter on classification.

Read before this: ../evaluation/metrics.py, ../finetuning/snapshot.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.classification.bag_of_words import words_of
from mlm_core.evaluation.metrics import Counts, Measures, confusion
from mlm_core.finetuning.scores import Scores
from mlm_core.finetuning.snapshot import Predictions
from mlm_core.labelled.examples import Dataset, LabelledText
from mlm_core.shapes import Int, Tensor


@dataclass(frozen=True, kw_only=True)
class ClassScore:
    """One class: its counts and measures. A right prediction of the class is a hit."""

    name: str
    counts: Counts
    measures: Measures  # 0/0 is 0


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassReport:
    """The confusion matrix of a classifier, and what follows from it."""

    counts: Int[Tensor, "label predicted"]
    by_class: tuple[ClassScore, ...]
    scores: Scores  # accuracy and macro-F1


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A test example and the model's prediction."""

    index: int  # in the test part
    example: LabelledText
    predicted: str
    probabilities: tuple[float, ...]  # in the order of the classes
    p_predicted: float
    p_label: float  # of the true class

    @property
    def is_right(self) -> bool:
        """Return whether the predicted class is the true one."""
        return self.predicted == self.example.label


def judge_examples(dataset: Dataset[LabelledText], predictions: Predictions) -> tuple[Judged, ...]:
    """Return every test example with its prediction, in order.

    Raises ValueError if the data has no classes, or the predictions are of other examples.
    """
    if dataset.kind != "classes":
        raise ValueError(f"data of kind {dataset.kind!r}: give texts with classes")
    if len(predictions.predicted) != len(dataset.test):
        raise ValueError(
            f"{len(predictions.predicted)} predictions for {len(dataset.test)} test examples: give"
            " the data that the run was tested on"
        )
    found = []
    rows = zip(dataset.test, predictions.texts, predictions.log_probabilities, strict=True)
    for index, (example, predicted, log_probabilities) in enumerate(rows):
        probabilities = tuple(log_probabilities.double().exp().tolist())
        found.append(
            Judged(
                index=index,
                example=example,
                predicted=predicted,
                probabilities=probabilities,
                p_predicted=probabilities[dataset.classes.index(predicted)],
                p_label=probabilities[dataset.classes.index(example.label)],
            )
        )
    return tuple(found)


def surest_first(judged: Sequence[Judged]) -> tuple[Judged, ...]:
    """Return the examples sorted by P(predicted class), the highest first."""
    return tuple(sorted(judged, key=lambda one: (-one.p_predicted, one.index)))


def report_on(
    labels: Sequence[str], predicted: Sequence[str], classes: Sequence[str]
) -> ClassReport:
    """Return the confusion matrix, and precision, recall and F1 of each class.

    >>> report = report_on(["a", "a", "b"], ["a", "b", "b"], ["a", "b"])
    >>> report.by_class[0].measures
    Measures(precision=1.0, recall=0.5, f1=0.6666666666666666)
    """
    found = confusion(labels, predicted, classes)
    by_class = tuple(
        ClassScore(name=name, counts=counts, measures=counts.measures)
        for name, counts in zip(classes, found.by_class, strict=True)
    )
    scores = Scores(proportion_right=found.accuracy, f1=found.macro_f1)
    return ClassReport(counts=found.counts, by_class=by_class, scores=scores)


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """One test text and the prediction of each model."""

    by_model: tuple[Judged, ...]

    @property
    def index(self) -> int:
        """Return the text's index in the test part."""
        return self.by_model[0].index

    @property
    def example(self) -> LabelledText:
        """Return the text with its true class."""
        return self.by_model[0].example

    @property
    def models_differ(self) -> bool:
        """Return whether the models' predictions differ."""
        return len({one.predicted for one in self.by_model}) > 1

    @property
    def gain(self) -> float:
        """Return P(true class) of the last model less that of the first, -1 to 1."""
        return self.by_model[-1].p_label - self.by_model[0].p_label


def contrast(of_models: Sequence[Sequence[Judged]]) -> tuple[Contrast, ...]:
    """Return the models' predictions text by text.

    Raises ValueError if the models were not tested on the same texts.
    """
    if not of_models:
        raise ValueError("no model: give the answers of at least one")
    if any([j.example for j in one] != [j.example for j in of_models[0]] for one in of_models):
        raise ValueError("the models were tested on different texts: give runs on the same data")
    return tuple(Contrast(by_model=answers) for answers in zip(*of_models, strict=True))


def most_telling(contrasts: Sequence[Contrast]) -> Contrast:
    """Return the text that only the last model gets right, with the largest gain.

    If there is none, the text with the largest gain. Raises ValueError for no texts.
    """
    if not contrasts:
        raise ValueError("no texts: give at least one")

    def rank(one: Contrast) -> tuple[bool, float, int]:
        first, last = one.by_model[0], one.by_model[-1]
        return not first.is_right and last.is_right, one.gain, -one.index

    return max(contrasts, key=rank)


def unseen_proportion(train: Sequence[LabelledText], test: Sequence[LabelledText]) -> float:
    """Return the proportion of the test part's words that `train` lacks, 0 to 1.

    >>> def example(text): return LabelledText(text=text, label="any")
    >>> unseen_proportion([example("good soup")], [example("good bread"), example("bad soup")])
    0.5
    """
    tested = set().union(*map(words_of, test))
    if not tested:
        raise ValueError("the test part has no word: give at least one example with words")
    return len(tested.difference(*map(words_of, train))) / len(tested)
