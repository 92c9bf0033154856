"""A sample of each figure that stands in mlm_core/figures itself: test_every_figure.py."""

from mlm_core.figures.charts import DotRow, percent
from mlm_core.figures.curves import Curve, Level
from mlm_core.figures.film import Film
from mlm_core.figures.svg import text
from tests.figures.sample import FILM_NAMES, INFINITY, NAN, Sample, T, token

CURVE = Curve(name=T, points=((0, 5.0), (50, 1.25), (90, 0.5)), pen=0, dots=True)
BEYOND = Curve(name="a", points=((0, 99.0), (1, NAN), (2, -5.0)), pen=0, dots=True)

SAMPLES: dict[str, Sample | list[Sample]] = {
    "bars.bars_svg": Sample(
        given=dict(names=[T, "two", "c"], values=[0.5, 0.13, 0.3], longest=0.5),
        says="0.50 two 0.13 c 0.30",
        sized=[0.5, 0.13, 0.3],
    ),
    "bars.curtain_html": [
        Sample(
            given=dict(values=[20, 5, 40], height=132, is_upright=is_upright, alt=T),
            sized=[20, 5, 40],
            has_words=False,
        )
        for is_upright in (False, True)
    ],
    "charts.lines_chart": Sample(
        given=dict(curves=[CURVE], levels=[Level(name=T, value=5.25)]),
        says="5.25",
        sized=[5.0, 1.25, 0.5],
        clicks="0 50 90",
    ),
    "charts.layers_chart": Sample(
        given=dict(
            lines={T: [0.25, 0.5], "two": [0.75, 0.5]},
            x_title="b",
            y_title="c",
            errors={T: [0.125, 0.0625]},
            undotted="two",
        ),
        says="",
        sized=[0.25, 0.5],
        clicks="0 1",
    ),
    "charts.histogram_chart": Sample(
        given=dict(
            groups={T: [0.1, 0.1, 0.1, 0.5, 0.9, 0.9]},
            low=0.0,
            high=1.0,
            n_bins=3,
            marks=[Level(name=T, value=0.5)],
        ),
        sized=[3, 1, 2],
        odd=[dict(groups={})],
    ),
    "charts.bars_chart": Sample(
        given=dict(names=[T, "two"], series={T: [0.5, 0.25], "b": [0.0, 0.75]}, written=percent),
        says="50.0 % 25.0 % b 0 % 75.0 % two",
        sized=[0.5, 0.25],
    ),
    "charts.dots_chart": Sample(
        given=dict(
            rows=[DotRow(name=T, values=[0.2]), DotRow(name="b", values=[0.7])],
            series=[T],
            low=0.0,
            high=1.0,
        ),
        sized=[0.2, 0.7],
    ),
    "chips.chip_row": Sample(
        given=dict(
            tokens=[token(T), token("two", 1)], first=5, selected={6}, clickable=True, label=T
        ),
        says="position 5 two position 6",
        clicks="5 6",
        pressed="6",
    ),
    "curves.curves_svg": Sample(
        given=dict(
            curves=[CURVE],
            last_step=90,
            y_range=(0.0, 5.0),
            levels=[Level(name=T, value=4.25)],
            at=50,
        ),
        says="3 80 4.25",
        odd=[dict(curves=[BEYOND])],
    ),
    "film.film_html": Sample(
        given=dict(
            film=Film(lasts=[1.5, 2], said=[T, "two"]),
            names=FILM_NAMES,
            drawings=["<svg aria-hidden='true' viewBox='0 0 9 9'/>"],
            kind="k",
        ),
        says="b c two",
    ),
    "film.frames_html": Sample(
        given=dict(
            film=Film(lasts=[1.5, 2], said=[T, "two"], values=["1", "2"]),
            names=FILM_NAMES,
            frames=["<svg aria-hidden='true' viewBox='0 0 9 9'/>"] * 2,
            kind="k",
        ),
        says="b c two",
    ),
    "matrix.matrix_svg": Sample(
        given=dict(
            values=[[0.25, 0.0, 0.75], [1.0, 0.126, 0.5]],
            rows=[T, "two"],
            columns=["x", "y", T],
            clickable="rows",
        ),
        says="x: 0.2500 0.25 y: 0 0.7500 two → x: 1.000 1.00 two → y: 0.1260 0.13",
        sized=[0.25, 0.0, 0.75, 1.0, 0.126, 0.5],
        clicks="0 1",
        odd=[
            dict(values=[[0.0]], rows=["a"], columns=["x"], scale="signed"),
            dict(values=[[NAN, INFINITY]], rows=["a"], columns=["x", "y"]),
        ],
    ),
    "matrix.wrapped_row_svg": Sample(
        given=dict(values=[0.25, 0.75, 0.5], row=T, columns=["x", "y", T]),
        says="x y 0.25 x: 0.2500 0.25 y: 0.7500 0.75 0.50",
        sized=[0.25, 0.75, 0.5],
        odd=[dict(values=[0.5], columns=["x"])],
    ),
    "svg.svg": Sample(
        given=dict(kind="k", parts=[text(1, 5, T, 2)], width=9, height=9),
        has_words=False,
    ),
    "charts.counts_chart": Sample(
        given=dict(names=[T, "two"], observed=[1500, 4000], expected=[2000.0, 3000.0]),
        says="1,500 / 2,000 4,000 / 3,000 two",
        sized=[1500, 4000],
        odd=[dict(observed=[0, 0], expected=[0.0, 0.0]), dict(expected=None)],
    ),
}
