"""What attention costs, drawn: lines whose slope is the power of N."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mlm_core.figures.charts import lines_chart, log_axis
from mlm_core.figures.curves import Curve, Level

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def growth_chart(
    sizes: Sequence[int],
    lines: Mapping[str, Sequence[float]],
    *,
    marks: Mapping[str, int],
    x_title: str,
    y_title: str,
) -> "Figure":
    """Return lines over N on logarithmic axes; `marks` are named values of N."""
    curves = [
        Curve(name=name, points=list(zip(sizes, values, strict=True)), pen=pen, dots=True)
        for pen, (name, values) in enumerate(lines.items())
    ]
    named = [Level(name=name, value=n_tokens) for name, n_tokens in marks.items()]
    return lines_chart(
        curves,
        x_title=x_title,
        y_title=y_title,
        marks=named,
        x_axis=log_axis(sizes),
        y_axis={"type": "log", "dtick": 1, "exponentformat": "SI"},
    )
