"""Drawings of pairs and windows, and the arithmetic of the head."""

import re
from dataclasses import replace

import pytest

from mlm_core.figures.prediction import sentence_pairs as pairs
from mlm_core.figures.prediction.packing import packing_svg
from mlm_core.figures.theme import ORANGE
from mlm_core.prediction.packing import pack
from tests.figures import sample

NAMES = {"document": "document", "padding": "padding", "window": "window"}


def token(text, segment, position=0):
    return replace(sample.token(text, position), segment=segment)


def sides_of(html):
    """Return the chips' texts of both segments."""
    first, second = html.split('<div class="side b">')
    return [re.findall(r'position \d+">([^<]*)<', side) for side in (first, second)]


def test_each_segment_has_its_own_name_and_chips():
    tokens = [token("one", 0), token("two", 0, 1), token("three", 1, 2)]
    html = pairs.pair_html(tokens, ("A side", "B side"), label="a pair")
    assert sides_of(html) == [["one", "two"], ["three"]]
    assert html.index("A side") < html.index("B side")
    assert "position 2" in html


def test_a_separator_without_a_segment_stays_with_the_second_text():
    # RoBERTa's family numbers every special token 0, the last one too.
    tokens = [token("a", 0), token("</s>", 0, 1), token("b", 1, 2), token("</s>", 0, 3)]
    html = pairs.pair_html(tokens, ("A", "B"), label="a pair")
    assert [len(side) for side in sides_of(html)] == [2, 2]


@pytest.mark.parametrize(
    ("stage", "inputs", "weights", "value", "line"),
    [
        ("loss", [0.5], (), 0.693147, r"-\ln(0.500) = 0.693"),
        (
            "probabilities",
            [1.0, -2.0],
            (),
            0.9526,
            r"\frac{e^{1.00}}{e^{1.00} + e^{-2.00}} = 0.953",
        ),
        (
            "logits",
            [1.0, 2.0],
            [3.0, -4.0],
            -4.5,
            r"(1.00)(3.00) + (2.00)(-4.00) + (0.500) = -4.50",
        ),
    ],
)
def test_the_arithmetic_is_written_out(stage, inputs, weights, value, line):
    written = pairs.head_arithmetic(stage, 0, inputs=inputs, weights=weights, bias=0.5, value=value)
    assert written == line


def test_only_a_border_between_documents_gets_a_line():
    one = packing_svg(pack([[4], [6]], 20, "document"), names=NAMES, alt="")
    two = packing_svg(pack([[4], [6]], 20, "full"), names=NAMES, alt="")
    assert (one.count(ORANGE), two.count(ORANGE)) == (0, 1)
