"""The paired bootstrap drawn: a histogram of the leads.

Read before this: ../charts.py, tag_distribution.py
"""

from collections.abc import Sequence
from math import ceil, floor
from typing import TYPE_CHECKING

from mlm_core.figures.charts import histogram_chart
from mlm_core.figures.curves import Level

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

N_BINS = 45
SLACK = 1e-9  # of a bin: a lead on its edge belongs to the right


def leads_chart(
    leads: Sequence[float],
    lead: float,
    *,
    names: tuple[str, str],
    marks: Sequence[str],
    axes: tuple[str, str],
) -> "Figure":
    """Return a histogram of the resamples' leads; those from 2 * `lead` on are a group apart.

    `names` are those of the two groups, `marks` stand at 0, at `lead` and at twice `lead`.
    """
    edge = 2 * lead
    low, high = min([*leads, 0.0, edge]), max([*leads, 0.0, edge])
    step = (high - low or 1.0) / (N_BINS - 2)
    # Bins begin at 2 * lead and go both ways, so that none holds leads of both kinds.
    n_below = ceil((edge - low) / step - SLACK) + 1
    n_above = floor((high - edge) / step + SLACK) + 1
    beyond = [value for value in leads if value >= edge - SLACK * step]
    below = [value for value in leads if value < edge - SLACK * step]
    return histogram_chart(
        {names[0]: below, names[1]: [max(value, edge + SLACK * step) for value in beyond]},
        low=edge - n_below * step,
        high=edge + n_above * step,
        n_bins=n_below + n_above,
        x_title=axes[0],
        y_title=axes[1],
        marks=[
            Level(name=name, value=value)
            for name, value in zip(marks, (0.0, lead, edge), strict=True)
        ],
    )
