"""Two distributions over a passage, word by word; scores of many answers."""

import math

import pytest
import torch

from mlm_core.answers.spans import overlap_f1
from mlm_core.answers.words import (
    different_answers,
    overlap,
    passage_words,
    ranked_answers,
    score_answers,
)
from mlm_core.encoder.model_list import BUNDLED_FOLDER
from mlm_core.labelled.examples import Question
from mlm_core.text.tokens import load_tokenizer, tokenize

QUESTION, PASSAGE = "Who baked?", "An unusually old baker, Zyxwold, baked rolls."


@pytest.fixture(scope="module")
def text():
    return tokenize(load_tokenizer(BUNDLED_FOLDER), QUESTION, PASSAGE)


@pytest.fixture(scope="module")
def log_probabilities(text):
    """Return random distributions over the passage's tokens, -inf elsewhere."""
    scores = torch.randn(len(text.tokens), 2, generator=torch.Generator().manual_seed(3))
    inside = torch.tensor([t.segment == 1 and t.word is not None for t in text.tokens])
    return torch.log_softmax(scores.masked_fill(~inside.unsqueeze(1), -math.inf), dim=0)


def asked(passage, answer):
    start = passage.index(answer)
    return Question(question="?", passage=passage, start=start, stop=start + len(answer))


def test_summed_over_subwords_both_distributions_still_add_up_to_one(text, log_probabilities):
    words = passage_words(text, log_probabilities)
    assert sum(word.p_start for word in words) == pytest.approx(1, abs=1e-5)
    assert sum(word.p_end for word in words) == pytest.approx(1, abs=1e-5)
    assert any(len(word.subwords) > 1 for word in words)


def test_words_are_those_of_the_passage_and_not_of_the_question(text, log_probabilities):
    words = passage_words(text, log_probabilities)
    assert [word.text for word in words if word.text.isalpha()][:3] == ["An", "unusually", "old"]
    assert all(PASSAGE[word.start : word.stop] == word.text for word in words)


def test_the_likeliest_answer_is_that_of_all_pairs_tried_one_by_one(text, log_probabilities):
    start, end = log_probabilities.unbind(dim=1)
    n = len(start)
    best = max((start[i] + end[j]).item() for i in range(n) for j in range(i, min(n, i + 16)))
    ranked = ranked_answers(text, log_probabilities, 5)
    assert ranked[0].log_probability == pytest.approx(best, abs=1e-6)
    assert [one.log_probability for one in ranked] == sorted(
        (one.log_probability for one in ranked), reverse=True
    )
    assert all(PASSAGE[one.start : one.stop] == one.text for one in ranked)


def test_an_overlap_by_hand():
    # "old copper kettle" against "copper kettle": 2 shared, 2 * 2 / (3 + 2) = 0.8
    found = overlap("the old copper kettle", "a copper kettle")
    assert (found.n_given, found.n_right, found.n_shared, found.is_exact) == (3, 2, 2, False)
    assert found.f1 == overlap_f1("the old copper kettle", "a copper kettle") == 0.8


def test_scores_of_three_answers_by_hand():
    questions = [asked("It fell on Monday night.", "Monday night")] * 3
    scores = score_answers(questions, ["monday night", "night", "rain"])
    # F1: 1, 2/3, 0. Mean 5/9, sample variance 7/27, standard error sqrt(7 / 81).
    assert (sum(scores.right), scores.exact) == (1, pytest.approx(1 / 3))
    assert scores.f1 == pytest.approx(5 / 9)
    assert scores.f1_error == pytest.approx(math.sqrt(7) / 9)


def test_the_same_answer_to_all_questions_shows():
    first, second = "One two three.", "Four five six."
    questions = [asked(first, "One"), asked(first, "two"), asked(second, "Four")]
    questions += [asked(second, "six")]
    assert different_answers(questions, ["two", "Two.", "five", "six"]) == (2.0, 1.5)


def test_too_few_answers_are_refused():
    with pytest.raises(ValueError, match="give one for each"):
        score_answers([asked("One.", "One")], [])
    with pytest.raises(ValueError, match="no questions"):
        different_answers([], [])
