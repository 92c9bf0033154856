"""The sentences by sense: the reader, and what the stored data must be to teach anything."""

import re
from collections import Counter
from itertools import combinations

import pytest

from mlm_core.embeddings.senses_data import (
    MarkedSentence,
    read_senses,
    stored_names,
    stored_word,
)

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


def test_a_byte_order_mark_and_windows_line_ends_are_no_text(tmp_path):
    word = read(tmp_path, b"\xef\xbb\xbf" + (HEADER + TWO_SENSES).replace("\n", "\r\n").encode())
    assert word.sentences[0].text == "The bank lent it."


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEADER + "A [bank].\n", r"bank.txt, line 5: a sentence before the first sense"),
        (HEADER + "## money\n", r"line 5: '## money' is no sense"),
        (HEADER + "## a | b\n## a | c\n", r"line 6: a second sense 'a'"),
        (HEADER + "## a | b\nno mark\n", r"line 6: 'no mark': put one word, and only one"),
        (HEADER + "## a | b\n[bank] and [bank]\n", r"line 6: .* only one, in square brackets"),
        (HEADER + "## a | b\na [] b\n", r"line 6: .* only one, in square brackets"),
        (HEADER + "## a | b\na [benk] b\n", r"line 6: \[benk\] is not among the forms"),
        (HEADER + "## a | b\nA [bank].\na  [BANK].\n", r"line 7: the same sentence as in line 6"),
        (HEADER + "# colour: red\n", r"line 5: '# colour: red' is no header"),
        (HEADER + "# word:\n", r"line 5: '# word:' is no header"),
        (HEADER + "# word: b\n", r"line 5: a second 'word'"),
        (HEADER, r"bank.txt: no senses"),
        (HEADER + "## a | b\n", r"bank.txt: the sense 'a' has no sentence"),
        (HEADER.replace("# language: en\n", "") + TWO_SENSES, r"bank.txt: no '# language: ...'"),
        ("", r"bank.txt: no '# word: ...' at the top"),
        ("Bänke".encode("latin-1"), r"bank.txt: byte 1 is no UTF-8: save the file in UTF-8"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_its_line(tmp_path, content, message):
    with pytest.raises(ValueError, match=message):
        read(tmp_path, content)


def test_a_word_that_is_not_stored_is_refused_with_those_that_are():
    with pytest.raises(ValueError, match=r"no sentences for 'cat': choose one of .*bank"):
        stored_word("cat")


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 2), (3, 2), (0, 4)])
def test_a_mark_outside_the_text_is_refused(start, end):
    with pytest.raises(ValueError, match="mark a word that stands in it"):
        MarkedSentence(text="cat", start=start, end=end)


# The stored data.

WORDS = [stored_word(name) for name in stored_names()]
ENGLISH = [word for word in WORDS if word.language == "en"]


def plain_words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


@pytest.mark.parametrize("word", WORDS, ids=lambda word: f"{word.word} {word.language}")
def test_no_two_sentences_of_a_word_are_nearly_the_same(word):
    """More than half of the triples of words in common: one was made from the other."""
    words = [plain_words(sentence.text) for sentence in word.sentences]
    triples = [{*zip(one, one[1:], one[2:], strict=False)} for one in words]
    for one, other in combinations(triples, 2):
        assert len(one & other) <= 0.5 * len(one | other), (one, other)
    keys = Counter(tuple(sorted(one)) for one in words)
    assert keys.most_common(1)[0][1] == 1, "another one with its words in another order"


def test_no_sentence_stands_under_two_words():
    texts = Counter(" ".join(plain_words(s.text)) for word in WORDS for s in word.sentences)
    assert texts.most_common(1)[0][1] == 1, texts.most_common(1)
