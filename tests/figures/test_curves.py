"""The drawing of curves: where points fall, what names them, and the ranges of axes."""

import re
from itertools import pairwise

import pytest

from mlm_core.figures.curves import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Curve,
    Level,
    nice_log_range,
    nice_range,
)
from mlm_core.figures.curves import curves_svg as draw

OPTIONS = {"x_title": "step", "y_title": "loss", "alt": "two curves"}


def _points(svg: str) -> list[tuple[float, float]]:
    drawn = svg.split("</ul>")[1]
    return [
        tuple(map(float, pair.split(",")))
        for pair in re.search(r'polyline points="([^"]*)"', drawn)[1].split()
    ]


def test_first_and_last_step_and_both_bounds_fall_on_the_corners():
    curve = Curve(name="a", points=((0, 6.0), (50, 0.0), (100, 3.0)), pen=0)
    svg = draw([curve], last_step=100, y_range=(0.0, 6.0), **OPTIONS)
    assert _points(svg) == [
        (LEFT, TOP),
        ((LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM),
        (WIDTH - RIGHT, (TOP + HEIGHT - BOTTOM) / 2),
    ]


@pytest.mark.parametrize("last_step", [1, 3, 7, 30, 305, 350, 7_000, 60_000])
def test_each_number_of_the_axis_is_at_the_place_of_its_step(last_step):
    curve = Curve(name="run", points=((0, 1.0), (last_step, 2.0)), pen=0)
    grid = draw([curve], last_step=last_step, y_range=(0.0, 6.0), **OPTIONS)
    found = re.findall(rf'<text x="([\d.]+)" y="{HEIGHT - BOTTOM + 17}"[^>]*>([\d,]+)<', grid)
    steps = [int(number.replace(",", "")) for _, number in found]
    for (x, _), step in zip(found, steps, strict=True):
        place = LEFT + step / last_step * (WIDTH - LEFT - RIGHT)
        assert float(x) == pytest.approx(place, abs=0.06)  # written with one decimal
    # Equal distances of 1, 2 or 5 times a power of ten.
    (unit,) = {after - before for before, after in pairwise(steps)}
    assert steps[0] == 0 and f"{unit:.0e}"[0] in "125" and len(steps) <= 8
    assert last_step - steps[-1] < unit


@pytest.mark.parametrize(
    ("points", "level", "side", "beside"),
    [
        (((0, 5.0), (9, 0.6)), 0.5, f'x="{LEFT + 4}"', -4),
        (((0, 5.0), (9, 0.6)), 4.0, 'text-anchor="end"', -4),
        (((0, 0.0), (3, 2.6), (6, 2.6), (9, 2.6)), 2.5, f'x="{LEFT + 4}"', -4),
        (((0, 2.6), (9, 2.6)), 2.5, 'text-anchor="end"', 14),
        (((0, 3.0), (4, 2.8), (5, 0.2), (9, 2.6)), 2.5, f'x="{LEFT + 4}"', 14),
    ],
    ids=["falls to it", "falls through it", "rises to it", "lies on it", "falls and comes back"],
)
def test_a_levels_name_stands_where_the_curve_is_not(points, level, side, beside):
    curve = Curve(name="loss", points=points, pen=0)
    levels = [Level(name="best", value=level)]
    svg = draw([curve], last_step=9, y_range=(0.0, 6.0), levels=levels, **OPTIONS)
    name = re.search("<text[^>]*>best", svg)[0]
    across = HEIGHT - BOTTOM - level / 6 * (HEIGHT - BOTTOM - TOP)
    assert side in name
    assert float(re.search(' y="([^"]*)"', name)[1]) == pytest.approx(across + beside, abs=0.1)


def test_pens_differ_in_colour_and_in_dash():
    curves = [Curve(name=str(k), points=((0, 1.0), (1, 2.0)), pen=k) for k in range(6)]
    lines = re.findall(r"<polyline[^>]*>", draw(curves, last_step=1, y_range=(0, 2), **OPTIONS))
    assert len({re.search('stroke="([^"]*)"', line)[1] for line in lines}) == 6
    assert len({re.search('dasharray="([^"]*)"|$', line)[1] for line in lines}) == 6


@pytest.mark.parametrize("range_of", [nice_range, nice_log_range])
@pytest.mark.parametrize("values", [[0.0], [5.0], [1e-7, 3e-7], [1e6], [float("inf"), 2.0]])
def test_a_range_holds_its_values_and_has_a_height(range_of, values: list[float]):
    low, high = range_of(values)
    is_log = range_of is nice_log_range  # which holds what has a logarithm
    assert low < high and (low > 0 or not is_log)
    assert all(low <= v <= high for v in values if v != float("inf") and (v > 0 or not is_log))


def test_on_a_logarithmic_axis_equal_factors_are_equal_heights():
    curve = Curve(name="a", points=((0, 1000.0), (1, 100.0), (2, 10.0)), pen=0)
    svg = draw([curve], last_step=2, y_range=(1.0, 1000.0), logarithmic=True, **OPTIONS)
    heights = [y for _, y in _points(svg)]
    third = (HEIGHT - BOTTOM - TOP) / 3
    assert heights == pytest.approx([TOP, TOP + third, TOP + 2 * third], abs=0.06)
    assert all(f">{mark}</text>" in svg for mark in ("1", "3", "10", "300", "1,000"))


def test_a_drawing_of_full_curves_is_light_enough_to_poll():
    # 250 points are the most that a run keeps; two runs with both lines, about 12 kB.
    points = [(float(k), 5.0 / (k + 1)) for k in range(250)]
    curves = [Curve(name=str(k), points=points, pen=k % 2) for k in range(2)]
    assert len(draw(curves, last_step=250, y_range=(0.0, 5.0), **OPTIONS)) < 15_000
