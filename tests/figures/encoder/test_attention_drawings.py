"""The flow drawing: lines to what is looked at, hatching on what is not; the grid of heads."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np

from mlm_core.figures.encoder.attention import flow_svg
from mlm_core.figures.encoder.heads import SIDE, STRIP, heads_svg

SVG = "{http://www.w3.org/2000/svg}"


def drawing(tokens, query, attention_mask, weights, **options) -> ElementTree.Element:
    options = {"headings": ("looks", "is looked at"), "alt": "who looks at whom"} | options
    return ElementTree.fromstring(flow_svg(tokens, query, attention_mask, weights, **options))[0]


def lines(svg: ElementTree.Element) -> list[ElementTree.Element]:
    return svg.findall(f"{SVG}path")


def test_a_heavier_weight_is_a_wider_and_darker_line():
    light, heavy = lines(drawing(["a", "b"], 0, [True, True], [0.2, 0.8]))
    for attribute in ("stroke-width", "stroke-opacity"):
        assert float(light.get(attribute)) < float(heavy.get(attribute)) <= 8.2


def test_lines_begin_at_the_query():
    for query in (0, 1, 2):
        svg = drawing(["a", "b", "c"], query, [True] * 3, [0.2, 0.3, 0.5])
        starts = {line.get("d").partition("C")[0] for line in lines(svg)}
        assert len(starts) == 1
        ends = [float(line.get("d").split()[-1]) for line in lines(svg)]
        assert float(starts.pop().split()[-1]) == ends[query]


def test_a_heads_rows_are_queries_and_only_weights_that_can_be_seen_are_drawn():
    head = np.array([[0.97, 0.03], [0.52, 0.48]])  # 3 % is under half of a tenth
    svg = heads_svg([head[None]], layer_word="Layer", head_word="Head", alt="all")
    paths = [one for one in ElementTree.fromstring(svg).iter(f"{SVG}path")]
    drawn = {float(one.get("fill-opacity")): one.get("d").split("h")[0] for one in paths}
    assert drawn == {1.0: "M0 0", 0.5: f"M0 {SIDE // 2}"}
    assert f"M{SIDE // 2} {SIDE // 2}" in paths[0].get("d")


def test_bars_below_a_head_are_its_lengths_and_dots_are_on_the_marked_cells():
    given = dict(lengths=[np.array([[3.0, 1.5]])], marks=[np.array([[1, -1]])])
    head = np.array([[[0.6, 0.4], [0.3, 0.7]]])
    svg = heads_svg([head], **given, layer_word="Layer", head_word="Head", alt="all")
    bars, dots = [one.get("d") for one in ElementTree.fromstring(svg).iter(f"{SVG}path")][-2:]
    assert re.findall(r"v-([\d.]+)", bars) == [str(STRIP), str(STRIP // 2)]
    assert dots == f"M{SIDE * 3 // 4} {SIDE // 4}h0"


def test_the_layers_of_all_heads_are_across_and_on_a_phone_one_below_the_other():
    names = dict(layer_word="Layer", head_word="Head", alt="all")

    def forms(n_layers: int, n_heads: int) -> list[tuple[bool, int]]:
        drawn = heads_svg([np.ones((n_heads, 3, 3))] * n_layers, **names)
        boxes = [
            one.get("viewBox").split() for one in ElementTree.fromstring(drawn).iter(f"{SVG}svg")
        ]
        counted = drawn.count("data-value") // len(boxes)
        return [(float(width) > float(height), counted) for *_, width, height in boxes]

    assert forms(7, 2) == [(True, 14), (False, 14)]
    assert forms(3, 5) == [(False, 15), (True, 15)]
