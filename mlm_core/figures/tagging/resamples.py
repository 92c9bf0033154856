"""Drawings of the paired bootstrap: the resamples and the histogram of leads.

Read before this: ../charts.py, tag_distribution.py
"""

from collections.abc import Sequence
from math import ceil, floor
from typing import TYPE_CHECKING

from mlm_core.figures.charts import histogram_chart
from mlm_core.figures.curves import Level
from mlm_core.figures.svg import path, svg, text
from mlm_core.figures.theme import BLUE, GREY

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

WIDTH, SIDE = 440, 12  # the drawing's units
N_BINS = 45
STRIP, STRIP_GAP = 26, 9  # of one drawn set
LETTER = 6.6  # width of one letter of a set's name
MOST_TIMES = 6  # a sentence drawn more often fills the height too
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


def strips_svg(names: Sequence[str], times: Sequence[Sequence[int]], *, alt: str) -> str:
    """Return a strip for each resample: a bar's height is a sentence's count."""
    parts, left = [], LETTER * max((len(name) for name in names), default=0) + 10
    for row, (name, drawn) in enumerate(zip(names, times, strict=True)):
        base = (STRIP + STRIP_GAP) * row + STRIP
        room = (WIDTH - left - SIDE) / max(1, len(drawn))
        bars = "".join(
            f"M{left + room * i:.2f} {base}v{-STRIP * min(n, MOST_TIMES) / MOST_TIMES:.1f}"
            f"h{0.8 * room:.2f}V{base}z"
            for i, n in enumerate(drawn)
            if n
        )
        parts += [
            text(left - 8, base - 8, name, text_anchor="end"),
            path(bars, fill=BLUE),
            path(f"M{left} {base + 0.5}H{WIDTH - SIDE}", stroke=GREY),
        ]
    height = (STRIP + STRIP_GAP) * len(names)
    return svg("plain resamples", parts, WIDTH, height, alt=alt, widest=576, size=13)
