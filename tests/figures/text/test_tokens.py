"""Drawings of cuts, over characters, and of the input stack."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from mlm_core.figures.encoder.bert import strips_html
from mlm_core.figures.text.tokens import (
    BETWEEN,
    INSIDE,
    LETTER,
    NARROW,
    WIDE,
    _cells,
    _lines,
    cuts_html,
    word_map_html,
)
from mlm_core.text.tokens import tokenize, train_tokenizer
from tests.hostile import TEXTS

LINES = ("the river rose and the reeds bent", "the river fell", "reeds rise, rivers rest") * 3


@pytest.fixture(scope="module")
def wordpiece():
    return train_tokenizer("WordPiece", LINES, 60)


def boxes(html: str) -> list[tuple[float, float, float]]:
    """Return x, y and width of each piece's box in the wide drawing."""
    wide = html[: html.index("narrow")]
    found = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="28"', wide)
    return [tuple(map(float, box)) for box in found]


def test_boxes_hold_their_letters_and_never_touch(wordpiece):
    cut = tokenize(wordpiece, "river reeds")
    html = cuts_html("river reeds", [("one", cut)], alt="")
    drawn, pieces = boxes(html), [token for token in cut.tokens if token.word is not None]
    assert [width for _, _, width in drawn] == pytest.approx(
        [LETTER * (token.stop - token.start) + 2 * INSIDE for token in pieces], abs=0.02
    )
    ends = [x + width for x, _, width in drawn]
    for (one, after), end, (x, *_) in zip(pairwise(pieces), ends, drawn[1:], strict=False):
        between = LETTER if after.start > one.stop else BETWEEN  # a space, or none
        assert x - end == pytest.approx(between, abs=0.02)
    fills = re.findall(r'height="28" rx="4" stroke-width="1.2" fill="(#\w+)"', html)
    assert all(one != after for one, after in pairwise(fills[: len(pieces)]))


def test_each_row_has_its_number_of_subwords_as_a_bar(wordpiece):
    small = train_tokenizer("WordPiece", LINES, 30)
    cuts = [tokenize(one, "rivers") for one in (wordpiece, small)]
    n_pieces = [sum(token.word is not None for token in cut.tokens) for cut in cuts]
    html = cuts_html("rivers", [("one", cuts[0]), ("two", cuts[1])], alt="")
    bars = re.findall(r'width="([\d.]+)" height="10"[^>]*/><text[^>]*>(\d+)<', html)
    lengths, numbers = zip(*((float(x), int(n)) for x, n in bars), strict=True)
    assert list(numbers) == 2 * n_pieces  # in both drawings
    assert lengths[0] / lengths[1] == pytest.approx(n_pieces[0] / n_pieces[1], abs=0.01)


def test_a_line_marks_only_cuts_that_all_rows_share(wordpiece):
    small = train_tokenizer("WordPiece", LINES, 30)
    text = "rivers"
    rows = [("one", tokenize(wordpiece, text)), ("two", tokenize(small, text))]
    starts = [{token.start for token in cut.tokens if token.start} for _, cut in rows]
    html = cuts_html(text, rows, alt="")
    wide = html[: html.index("narrow")]
    assert wide.count('stroke-width="2.5"') == len(starts[0] & starts[1])
    assert starts[0] != starts[1]


@pytest.mark.parametrize("length", [WIDE, NARROW])
def test_lines_keep_every_character_and_fit(length):
    for text in (text[:600] for text in TEXTS.values()):
        lines = _lines(_cells(text), length)
        assert "".join(cell.text for line in lines for cell in line) == text
        assert all(sum(cell.width for cell in line) <= length for line in lines)


def test_marks_and_joined_emoji_stand_in_one_column():
    assert [cell.text for cell in _cells("e\u0301a")] == ["e\u0301", "a"]
    (family,) = _cells("👩‍👩‍👧")
    assert (family.start, family.stop, family.n_columns) == (0, 5, 2)


def test_any_text_gives_well_formed_drawings(wordpiece):
    unigram = train_tokenizer("Unigram", LINES, 60)
    for text in (text[:600] for text in TEXTS.values()):
        rows = [("one", tokenize(wordpiece, text)), ("two", tokenize(unigram, text))]
        html = cuts_html(text, rows, alt=text)
        word_map = word_map_html(rows[0][1], selected=0, no_word="added", label=text)
        for drawing in (html, word_map):
            ElementTree.fromstring(drawing)
            assert "<script" not in drawing and "<img" not in drawing


def test_bars_beyond_the_scale_end_in_a_dot():
    numbers = [0.1, -0.1] * 50
    rows = [("", "a", numbers), ("=", "b", [9.0, *numbers[1:]]), ("→", "c", numbers)]
    html = strips_html(rows, [1.0, 2.0, 3.0], length_sign="length", alt="strips")
    ElementTree.fromstring(html)
    assert html.count("<circle") == 2  # one in the wide drawing, one in the narrow
