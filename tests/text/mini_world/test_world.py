"""The mini world: correct sentences, two senses a word, and a held-out part that is unseen."""

import re
from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from mlm_core.text.mini_world import world as mini_world
from mlm_core.text.mini_world.grammar import patterns
from mlm_core.text.mini_world.scenes import SCENES
from mlm_core.text.mini_world.world import documents, world, write_documents
from mlm_core.text.tokens import train_tokenizer


def all_words() -> frozenset[str]:
    """Return every word that some pattern can have."""
    return frozenset(word for p in patterns() for slot in p.slots for word in slot.words)


# Written out here once more, so that the checks below owe nothing to the generator.
MEN = {"Tom", "Ben", "Omar", "Paul", "Leo", "Karim"}
WOMEN = {"Anna", "Lena", "Aisha", "Mary", "Sara", "Emma"}
GROUPS = {"twins", "children", "sisters", "brothers", "students", "friends"}
WORDS_OF_A_MAN, WORDS_OF_A_WOMAN = {"he", "him", "his"}, {"she", "her"}
WORDS_OF_A_GROUP = {"they", "their"}  # "them" may also be the apples


@pytest.fixture(scope="module")
def training():
    return world("train")


@pytest.fixture(scope="module")
def held_out():
    return world("held_out")


@pytest.fixture(scope="module")
def both(training, held_out):
    return training + held_out


def lower_words(document):
    return [[word.lower() for word in sentence.words] for sentence in document.sentences]


def protagonist(document):
    words = set(document.sentences[0].words)
    if words & MEN:
        return "man"
    return "woman" if words & WOMEN else "group"


def is_singular_verb(word):
    return word.endswith("s") and not word.endswith("ss")


def test_every_sentence_is_well_formed(both):
    known = all_words()
    for document in both:
        for sentence in document.sentences:
            assert re.fullmatch(r"[A-Z][a-z]*( [A-Za-z]+)+\.", sentence.text)
            assert sentence.text == " ".join(sentence.words[:-1]) + "."
            assert 6 <= len(sentence.words) <= 15
            assert known.issuperset(sentence.words)


def test_every_word_of_the_grammar_is_met_in_training(training):
    met = {word for document in training for s in document.sentences for word in s.words}
    assert met == all_words()


def test_each_document_is_about_exactly_one_protagonist(both):
    for document in both:
        words = set(document.sentences[0].words)
        is_group = bool(re.search(rf"[Tt]he ({'|'.join(GROUPS)})", document.sentences[0].text))
        assert len(words & (MEN | WOMEN)) + is_group == 1


def test_pronouns_agree_with_the_protagonist(both):
    own = {"man": WORDS_OF_A_MAN, "woman": WORDS_OF_A_WOMAN, "group": WORDS_OF_A_GROUP}
    for document in both:
        foreign = set().union(*own.values()) - own[protagonist(document)]
        for words in lower_words(document):
            assert foreign.isdisjoint(words), words


def test_verbs_agree_with_their_subject(both):
    n_checked = Counter()
    for document in both:
        for words in lower_words(document):
            for subject, verb in pairwise(words):
                if subject in ("he", "she"):
                    assert is_singular_verb(verb), words
                elif subject == "they" or (subject in GROUPS and words[-2] != subject):
                    assert not is_singular_verb(verb), words
                else:
                    continue
                n_checked[subject] += 1
    assert min(n_checked[word] for word in ("he", "she", "they")) > 300


def test_the_verb_of_one_relative_is_singular_whoever_the_document_is_about(both):
    relatives = "sister|brother|uncle|aunt|father|mother"
    opened = re.compile(rf"(?:\w+ |After that )?(?:his|her|their) (?:{relatives}) (\w+)", re.I)
    verbs = [m[1] for d in both for s in d.sentences if (m := opened.match(s.text))]
    assert len(verbs) > 300
    assert all(is_singular_verb(verb) for verb in verbs), set(verbs)


def test_the_article_fits_the_word_behind_it(both):
    articles = Counter()
    for document in both:
        for words in lower_words(document):
            for article, word in pairwise(words):
                if article in ("a", "an"):
                    assert (article == "an") == (word[0] in "aeiou"), words
                    articles[article] += 1
    assert articles["an"] > 50


def test_what_was_named_is_named_again(training):
    # A trout does not become a perch on the way: one word of a list a document.
    lists = {
        (scene.name, name): set(words.split())
        for scene in SCENES
        for name, words in scene.lists.items()
        if any("{" + name + "}" in line for step in scene.steps for line in step)
    }
    assert lists["river", "fish"] == {"bass", "trout", "perch"}
    for document in training:
        if document.scene == "river":
            words = {word for s in document.sentences for word in s.words}
            assert len(words & lists["river", "fish"]) <= 1


def test_the_same_seed_gives_the_same_world():
    assert write_documents(Random(7), 5) == write_documents(Random(7), 5)
    assert write_documents(Random(7), 5) != write_documents(Random(8), 5)
    assert documents("held_out") == documents("held_out")


def test_no_held_out_sentence_stands_in_the_training_part():
    seen = {sentence for document in documents("train") for sentence in document}
    assert all(seen.isdisjoint(document) for document in documents("held_out"))


def test_every_ambiguous_word_is_recorded_where_it_stands(both):
    ambiguous = {"bank", "bass", "mouse", "spring", "bat", "seal"}
    for document in both:
        for sentence in document.sentences:
            places = {i for i, word in enumerate(sentence.words) if word in ambiguous}
            assert {sense.position for sense in sentence.senses} == places
            assert all(sentence.words[s.position] == s.word for s in sentence.senses)


def test_a_small_vocabulary_has_every_word_whole(both):
    lines = [line for document in documents("train") for line in document]
    tokenizer = train_tokenizer("WordPiece", lines, mini_world.VOCABULARY_SIZE)
    for word in all_words():
        assert tokenizer.encode(word, add_special_tokens=False).tokens == [word]


def test_the_patterns_of_a_step_share_its_probability():
    shares = Counter()
    for pattern in patterns():
        shares[pattern.scene, pattern.step, pattern.kind] += pattern.probability
    assert all(share == pytest.approx(1) for share in shares.values())


def test_an_unknown_part_is_refused(unchecked_shapes):
    with pytest.raises(ValueError, match="part 'test': choose one of train, held_out"):
        documents("test")
