"""The flow drawing: lines to what is looked at, hatching on what is not."""

import xml.etree.ElementTree as ElementTree

from hypothesis import given
from hypothesis import strategies as st

from mlm_core.figures.encoder.attention import LABEL_LETTERS, flow_svg

SVG = "{http://www.w3.org/2000/svg}"
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)


def drawing(tokens, query, attention_mask, weights, **options) -> ElementTree.Element:
    """Return the drawing's element; parsing fails if anything opened a tag of its own."""
    options = {"headings": ("looks", "is looked at"), "alt": "who looks at whom"} | options
    return ElementTree.fromstring(flow_svg(tokens, query, attention_mask, weights, **options))[0]


def lines(svg: ElementTree.Element) -> list[ElementTree.Element]:
    return svg.findall(f"{SVG}path")


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_whatever_a_token_says_it_never_becomes_markup(token, heading, alt):
    svg = drawing([token], 0, [True], [1.0], headings=(heading, heading), alt=alt)
    assert {element.tag.removeprefix(SVG) for element in svg.iter()} == {
        "svg", "defs", "pattern", "line", "path", "rect", "text", "title", "g",
    }  # fmt: skip


def test_each_open_key_has_a_line_and_each_blocked_one_a_hatched_box_and_a_cross():
    svg = drawing(["a", "b", "c"], 1, [True, True, False], [0.25, 0.75, 0.0])
    assert len(lines(svg)) == 2
    hatched = [rect for rect in svg.iter(f"{SVG}rect") if rect.get("fill") == "url(#flowhatch)"]
    assert len(hatched) == 1
    labels = [text.text for text in svg.findall(f"{SVG}text") if "style" in text.attrib]
    assert labels == ["0.25", "0.75", "✕"]


def test_a_heavier_weight_is_a_wider_and_darker_line():
    light, heavy = lines(drawing(["a", "b"], 0, [True, True], [0.2, 0.8]))
    for attribute in ("stroke-width", "stroke-opacity"):
        assert float(light.get(attribute)) < float(heavy.get(attribute)) <= 8.2


def test_every_token_is_a_button_and_the_query_is_the_pressed_one():
    svg = drawing(["a", "b", "c"], 2, [True] * 3, [0.2, 0.3, 0.5])
    buttons = svg.findall(f"{SVG}g")
    assert [button.get("data-value") for button in buttons] == ["0", "1", "2"]
    assert [button.get("aria-pressed") for button in buttons] == ["false", "false", "true"]
    assert [button.get("aria-label") for button in buttons] == ["a", "b", "c"]


def test_lines_begin_at_the_query():
    for query in (0, 1, 2):
        svg = drawing(["a", "b", "c"], query, [True] * 3, [0.2, 0.3, 0.5])
        starts = {line.get("d").partition(" C")[0] for line in lines(svg)}
        assert len(starts) == 1
        ends = [float(line.get("d").split()[-1]) for line in lines(svg)]
        assert float(starts.pop().split()[-1]) == ends[query]


def test_a_long_token_is_cut_and_stands_whole_in_its_title():
    svg = drawing(["x" * 99], 0, [True], [1.0])
    texts = [text for text in svg.iter(f"{SVG}text") if text.find(f"{SVG}title") is not None]
    assert all(text.findtext(f"{SVG}title") == "x" * 99 for text in texts)
    assert all(text[0].tail == "x" * (LABEL_LETTERS - 1) + "…" for text in texts)


def test_a_query_that_may_look_at_nothing_has_no_line():
    assert lines(drawing(["a", "b"], 0, [False, False], [0.0, 0.0])) == []
