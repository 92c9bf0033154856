"""Pairs of the mini world: of two documents, half of them the same, no sentence in two parts."""

from random import Random

import pytest

from mlm_core.labelled.world_pairs import MAJORITY, N_PAIRS, PAIR_TASKS, draw_pairs, world_pairs
from mlm_core.text.mini_world.world import write_documents


@pytest.fixture(scope="module")
def documents():
    return write_documents(Random(8), 60)


@pytest.mark.parametrize("task", PAIR_TASKS)
def test_a_pair_is_of_two_documents_and_its_class_is_right(task, documents):
    places: dict[str, set[int]] = {}
    answers: dict[str, set[str]] = {}
    for i, document in enumerate(documents):
        for sentence in document.sentences:
            places.setdefault(sentence.text, set()).add(i)
            of_it = {document.scene}
            if task == "sense":
                of_it = {f"{one.word}: {one.sense}" for one in sentence.senses}
            answers.setdefault(sentence.text, set()).update(of_it)
    pairs = draw_pairs(task, documents, 40, Random(3))
    assert len({(pair.text, pair.pair) for pair in pairs}) == 40
    for pair in pairs:
        first, second = answers[pair.text], answers[pair.pair]
        assert len(places[pair.text] | places[pair.pair]) > 1
        assert bool(first & second) == (pair.label == "same")
        words = [{answer.split(":")[0] for answer in some} for some in (first, second)]
        assert task == "topic" or words[0] & words[1]  # both have the ambiguous word
    assert pairs == draw_pairs(task, documents, 40, Random(3))


def test_the_parts_share_no_sentence_and_have_each_class_equally_often():
    data = world_pairs("sense")
    seen: set[str] = set()
    for part, n in N_PAIRS.items():
        pairs = getattr(data, part)
        told = {text for pair in pairs for text in (pair.text, pair.pair)}
        assert len(pairs) == n and not told & seen
        assert sum(pair.label == "same" for pair in pairs) == MAJORITY * n
        seen |= told
