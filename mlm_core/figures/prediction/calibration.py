"""A reliability diagram: accuracy over confidence, bin by bin, beside the diagonal.

Source: Guo et al. 2017, Fig 1. Departs: marks at a bin's mean confidence in place of bars, so
that two temperatures fit into one diagram.

Read before this: ../charts.py.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mlm_core.figures.charts import lines_chart, percent_axis
from mlm_core.figures.curves import Curve
from mlm_core.prediction.calibration import Bin

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def reliability_chart(
    series: Mapping[str, Sequence[Bin]], *, diagonal: str, x_title: str, y_title: str
) -> "Figure":
    """Return a line of marks for each named series, with the standard errors of calibration.

    On the diagonal confidence and accuracy are equal; below it a model is overconfident.
    """
    curves = [
        Curve(
            name=name,
            points=[(each.confidence, each.accuracy) for each in bins],
            pen=pen,
            dots=True,
            errors=[each.standard_error for each in bins],
        )
        for pen, (name, bins) in enumerate(series.items())
    ]
    curves.append(Curve(name=diagonal, points=[(0.0, 0.0), (1.0, 1.0)], pen=0, grey=True))
    return lines_chart(
        curves, x_title=x_title, y_title=y_title, x_axis=percent_axis(), y_axis=percent_axis()
    )
