"""The worst errors, by hand for each kind, and none where all is right."""

from dataclasses import replace

import pytest
import torch

from mlm_core.finetuning.snapshot import Predictions
from mlm_core.finetuning.worst_errors import errors_of
from mlm_core.tagging.bio_tags import encode
from tests.finetuning.small_models import settings_for, small_data


def predicted(*said, logs=()) -> Predictions:
    return Predictions(step=1, log_probabilities=tuple(logs), predicted=said)


def test_of_classes_the_least_likely_right_one_is_worst():
    data = small_data("classes")
    data = replace(data, test=data.test[:3])  # odd, odd's neighbours: whatever their labels
    right = [one.label for one in data.test]
    wrong = [next(name for name in data.classes if name != label) for label in right]
    logs = []
    for i, p in enumerate((0.3, 0.8, 0.1)):
        row = torch.full((3,), (1 - p) / 2)
        row[data.classes.index(right[i])] = p
        logs.append(row.log())
    found = errors_of(data, predicted(wrong[0], right[1], wrong[2], logs=logs), settings_for(data))
    assert [one.index for one in found] == [2, 0]
    assert (found[0].right, found[0].predicted) == (right[2], wrong[2])
    assert found[0].measure == pytest.approx(0.1)
    assert found[0].asked == data.test[2].text


def test_of_answers_the_least_overlap_is_worst():
    data = small_data("answers")  # the test part asks for "old man" and for "night"
    found = errors_of(data, predicted("the man", ""), settings_for(data))
    assert [(one.index, one.measure) for one in found] == [(1, 0.0), (0, pytest.approx(2 / 3))]
    assert errors_of(data, predicted("An old man", "night"), settings_for(data)) == ()


def test_of_tags_the_most_wrong_entities_are_worst():
    data = small_data("tags")
    settings = settings_for(data)
    tags = [encode(one.spans, len(one.words), "BIO") for one in data.test]
    assert errors_of(data, predicted(*tags), settings) == ()
    no_entity = ("O",) * len(data.test[0].words)
    one_more = ("B-LOC", *tags[1][1:])
    found = errors_of(data, predicted(no_entity, one_more, *tags[2:]), settings)
    assert [(one.index, one.measure) for one in found] == [(0, 2), (1, 1)]
    words = data.test[0].words
    assert found[0].right == f"PER: {words[0]} {words[1]}; LOC: {words[2]}"
    assert found[0].predicted == "–"
