"""The drawings of the lesson on word senses: the map, lists of uses, accuracy by layer."""

import re

import pytest

from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.figures.embeddings.sense_map import (
    HEIGHT,
    MARGIN,
    WIDTH,
    Frame,
    MapPoint,
    MapSign,
    sense_groups,
    sense_map_html,
    verdict_groups,
)
from mlm_core.figures.embeddings.sense_map_layers import LayerLine, layer_lines_html
from mlm_core.figures.embeddings.sense_map_uses import ListedUse, marked_html, use_html, uses_html

GROUPS = sense_groups(["money", "<b>river"])
POINTS = [
    MapPoint(x=0.0, y=0.0, group=0, title="a <script> here"),
    MapPoint(x=4.0, y=0.0, group=1, title="second", lies=True),
    MapPoint(x=4.0, y=1.0, group=1, title="third"),
]
FRAME = Frame.around([(point.x, point.y) for point in POINTS])


def draw(**options):
    settings = {"alt": "a map", "lies": "mislead"} | options
    return sense_map_html(POINTS, GROUPS, FRAME, **settings)


def test_each_sense_has_a_colour_and_a_shape_of_its_own_up_to_seven():
    groups = sense_groups([f"sense {i}" for i in range(7)])
    assert len({group.colour for group in groups}) == len({group.shape for group in groups}) == 7
    assert {sense_groups(["x"] * 9)[i].shape for i in (6, 7, 8)} == {groups[6].shape}


def test_right_and_wrong_differ_in_shape_as_well():
    right, wrong = verdict_groups("right", "wrong")
    assert right.shape != wrong.shape and right.colour != wrong.colour


def test_both_axes_have_one_scale_and_the_widest_fills_the_drawing():
    (x0, y0), (x1, y1), (_, y2) = (FRAME.place(point.x, point.y) for point in POINTS)
    assert (x0, x1) == pytest.approx((MARGIN, WIDTH - MARGIN))
    assert y1 - y2 == pytest.approx((x1 - x0) / 4)  # up the plane is up the drawing
    assert y0 == y1


def test_points_on_one_spot_lie_in_the_middle():
    frame = Frame.around([(3.0, -2.0), (3.0, -2.0)])
    assert frame.place(3.0, -2.0) == (WIDTH / 2, HEIGHT / 2)


def test_every_point_is_a_button_and_one_is_in_the_tab_order():
    html = draw(chosen=1)
    assert re.findall(r'data-value="(\d,0)"', html) == ["0,0", "1,0", "2,0"]
    assert re.findall(r'tabindex="(-?\d)"', html) == ["-1", "0", "-1"]
    assert html.count('aria-pressed="true"') == 1


def test_lines_lead_from_the_chosen_point_to_its_neighbours():
    (x, y), (to_x, to_y) = FRAME.place(0.0, 0.0), FRAME.place(4.0, 1.0)
    html = draw(chosen=0, neighbours=[2])
    assert f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" in html
    assert html.count('stroke-width="1.2"') == 1 and 'stroke-width="1.2"' not in draw(chosen=0)


def test_the_legend_counts_each_sense_and_the_points_that_mislead():
    legend = draw().partition("</ul>")[0]
    assert "money (1)" in legend and "river (2)" in legend and "mislead (1)" in legend


def test_what_a_learner_wrote_stays_text():
    sign = MapSign(x=9.0, y=9.0, shape="star", title="<i>", legend="<u>")
    html = draw(signs=[sign])
    assert "<script" not in html and "<b>river" not in html and "<i>" not in html
    assert "&lt;u&gt;" in html.partition("</ul>")[0]


def test_a_sign_beyond_the_frame_is_drawn_at_its_edge():
    html = draw(signs=[MapSign(x=1e6, y=-1e6, shape="star", title="far", legend="far")])
    x, y = map(float, re.search(r"translate\(([\d.]+) ([\d.]+)\) scale", html).groups())
    assert 0 < x < WIDTH and 0 < y < HEIGHT


def test_a_use_shows_its_word_marked_and_a_long_sentence_cut_around_it():
    sentence = MarkedSentence(text="a" * 900 + " bank & " + "b" * 900, start=901, end=905)
    html = marked_html(sentence, around=10)
    assert "…aaaaaaaaa <mark>bank</mark> &amp; bbbbbbb…" in html
    assert len(marked_html(sentence)) < 800


def test_a_listed_use_with_a_value_is_a_button_and_says_whether_it_is_true():
    sentence = MarkedSentence(text="the bank", start=4, end=8)
    use = {"sentence": sentence, "group": GROUPS[0], "number": "0.912"}
    html = uses_html([("near", [ListedUse(**use, is_true=False, value="7"), ListedUse(**use)])])
    assert html.count("<button") == 1 and 'data-value="7"' in html and "✗" in html
    assert "&lt;b&gt;river" in use_html(sentence, GROUPS[1])


def test_each_layer_is_a_button_that_names_all_values():
    html = layer_lines_html(
        [
            LayerLine(name="accuracy", values=[0.5, 0.75, 1.0]),
            LayerLine(name="F1", values=[0, 1, 1]),
        ],
        baseline=("most frequent", 1 / 3),
        x_title="layer",
        alt="accuracy",
        chosen=2,
    )
    assert re.findall(r'data-value="(0,\d)"', html) == ["0,0", "0,1", "0,2"]
    assert "1: accuracy 75 %, F1 100 %" in html and "most frequent 33 %" in html
    assert html.count('aria-pressed="true"') == 1
