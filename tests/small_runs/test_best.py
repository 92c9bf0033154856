"""The best possible on a small run's test: out of every run's reach."""

from collections import deque
from dataclasses import replace

import pytest

from mlm_core.small_runs.best import best_on_test
from mlm_core.small_runs.settings import SmallRunSettings
from mlm_core.small_runs.text import prepare
from mlm_core.stored.runs import read_best, read_stored


def test_no_stored_run_is_better_than_the_best_and_guessing_by_frequency_is_worse():
    best, run = read_best(SmallRunSettings()), read_stored("default")
    last = run.held_out[-1]
    assert best.masked_language_loss < last.loss < run.baselines.unigram_loss
    assert best.masked_accuracy > last.accuracy > run.baselines.most_frequent_accuracy
    assert best.next_sentence_accuracy > last.next_sentence_accuracy > 0.5
    # Nearly the same tokens are asked for: texts with a word in pieces are left out.
    assert 0.95 * run.baselines.n_predictions < best.n_predictions <= run.baselines.n_predictions


def test_another_test_has_no_stored_best():
    default = SmallRunSettings()
    assert read_best(replace(default, objective="mlm")) == read_best(default)
    for change in ({"objective": "next_word"}, {"vocabulary_size": 400}, {"length": 48}):
        assert read_best(replace(default, **change)) is None


def test_a_vocabulary_that_cuts_words_is_refused():
    settings = SmallRunSettings(vocabulary_size=300)
    text = deque(prepare(settings), maxlen=1).pop()
    with pytest.raises(ValueError, match="cuts words of"):
        best_on_test(text, settings)
