"""The grid of all heads."""

from xml.etree import ElementTree

import numpy as np

from mlm_core.figures.encoder.heads import heads_svg


def test_each_head_is_a_button_with_its_place():
    weights = [np.eye(5)[None].repeat(3, axis=0)] * 2
    svg = heads_svg(weights, layer_word="Layer", head_word="Head", alt="all")
    root = ElementTree.fromstring(svg)
    values = [element.get("data-value") for element in root.iter() if element.get("data-value")]
    assert values == ["0,0", "0,1", "0,2", "1,0", "1,1", "1,2"]


def test_only_weights_that_can_be_seen_are_drawn():
    head = np.array([[0.97, 0.03], [0.5, 0.5]])  # 3 % is under half of a tenth
    svg = heads_svg([head[None]], layer_word="Layer", head_word="Head", alt="all")
    cells = sum(
        path.get("d").count("M") for path in ElementTree.fromstring(svg).iter() if path.get("d")
    )
    assert cells == 3
    assert 'fill-opacity="1.0"' in svg and 'fill-opacity="0.5"' in svg


def test_words_of_a_translation_are_escaped():
    svg = heads_svg([np.ones((1, 1, 1))], layer_word="<b>", head_word="'\"", alt="<i>")
    ElementTree.fromstring(svg)
    assert "<b>" not in svg
