"""The encoder block as a drawing: every step with its formula, shape and parameters."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mlm_core.encoder.block_steps import BlockRow, TokenAtStep
from mlm_core.figures.charts import chart
from mlm_core.figures.theme import BLUE, FONT, GREY, ORANGE, TOKEN_FONT, escaped
from mlm_core.number_format import formatted

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

GUTTER, WIDTH = 36, 420  # room for the residual lines on the left; whole width
LINE, SPACE = 17, 10  # height of a line of text and the space in a box around its lines
RESIDUALS = (("input", "first_sum"), ("first_norm", "second_sum"))


def block_svg(
    rows: Sequence[BlockRow],
    reference: Sequence[BlockRow],
    names: Mapping[str, str],
    *,
    parameters: str,
    before: str,
    alt: str,
) -> str:
    """Return the block from top to bottom, residual connections as lines on the left.

    Where `rows` differ from `reference` (the real model's), the shape or count is bold and
    underlined, and the model's own stands below it after the word `before`.
    """
    y, parts, middles = 4.0, [], {}
    for row, real in zip(rows, reference, strict=True):
        changed = (row.shape, row.n_parameters) != (real.shape, real.n_parameters)
        height = LINE * (3 if changed else 2) + SPACE
        middles[row.name] = y + height / 2
        parts.append(
            f'<rect x="{GUTTER}" y="{y}" width="{WIDTH - GUTTER - 4}" height="{height - 4}" rx="7"'
            f' fill="rgba(127,136,150,.10)" stroke="{ORANGE if changed else GREY}"'
            f' stroke-opacity="{0.9 if changed else 0.35}"/>'
        )
        left, right, line = GUTTER + 10, WIDTH - 14, y + LINE + 1
        parts.append(_text(left, line, names[row.name], font=FONT, weight=600))
        parts.append(
            _text(right, line, str(list(row.shape)), end=True, marked=row.shape != real.shape)
        )
        parts.append(_text(left, line + LINE, row.formula, size=12, faint=True))
        counted = parameters.format(formatted(row.n_parameters, ",")) if row.n_parameters else ""
        parts.append(
            _text(right, line + LINE, counted, end=True, size=12, font=FONT, faint=not changed)
        )
        if changed:
            was = f"{before} {list(real.shape)}"
            was += f", {formatted(real.n_parameters, ',')}" if real.n_parameters else ""
            parts.append(_text(right, line + 2 * LINE, was, end=True, size=11, faint=True))
        y += height
    for start, end in RESIDUALS:
        parts.append(_residual(middles[start], middles[end]))
    return (
        '<div class="matrix"><svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {WIDTH} {y + 4:.0f}"'
        f' style="width:100%;max-width:{WIDTH * 1.2:.0f}px">{"".join(parts)}</svg></div>'
    )


def length_chart(
    steps: Sequence[TokenAtStep], names: Mapping[str, str], *, x_title: str
) -> "Figure":
    """Return the length of one token's vector after each step, first step on top."""
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [step.length for step in steps],
        "y": [names[step.name] for step in steps],
        "text": [formatted(step.length, ".3g") for step in steps],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": BLUE},
        "hovertemplate": "%{y}: %{x:.4g}<extra></extra>",
    }
    longest = 1.15 * max(step.length for step in steps)
    return chart(
        [bars],
        xaxis={"title": {"text": x_title}, "range": [0, longest]},
        yaxis={"autorange": "reversed"},
        height=60 + 30 * len(steps),
        bargap=0.35,
    )


def _residual(start: float, end: float) -> str:
    """Return the line of a residual connection."""
    x = GUTTER - 18
    return (
        f'<path d="M{GUTTER} {start:.1f} H{x + 8} Q{x} {start:.1f} {x} {start + 8:.1f}'
        f' V{end - 8:.1f} Q{x} {end:.1f} {x + 8} {end:.1f} H{GUTTER - 7}" fill="none"'
        f' stroke="{BLUE}" stroke-width="2"/>'
        f'<path d="M{GUTTER - 8} {end - 4.5:.1f} L{GUTTER - 1} {end:.1f} L{GUTTER - 8}'
        f' {end + 4.5:.1f} Z" fill="{BLUE}"/>'
        f'<circle cx="{x}" cy="{(start + end) / 2:.1f}" r="8" fill="{BLUE}"/>'
        f'<text x="{x}" y="{(start + end) / 2 + 5:.1f}" text-anchor="middle" font-size="15"'
        ' style="fill:#fff" font-weight="700">+</text>'
    )


def _text(
    x: float,
    y: float,
    text: str,
    *,
    end: bool = False,
    size: float = 13.5,
    font: str = TOKEN_FONT,
    weight: int = 400,
    marked: bool = False,
    faint: bool = False,
) -> str:
    style = f"font-family:{font};font-weight:{700 if marked else weight}"
    style += ";text-decoration:underline" if marked else ""
    anchor, opacity = "end" if end else "start", 0.75 if faint else 1
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="currentColor" opacity="{opacity}"'
        f' text-anchor="{anchor}" style="{escaped(style)}">{escaped(text)}</text>'
    )
