"""The encoder block as a drawing: every step with its formula, shape and parameters."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mlm_core.encoder.block_steps import BlockRow, TokenAtStep
from mlm_core.figures.charts import bars_chart
from mlm_core.figures.svg import element, path, rect, svg, text
from mlm_core.figures.theme import BLUE, GREY
from mlm_core.number_format import formatted

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

GUTTER, WIDTH = 36, 420  # room for the residual lines on the left; whole width
LINE, SPACE = 17, 10  # height of a line of text and the space in a box around its lines
RESIDUALS = (("input", "first_sum"), ("first_norm", "second_sum"))


def block_svg(
    rows: Sequence[BlockRow], names: Mapping[str, str], *, parameters: str, alt: str
) -> str:
    """Return the block from top to bottom, residual connections as lines on the left."""
    parts, middles, height = [], {}, 2 * LINE + SPACE
    left, right = GUTTER + 10, WIDTH - 14
    for i, row in enumerate(rows):
        y = 4.0 + height * i
        line = y + LINE + 1
        middles[row.name] = y + height / 2
        parts += [
            rect(
                GUTTER,
                y,
                WIDTH - GUTTER - 4,
                height - 4,
                rx=7,
                fill="rgba(127,136,150,.10)",
                stroke=GREY,
                stroke_opacity=0.35,
            ),
            text(left, line, names[row.name], class_="plain", font_weight=600),
            text(right, line, str(list(row.shape)), text_anchor="end"),
            text(left, line + LINE, row.formula, font_size=12, opacity=0.75),
        ]
        if row.n_parameters:
            count = {"class_": "plain", "font_size": 12, "opacity": 0.75, "word_spacing": 2}
            counted = parameters.format(formatted(row.n_parameters, ","))
            parts.append(text(right, line + LINE, counted, text_anchor="end", **count))
    for start, end in RESIDUALS:
        parts += _residual(middles[start], middles[end])
    return svg(
        "block", parts, WIDTH, height * len(rows) + 8, alt=alt, widest=WIDTH * 1.2, size=13.5
    )


def length_chart(
    steps: Sequence[TokenAtStep], names: Mapping[str, str], *, x_title: str
) -> "Figure":
    """Return the length of one token's vector after each step, first step on top."""
    lengths = [step.length for step in steps]
    return bars_chart(
        [names[step.name] for step in steps],
        {"": lengths},
        written=lambda length: formatted(length, ".3g"),
        x_title=x_title,
    )


def _residual(start: float, end: float) -> list[str]:
    """Return the line of a residual connection."""
    x, middle, side = GUTTER - 18, (start + end) / 2, GUTTER - 8
    line = (
        f"M{GUTTER} {start:.1f}H{x + 8}Q{x} {start:.1f} {x} {start + 8:.1f}"
        f"V{end - 8:.1f}Q{x} {end:.1f} {x + 8} {end:.1f}H{GUTTER - 7}"
    )
    head = f"M{side} {end - 4.5:.1f}L{GUTTER - 1} {end:.1f}L{side} {end + 4.5:.1f}Z"
    plus = {"text_anchor": "middle", "font_size": 15, "font_weight": 700, "style": "fill:#fff"}
    return [
        path(line, stroke=BLUE, stroke_width=2),
        path(head, fill=BLUE),
        element("circle", cx=x, cy=middle, r=8, fill=BLUE),
        text(x, middle + 5, "+", **plus),
    ]
