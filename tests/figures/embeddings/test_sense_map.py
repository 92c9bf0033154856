"""The figures of the lesson on word senses: the map, and lists of uses."""

from dataclasses import replace

from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.figures.embeddings.sense_map import (
    SHAPES,
    Frame,
    MapPoint,
    MapSign,
    sense_groups,
    sense_map_chart,
)
from mlm_core.figures.embeddings.sense_map_uses import marked_html

GROUPS = sense_groups(["money", "<b>river"])


def use(text):
    """Return a use of the first word of a text."""
    return MarkedSentence(text=text, start=0, end=len(text.split()[0]))


POINTS = [
    MapPoint(x=0.0, y=0.0, group=0, sentence=use("a <script> here")),
    MapPoint(x=4.0, y=0.0, group=1, sentence=use("second"), lies=True),
    MapPoint(x=4.0, y=1.0, group=1, sentence=use("third")),
]
FRAME = Frame.around([(point.x, point.y) for point in POINTS])


def draw(**options):
    return sense_map_chart(POINTS, GROUPS, FRAME, **({"lies": "mislead"} | options))


def named(chart, name):
    return next(trace for trace in chart.data if trace.name == name)


def test_each_sense_has_a_colour_and_a_shape_of_its_own_up_to_seven():
    groups = sense_groups([f"sense {i}" for i in range(7)])
    assert len({group.colour for group in groups}) == len({group.shape for group in groups}) == 7
    assert {sense_groups(["x"] * 9)[i].shape for i in (6, 7, 8)} == {groups[6].shape}


def test_signs_are_drawn_in_the_order_in_which_they_are_given():
    """A set of their shapes has another order in each process, and so had the legend."""
    signs = [MapSign(x=0.0, y=0.0, shape=one, title=one, legend=one) for one in SHAPES]
    assert len(signs) > 6
    assert [trace.name for trace in draw(signs=signs).data if trace.name in SHAPES] == [*SHAPES]


def test_both_axes_have_one_scale_and_hold_all_points():
    layout = draw().layout
    assert layout.yaxis.scaleanchor == "x"
    assert layout.xaxis.range[0] < 0.0 and layout.xaxis.range[1] > 4.0
    assert layout.yaxis.range[0] < 0.0 and layout.yaxis.range[1] > 1.0


def test_a_chart_is_as_high_as_its_frame_asks_for_and_its_legend_as_wide_at_each_layer():
    def height(of):
        return Frame.around([(0.0, 0.0), (4.0, of)]).chart_height

    assert 220 <= height(0.0) < height(1.0) < height(2.0) < height(9.0) == 420
    points = [replace(POINTS[1], lies=i < 9) for i in range(12)]
    some = sense_map_chart(points, GROUPS, FRAME, lies="mislead")
    more = sense_map_chart([replace(one, lies=True) for one in points], GROUPS, FRAME, lies="a")
    assert some.data[0].name == "mislead (9)\u2007" and more.data[0].name == "a (12)"


def test_lines_lead_from_the_chosen_point_to_its_neighbours():
    lines, ring = draw(chosen=0, neighbours=[2, 1]).data[:2]
    assert list(zip(lines.x, lines.y, strict=True)) == [(0, 0), (4, 1), (0, 0), (4, 0)]
    assert (ring.x, ring.y) == ((0,), (0,)) and ring.customdata is None
    assert "lines" not in [trace.mode for trace in draw().data]


def test_points_that_mislead_and_own_points_have_rings_that_no_click_meets():
    ring = named(draw(), "mislead (1)")
    assert (ring.x, ring.y, ring.hoverinfo) == ((4.0,), (0.0,), "skip")
    points = [replace(point, is_own=point.y == 1.0) for point in POINTS]
    own = named(
        sense_map_chart(points, GROUPS, FRAME, lies="mislead", own="<b>mine"), "&lt;b&gt;mine (1)"
    )
    assert (own.x, own.y, own.hoverinfo) == ((4.0,), (1.0,), "skip") and own.customdata is None


def test_a_sentence_has_short_lines_and_a_long_one_is_cut_around_its_word():
    text = "before " * 1000 + "bank" + " behind" * 1000
    long = MarkedSentence(text=text, start=7000, end=7004)
    some = use("bank" + " x" * 99)
    for n_points, sentence, is_whole in (
        (1, long, False),
        (200, some, False),
        (1, some, True),
        (200, use("short one"), True),
    ):
        points = n_points * [MapPoint(x=0.0, y=0.0, group=0, sentence=sentence)]
        drawn = sense_map_chart(points, GROUPS, FRAME, lies="").data[0].text[0]
        assert sentence.target in drawn
        assert all(len(line) <= 46 for line in drawn.split("<br>"))
        assert len(drawn) <= 1.2 * max(44, 2_600 // n_points) + 2
        assert (drawn.replace("<br>", " ") == sentence.text) == is_whole == ("…" not in drawn)


def test_a_click_leaves_hidden_what_the_legend_hid_and_another_frame_does_not():
    kept = [draw(chosen=chosen).layout.uirevision for chosen in (None, 1)]
    other = sense_map_chart(POINTS, GROUPS, Frame(left=0, right=9, bottom=0, top=9), lies="")
    assert kept[0] == kept[1] != other.layout.uirevision


def test_a_use_shows_its_word_marked_and_a_long_sentence_cut_around_it():
    sentence = MarkedSentence(text="a" * 900 + " bank & " + "b" * 900, start=901, end=905)
    html = marked_html(sentence, around=10)
    assert "…aaaaaaaaa <mark>bank</mark> &amp; bbbbbbb…" in html
    assert len(marked_html(sentence)) < 800
