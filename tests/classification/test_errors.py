"""The report of a classifier by hand, and in what order errors stand."""

import math

import pytest
import torch

from mlm_core.classification.errors import (
    contrast,
    judge_examples,
    most_telling,
    report_on,
    surest_first,
)
from mlm_core.finetuning.snapshot import Predictions
from mlm_core.labelled.examples import Dataset, LabelledText, Question

CLASSES = ("cold", "hot", "warm")


def data(*labels):
    test = tuple(LabelledText(text=f"text {i}", label=label) for i, label in enumerate(labels))
    return Dataset(kind="classes", classes=CLASSES, train=test, test=test)


def predictions(*rows):
    logs = tuple(torch.tensor(row).log() for row in rows)
    said = tuple(CLASSES[int(row.argmax())] for row in logs)
    return Predictions(step=3, log_probabilities=logs, predicted=said)


def test_the_report_by_hand():
    report = report_on(
        ["cold", "cold", "hot", "hot", "hot"], ["cold", "hot", "hot", "hot", "warm"], CLASSES
    )
    assert report.counts.tolist() == [[1, 1, 0], [0, 2, 1], [0, 0, 0]]
    cold, hot, warm = (score.measures for score in report.by_class)
    assert (cold.precision, cold.recall, cold.f1) == (1.0, 0.5, pytest.approx(2 / 3))
    assert (hot.precision, hot.recall, hot.f1) == (pytest.approx(2 / 3),) * 3
    assert (warm.precision, warm.recall, warm.f1) == (0, 0, 0)  # of nothing
    assert report.scores.proportion_right == pytest.approx(3 / 5)
    assert report.scores.f1 == pytest.approx((2 / 3 + 2 / 3 + 0) / 3)


def test_each_example_has_its_own_probabilities_and_the_surest_stands_first():
    judged = judge_examples(data("cold", "hot"), predictions([0.5, 0.3, 0.2], [0.7, 0.1, 0.2]))
    assert [one.is_right for one in judged] == [True, False]
    assert judged[1].p_predicted == pytest.approx(0.7) and judged[1].p_label == pytest.approx(0.1)
    assert math.fsum(judged[0].probabilities) == pytest.approx(1)
    assert [one.index for one in surest_first(judged)] == [1, 0]


def test_a_text_that_only_the_last_model_gets_right_tells_most():
    dataset = data("cold", "hot", "warm")
    first = judge_examples(dataset, predictions([0.1, 0.8, 0.1], [0.3, 0.4, 0.3], [0.6, 0.3, 0.1]))
    last = judge_examples(
        dataset, predictions([0.6, 0.3, 0.1], [0.02, 0.97, 0.01], [0.5, 0.1, 0.4])
    )
    found = contrast([first, last])
    assert [one.models_differ for one in found] == [True, False, False]
    # The second text gains 0.57, more than the first's 0.5, but both models had it right.
    assert most_telling(found).index == 0
    assert most_telling(found[1:]).index == 1


def test_predictions_of_other_data_are_refused():
    two = predictions([0.5, 0.3, 0.2], [0.7, 0.1, 0.2])
    with pytest.raises(ValueError, match="2 predictions for 1 test examples"):
        judge_examples(data("cold"), two)
    question = Question(question="Who?", passage="She did.", start=0, stop=3)
    answers = Dataset(kind="answers", classes=(), train=(question,), test=(question,))
    with pytest.raises(ValueError, match="texts with classes"):
        judge_examples(answers, two)
    one = judge_examples(data("cold", "hot"), two)
    other = judge_examples(data("hot", "hot"), two)
    with pytest.raises(ValueError, match="different texts"):
        contrast([one, other])
    with pytest.raises(ValueError, match="no model"):
        contrast([])
    with pytest.raises(ValueError, match="no texts"):
        most_telling([])
