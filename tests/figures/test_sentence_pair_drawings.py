"""Drawings of pairs, batches, windows and languages: right sizes, whole words, safe text."""

import re
from xml.etree import ElementTree

import pytest

from mlm_core.figures.prediction import sentence_pairs as pairs
from mlm_core.figures.prediction.packing import MOST_WINDOWS, packing_svg
from mlm_core.figures.text.language_sampling import BAR, shares_svg
from mlm_core.prediction.packing import pack
from mlm_core.text.tokens import Token

NAMES = {"document": "document", "padding": "padding", "window": "window"}
HOSTILE = "</svg><script>x</script>"


def token(text, segment, position=0):
    return Token(
        text=text,
        id=position,
        start=0,
        stop=len(text),
        word=position,
        segment=segment,
        is_special=False,
    )


def svg_in(html):
    return ElementTree.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])


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


def test_a_pair_may_lack_its_second_text():
    assert sides_of(pairs.pair_html([token("a", 0)], ("A", "B"), label="x")) == [["a"], []]


def test_a_learners_tokens_stay_text():
    html = pairs.pair_html([token(HOSTILE, 0)], (HOSTILE, "B"), label=HOSTILE)
    assert "<script>" not in html


def batch_row(p, is_right=True, label="true next"):
    return pairs.BatchRow(label=label, p_true=p, loss=1.5, is_right=is_right)


def test_a_batch_has_a_bar_to_scale_and_a_mark_for_each_pair():
    rows = [batch_row(1.0), batch_row(0.25, is_right=False, label=HOSTILE)]
    html = pairs.batch_svg(rows, headings=("truth", "P", "loss"), selected=1, alt="a batch")
    assert len(re.findall(r'data-value="\d"', html)) == 2
    assert re.findall(r'width="([\d.]+)" height="22" rx="3" fill="#', html)[1::2] == [
        f"{pairs.TRACK:.1f}",
        f"{pairs.TRACK / 4:.1f}",
    ]
    assert html.count("✓</text>") == html.count("✗</text>") == 1
    assert 'aria-pressed="true" aria-label="1:' in html
    svg_in(html)


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


def test_a_long_sum_says_how_many_terms_it_leaves_out():
    line = pairs.head_arithmetic("pooled", 0, inputs=[1.0] * 9, weights=[1.0] * 9, value=1.0)
    assert r"\underbrace{\cdots}_{7}" in line and line.startswith(r"\tanh")


def test_windows_are_drawn_to_scale():
    packing = pack([[4], [6]], 20, "full")  # [CLS] 4 [SEP] 6 [SEP] and 7 of padding
    html = packing_svg(packing, names=NAMES, alt="windows")
    widths = [float(w) for w in re.findall(r'width="([\d.]+)" height="18" fill="#0072B2"', html)]
    assert widths[1] / widths[0] == pytest.approx(6 / 4, rel=0.01)
    padding = float(re.search(r'width="([\d.]+)" height="18" fill="url', html)[1])
    assert padding / widths[0] == pytest.approx(7 / 4, rel=0.01)
    assert "padding: 7" in html and "document 2: 6" in html
    svg_in(html)


def test_only_a_border_between_documents_gets_a_line():
    one = packing_svg(pack([[4], [6]], 20, "document"), names=NAMES, alt="")
    two = packing_svg(pack([[4], [6]], 20, "full"), names=NAMES, alt="")
    assert (one.count("<line x1"), two.count("<line x1")) == (1, 2)  # one is in the hatching


def test_a_large_packing_is_drawn_in_part():
    html = packing_svg(pack([[9] * 90], 12, "document"), names=NAMES, alt="")
    assert html.count('text-anchor="end"') == MOST_WINDOWS


def test_shares_fill_the_same_axis():
    html = shares_svg(["A", HOSTILE], [0.75, 0.25], [0.5, 0.5], alt="shares")
    widths = re.findall(r'width="([\d.]+)" height="15" rx="3" fill="#[^"]+"/>', html)
    assert [float(w) for w in widths] == [0.75 * BAR, 0.5 * BAR, 0.25 * BAR, 0.5 * BAR]
    assert "<script>" not in html
    svg_in(html)
