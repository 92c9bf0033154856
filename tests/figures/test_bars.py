"""Bars of named probabilities."""

import re
from xml.etree import ElementTree

from mlm_core.figures.bars import BAR, bars_svg


def test_a_bar_is_as_long_as_its_share_of_the_longest():
    svg = bars_svg(["a", "b"], [0.5, 0.125], longest=0.5, alt="guesses")
    widths = [
        float(width) for width in re.findall(r'width="([\d.]+)" height="20" rx="3" fill="#', svg)
    ]
    assert widths == [BAR, BAR, BAR, BAR / 4]  # each bar behind its grey track


def test_a_learners_word_stays_text():
    svg = bars_svg(["<script>"], [1.0], longest=1.0, alt='"quoted"')
    assert "<script>" not in svg
    ElementTree.fromstring(svg)  # well-formed
