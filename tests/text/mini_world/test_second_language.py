"""The second language: a word for each word, none by accident, in the opposite order."""

from random import Random

import pytest

from mlm_core.text.mini_world.second_language import (
    KINSHIPS,
    LAST_SHARED,
    in_second_language,
    second_word,
    words_of,
    written,
)
from mlm_core.text.mini_world.world import WorldSentence, write_documents


@pytest.fixture(scope="module")
def sentences():
    return [s for document in write_documents(Random(8), 300) for s in document.sentences]


def test_a_sentence_worked_by_hand():
    sentence = WorldSentence(words=("Today", "Anna", "sits", "on", "the", "bank", "."), senses=())
    # a-e-i-o-u becomes e-i-o-u-a; b p, d t, g k, f v, s z, l r, m n, h j, c w, x y change places.
    assert in_second_language(sentence, "unrelated") == "Pemg dji um zodz Emme dutex."
    assert in_second_language(sentence, "related") == "Bank dji um zodz Anna dutex."
    other_order = in_second_language(sentence, "related", first_order=True)
    assert other_order == "Dutex Anna zodz um dji bank."


@pytest.mark.parametrize("kinship", KINSHIPS)
def test_no_two_words_become_one_and_only_related_languages_share_any(sentences, kinship):
    words = {word for sentence in sentences for word in words_of(sentence)}
    told = {second_word(word, kinship) for word in words}
    assert len(told) == len(words)
    shared = {word for word in words if word[0].lower() <= LAST_SHARED}
    assert told & words == (shared if kinship == "related" else set())


def test_the_first_language_is_the_world_as_it_is(sentences):
    assert all(written(words_of(sentence)) == sentence.text for sentence in sentences)
