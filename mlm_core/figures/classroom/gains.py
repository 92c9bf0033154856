"""The normalized gain of each question, with its interval.

Read before this: ../charts.py, mlm_core/evaluation/learning_gain.py.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mlm_core.evaluation.learning_gain import Gain
from mlm_core.figures.charts import ROW, chart, rows_axis, titled
from mlm_core.figures.theme import BLUE, escaped

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

LOWEST = -1.0  # a class that was nearly all right before may lose far more


def gains_chart(gains: Mapping[str, Gain], *, x_title: str) -> "Figure":
    """Return one row a question, by its name; a question without a gain has an empty row."""
    rows = [(i, one.gain, one) for i, one in enumerate(gains.values()) if one.gain is not None]
    mark = {
        "type": "scatter",
        "mode": "markers",
        "x": [max(LOWEST, gain) for _, gain, _ in rows],
        "y": [i for i, _, _ in rows],
        "text": [escaped(list(gains)[i]) for i, _, _ in rows],
        "error_x": {
            "array": [_length(gain, one.high) for _, gain, one in rows],
            "arrayminus": [-_length(gain, one.low) for _, gain, one in rows],
            "width": 4,
        },
        "marker": {"color": BLUE, "size": 10},
        "hovertemplate": "%{text}: %{x:.2f}<extra></extra>",
    }
    return chart(
        [mark],
        xaxis=titled(x_title) | {"range": [LOWEST - 0.05, 1.05]},
        yaxis=rows_axis(list(gains)),
        height=90 + ROW * len(gains),
    )


def _length(gain: float, end: float | None) -> float:
    """Return how far an interval goes from its mark, both as far as the figure shows them."""
    return 0.0 if end is None else max(LOWEST, end) - max(LOWEST, gain)
