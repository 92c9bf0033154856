"""Pairs to learn from and a search to be tested on."""

import re

from mlm_core.labelled.examples import LabelledText
from mlm_core.labelled.tables import GradedPair, stored_paraphrases
from mlm_core.search.graded_pairs import (
    TrainingPair,
    labelled_pairs,
    search_task,
    sentences_of,
    unlabelled_pairs,
)


def graded(*rows: str) -> list[GradedPair]:
    """Return pairs of rows like "a same b"."""
    cut = [row.split() for row in rows]
    return [
        GradedPair(part="dev", topic="t", pair=LabelledText(text=a, pair=b, label=grade))
        for a, grade, b in cut
    ]


PAIRS = graded("q same a", "q related b", "q unrelated c", "r unrelated a", "r same c")


def test_queries_and_candidates_are_numbered_once_each():
    task = search_task(PAIRS)
    assert task.queries == ("q", "r") and task.candidates == ("a", "b", "c")
    assert task.right == (0, 2)
    assert task.pairs == ((0, 0, 2), (0, 1, 1), (0, 2, 0), (1, 0, 0), (1, 2, 2))
    assert repr(task) == "SearchTask(n_queries=2, n_candidates=3, n_pairs=5)"


def test_half_of_the_distractors_of_the_test_part_share_a_content_word_with_the_query():
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    task = search_task(one for one in stored_paraphrases() if one.part == "test")

    def content(text: str) -> set[str]:
        return set(re.findall(r"\w\w+", text.lower())) - ENGLISH_STOP_WORDS

    share = [
        bool(content(task.queries[query]) & content(task.candidates[candidate]))
        for query, candidate, grade in task.pairs
        if grade < 2
    ]
    assert len(share) == 224 and sum(share) >= 112


def test_labelled_pairs_have_the_other_grades_as_hard_negatives():
    assert labelled_pairs(PAIRS) == (
        TrainingPair(first="q", second="a", negatives=("b", "c")),
        TrainingPair(first="r", second="c", negatives=("a",)),
    )
    assert all(not pair.negatives for pair in labelled_pairs(PAIRS, hard_negatives=False))


def test_each_stored_sentence_has_one_related_and_one_unrelated_hard_negative():
    pairs = [one for one in stored_paraphrases() if one.part == "train"]
    grade_of = {(one.pair.text, one.pair.pair): one.pair.label for one in pairs}
    for pair in labelled_pairs(pairs):
        grades = [grade_of[pair.first, negative] for negative in pair.negatives]
        assert grades == ["related", "unrelated"]


def test_unlabelled_pairs_are_of_all_different_sentences():
    sentences = sentences_of(PAIRS)
    assert sentences == ("q", "a", "b", "c", "r")
    assert [pair.second for pair in unlabelled_pairs(sentences)] == list(sentences)
