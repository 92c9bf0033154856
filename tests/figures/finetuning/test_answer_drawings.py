"""A passage with its two distributions: the answers in it, and one scale for all bars."""

import re

import pytest

from mlm_core.figures.finetuning.answer_spans import AnswerNames, answer_html, bar_scale
from tests.figures.finetuning.samples import passage_word as word

NAMES = AnswerNames(start="start", end="end", given="given", right="right")


PASSAGE = "Old Ada sang. Then"
WORDS = [word("Old", 0, 0.7, 0.1), word("Ada", 4, 0.2, 0.8), word("sang", 8, 0.1), word(".", 12)]


def drawn(**others):
    values = {"given": (0, 7), "right": (4, 7), "names": NAMES, "label": "a passage"} | others
    return answer_html(PASSAGE, WORDS, **values)


def cells_of(html):
    return re.findall(r'<span class="(word[^"]*)" title="([^"]*)"[^>]*>', html)


def test_the_models_answer_is_framed_and_the_right_one_underlined():
    assert [names for names, _ in cells_of(drawn())] == [
        "word given first",
        "word given last right",
        "word",
        "word",
    ]


def test_a_word_is_as_high_as_its_own_bars_with_their_numbers():
    rooms = re.findall(r"padding:(\d+)px 0 (\d+)px", drawn())
    # The scale is 1: 28 pixels a probability of 1, and 12 a number.
    assert rooms == [("32", "15"), ("18", "34"), ("15", "0"), ("0", "0")]


@pytest.mark.parametrize(("highest", "scale"), [(0.1, 0.25), (0.25, 0.25), (0.3, 0.5), (0.9, 1.0)])
def test_the_scale_is_the_smallest_that_holds_all_bars(highest, scale):
    assert bar_scale([word("a", 0, highest)]) == scale
