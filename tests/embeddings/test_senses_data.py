"""The sentences by sense: the reader, and what the stored data must be to teach anything."""

import re
from collections import Counter
from itertools import combinations

import pytest

from mlm_core.embeddings.locating import token_positions
from mlm_core.embeddings.senses_data import (
    MarkedSentence,
    read_senses,
    stored_names,
    stored_word,
    two_language_names,
)
from mlm_core.encoder.model_list import BUNDLED_FOLDERS
from mlm_core.text.tokens import load_tokenizer, tokenize

HEADER = "# word: bank\n# forms: bank, banks\n# language: en\n# source: written for a test\n"
TWO_SENSES = """## money | keeps money
The [bank] lent it.

## river | land by water
Two [Banks], one bank.
"""


def read(tmp_path, content: str | bytes):
    path = tmp_path / "bank.txt"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_senses(path)


def test_worked_by_hand(tmp_path):
    word = read(tmp_path, HEADER + TWO_SENSES)
    assert (word.word, word.forms, word.language) == ("bank", ("bank", "banks"), "en")
    assert word.source == "written for a test"
    assert [(sense.name, sense.gloss) for sense in word.senses] == [
        ("money", "keeps money"),
        ("river", "land by water"),
    ]
    assert word.sentences[0] == MarkedSentence(text="The bank lent it.", start=4, end=8)
    assert word.sentences[1].target == "Banks"
    assert word.sense_numbers == (0, 1)


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 2), (3, 2), (0, 4)])
def test_a_mark_outside_the_text_is_refused(start, end):
    with pytest.raises(ValueError, match="mark a word that stands in it"):
        MarkedSentence(text="cat", start=start, end=end)


# The stored data.

TWO_LANGUAGES = [stored_word(name) for name in two_language_names()]
WORDS = [*(stored_word(name) for name in stored_names()), *TWO_LANGUAGES]


def plain_words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


@pytest.mark.parametrize("word", WORDS, ids=lambda word: f"{word.word} {word.language}")
def test_no_two_sentences_of_a_word_are_nearly_the_same(word):
    """More than half of the triples of words in common: one was made from the other."""
    assert {sentence.target.casefold() for sentence in word.sentences} <= {
        form.casefold() for form in word.forms
    }
    words = [plain_words(sentence.text) for sentence in word.sentences]
    triples = [{*zip(one, one[1:], one[2:], strict=False)} for one in words]
    for one, other in combinations(triples, 2):
        assert len(one & other) <= 0.5 * len(one | other), (one, other)
    keys = Counter(tuple(sorted(one)) for one in words)
    assert keys.most_common(1)[0][1] == 1, "another one with its words in another order"


def test_no_sentence_stands_under_two_words():
    texts = Counter(" ".join(plain_words(s.text)) for word in WORDS for s in word.sentences)
    assert texts.most_common(1)[0][1] == 1, texts.most_common(1)


@pytest.mark.parametrize("word", TWO_LANGUAGES, ids=lambda word: word.word)
def test_a_word_of_two_languages_is_one_token_in_as_many_sentences_of_each(word):
    assert word.language == "en, de" and word.forms == (word.word,)
    assert [sense.name for sense in word.senses] == ["English", "German"]
    assert [len(sense.sentences) for sense in word.senses] == [18, 18]
    for folder in BUNDLED_FOLDERS.values():
        tokenizer = load_tokenizer(folder)
        for sentence in word.sentences:
            assert plain_words(sentence.text).count(word.word) == 1, sentence.text
            assert token_positions(tokenize(tokenizer, sentence.text), sentence)[1:] == ()
