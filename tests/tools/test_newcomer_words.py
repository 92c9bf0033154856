"""Neighbours of plain words: the nearest by a count of one's own, no word twice, itself never."""

from collections import deque

import pytest
from torch.nn import functional as F

from mlm_core.probing.neighbours import make_bank
from mlm_core.text import corpora
from mlm_core.text.tokens import tokenize
from tests.finetuning.small_models import small_encoder
from tools.newcomer_words import (
    find_neighbours,
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
