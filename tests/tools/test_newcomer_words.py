"""Neighbours of plain words: the nearest by a count of one's own, no word twice, itself never."""

from collections import deque

import pytest
from torch.nn import functional as F

from mlm_core.probing.neighbours import NearToken, make_bank
from mlm_core.text import corpora
from mlm_core.text.tokens import tokenize
from tests.finetuning.small_models import small_encoder
from tools.newcomer_words import (
    N_SHOWN,
    SENTENCES,
    NearWord,
    Neighbours,
    find_neighbours,
    table,
)

LINES = [line for line in corpora.sentences()[:90] if len(line) < 60]  # fit into the window


@pytest.fixture(scope="module")
def model():
    return small_encoder()


@pytest.fixture(scope="module")
def bank(model):
    return deque(make_bank(model, LINES), maxlen=1).pop()


def longest_word(sentence: str, model) -> str:
    return max((word.text for word in tokenize(model.tokenizer, sentence).words), key=len)


def test_the_nearest_words_are_those_of_all_cosines_counted_out(model, bank):
    sentence = LINES[3]
    word = longest_word(sentence, model)
    found = find_neighbours(model, bank, sentence, word, n=4)
    text = tokenize(model.tokenizer, sentence)
    positions = next(w.positions for w in text.words if w.text == word)
    own = model.encode(text).last[0][list(positions)].mean(dim=0)
    best = {}
    for line in LINES:
        read = tokenize(model.tokenizer, line)
        states = model.encode(read).last[0]
        for other in read.words:
            key = other.text.casefold()
            if line == sentence or key == word.casefold() or not other.text.isalnum():
                continue
            vector = states[list(other.positions)].mean(dim=0)
            cosine = float(F.cosine_similarity(own, vector, dim=0))
            best[key] = max(best.get(key, -1), cosine)
    expected = sorted(best.values(), reverse=True)[:4]
    assert [near.cosine for near in found.in_sentences] == pytest.approx(expected, abs=1e-5)


def test_no_word_comes_twice_and_the_word_itself_never(model, bank):
    for sentence in LINES[:5]:
        word = longest_word(sentence, model)
        near = [
            one.word.casefold() for one in find_neighbours(model, bank, sentence, word).in_sentences
        ]
        assert len(near) == len(set(near)) == N_SHOWN and word.casefold() not in near


def test_a_word_of_several_pieces_has_no_row_of_its_own(model, bank):
    counts = {w.text: len(w.positions) for w in tokenize(model.tokenizer, LINES[3]).words}
    whole, cut = min(counts, key=counts.get), max(counts, key=counts.get)
    assert counts[whole] == 1 < counts[cut]
    assert find_neighbours(model, bank, LINES[3], cut).in_table is None
    assert len(find_neighbours(model, bank, LINES[3], whole).in_table) == N_SHOWN


def test_a_word_that_is_not_there_is_refused(model, bank):
    with pytest.raises(ValueError, match="'zebra' is no word of"):
        find_neighbours(model, bank, "A dog barked.", "zebra")


def test_the_table_marks_the_word_and_says_where_there_is_no_row():
    near = (NearWord(word="cat", cosine=0.5),)
    row = (NearToken(id=7, text="Dog", cosine=0.25),)
    one = Neighbours(sentence="A dog.", word="dog", in_table=row, in_sentences=near)
    cut = Neighbours(sentence="A dog.", word="dog", in_table=None, in_sentences=near)
    assert table([one, cut]).splitlines()[2:] == [
        "| A **dog**. | Dog 0.25 | cat 0.50 |",
        "| A **dog**. | no single token | cat 0.50 |",
    ]


def test_each_word_of_the_card_stands_in_its_sentence():
    assert len(SENTENCES) == 8
    assert all(word in sentence.rstrip(".").split() for sentence, word in SENTENCES)
