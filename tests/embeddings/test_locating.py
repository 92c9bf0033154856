"""Finding a word: as a whole, in any case, in other forms only if asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.embeddings.locating import find_word, marked_words, regular_forms
from mlm_core.text.words import fold


def found(text, word, forms=()):
    return [text[start:end] for start, end in find_word(text, word, forms).spans]


@pytest.mark.parametrize(
    ("text", "word", "targets"),
    [
        ("A bank by the river bank.", "bank", ["bank", "bank"]),
        ("Bank of BANK", "bank", ["Bank", "BANK"]),
        ("party art, (art) art's", "art", ["art", "art", "art"]),
        ("smart banks", "art", []),
        ("banks", "bank", []),
        ("", "bank", []),
        ("Die Straße, die straße", "STRASSE", ["Straße", "straße"]),
        ("x+y (x+y) x", "x+y", ["x+y", "x+y"]),
        ("New York and new york", " New York ", ["New York", "new york"]),
        ("東京 and ü", "ü", ["ü"]),
    ],
)
def test_a_word_is_found_as_a_whole(text, word, targets):
    assert found(text, word) == targets


def test_other_forms_are_found_if_they_are_given():
    assert found("Banks bank; banking", "bank", regular_forms("bank")) == [
        "Banks",
        "bank",
        "banking",
    ]
    assert found("New York, New", "New", ("New York",)) == ["New York", "New"]


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("match", ("matches", "matched", "matching")),
        ("bat", ("bats", "batted", "batting")),
        ("bow", ("bows", "bowed", "bowing")),
        ("spring", ("springs", "springed", "springing")),
        ("bass", ("basses", "bassed", "bassing")),
        ("mouse", ("mouses", "moused", "mousing")),
        ("die", ("dies", "died", "dying")),
        ("party", ("parties", "partied", "partying")),
        ("play", ("plays", "played", "playing")),
        ("a", ()),
        ("New York", ()),
    ],
)
def test_regular_forms(word, forms):
    assert regular_forms(word) == forms


@given(st.text(max_size=40), st.text(min_size=1, max_size=5).filter(str.strip))
def test_whatever_is_found_stands_at_its_place(text, word):
    for start, end in find_word(text, word).spans:
        assert fold(text[start:end]) == fold(word.strip())


def test_the_place_that_is_marked_is_chosen():
    both = find_word("A bank by the bank.", "bank")
    assert both.marked().start == 2 and both.marked(1).start == 14
    with pytest.raises(ValueError, match="stands in the text 2 times: choose from 0 to 1"):
        both.marked(2)


def test_a_word_that_is_not_there_says_so_with_the_sentence():
    with pytest.raises(ValueError, match=r"'cat' is not in 'A bank\.': write a sentence with it"):
        find_word("A bank.", "cat").marked()
    with pytest.raises(ValueError, match=r"is not in 'b+\.\.\.'"):
        find_word("b" * 5000, "cat").marked()


@pytest.mark.parametrize("word", ["", "  \n"])
def test_no_word_is_refused(word):
    with pytest.raises(ValueError, match="no word to look for: type one"):
        find_word("a bank", word)


def test_every_word_of_a_text_is_marked_once():
    words = marked_words(["Don't eat 3 apples_!", "", "Ünder 東京"])
    assert [word.target for word in words] == ["Don't", "eat", "apples", "Ünder", "東", "京"]
