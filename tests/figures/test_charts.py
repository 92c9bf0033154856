"""Charts: what their traces hold against the numbers given."""

import pytest

from mlm_core.figures.charts import N_BINS, DotRow, dots_chart, histogram_chart, lines_chart, marked
from mlm_core.figures.curves import Curve, Level

AXES = {"x_title": "cosine", "y_title": "pairs"}


def histogram(groups, **more):
    return histogram_chart(groups, **({"low": 0.0, "high": 1.0} | AXES | more))


def test_every_value_is_counted_once_and_those_beyond_in_the_outermost_bins():
    values = [-5.0, 0.0, 0.019, 0.5, 1.0, 9.0]
    bars = histogram({"a": values}).data[0]
    counts = bars.y[:-1]  # the last value ends the line of steps
    assert len(counts) == N_BINS == 50 and sum(counts) == len(values)
    assert (counts[0], counts[25], counts[-1]) == (3, 1, 2)
    assert (bars.x0, bars.x0 + 25 * bars.dx, bars.x0 + 50 * bars.dx) == (0.0, 0.5, 1.0)


def test_a_mark_stands_at_its_value_with_its_number_in_the_legend():
    mark = histogram({"a": [0.5] * 3}, marks=[marked("mean", 0.25)]).data[1]
    assert mark.x == (0.25, 0.25) and mark.y == (0, 3) and mark.name == "mean 0.25"


def test_each_row_has_a_mark_for_each_series_with_its_error():
    rows = [
        DotRow(name="v", values=[0.2, 0.8], errors=[0.1, 0.2]),
        DotRow(name="w", values=[float("nan"), 0.5], errors=[float("nan"), 0.1]),
    ]
    before, after = dots_chart(rows, ["before", "after"], low=0.0, high=1.0, x_title="x").data
    assert after.x == (0.8, 0.5) and after.error_x.array == (0.2, 0.1)
    assert before.x[0] == 0.2 and before.x[1] != before.x[1]  # unknown: no mark
    assert before.marker.symbol != after.marker.symbol
    assert [round(y) for y in before.y] == [round(y) for y in after.y] == [0, 1]


def test_an_interval_that_is_not_symmetric_has_two_ends():
    row = DotRow(name="v", values=[0.5], errors=[0.1], errors_below=[0.3])
    (dots,) = dots_chart([row], ["a"], low=0.0, high=1.0, x_title="x").data
    assert (dots.error_x.array, dots.error_x.arrayminus) == ((0.1,), (0.3,))
    assert dots.error_x.symmetric is False


def test_a_line_has_every_point_its_errors_and_a_level_its_value():
    curve = Curve(name="a", points=[(10, 0.4), (100, 0.7)], errors=[0.05, 0.04], pen=1, dots=True)
    chart = lines_chart(
        [curve],
        levels=[Level(name="majority", value=0.3)],
        marks=[Level(name="own", value=10)],
        **AXES,
    )
    line, level, at = chart.data[0], *chart.layout.shapes
    assert (line.x, line.y, line.error_y.array) == ((10, 100), (0.4, 0.7), (0.05, 0.04))
    assert line.customdata == line.x
    assert level.y0 == level.y1 == 0.3 and level.label.text == "majority 0.300"
    assert at.x0 == at.x1 == 10 and (at.name, at.showlegend) == ("own", True)


@pytest.mark.parametrize(("first", "last", "side"), [(0.4, 0.7, "end"), (0.7, 0.4, "start")])
def test_a_level_is_named_where_the_curves_are_far_from_it(first, last, side):
    curve = Curve(name="a", points=[(10, first), (100, last)], pen=1)
    chart = lines_chart([curve], levels=[Level(name="majority", value=0.3)], **AXES)
    assert chart.layout.shapes[0].label.textposition == side
