"""The input stack as strips: token + position + segment = sum, and its LayerNorm.

Read before this: matrix.py.
"""

from collections.abc import Sequence

from mlm_core.figures.theme import BLUE, FONT, GREY, TOKEN_FONT, VERMILION, escaped, significant

LABEL, STRIP, NUMBER = 104, 640, 106  # widths: the row's name, its numbers, its length
HEIGHT, GAP = 44, 14
SHOWN_SHARE = 0.98  # of the numbers; the few longer ones would flatten all others

STYLE = f"""
.strips svg {{ display: block; width: 100%; height: auto; min-width: 320px; }}
.strips text {{ font-family: {FONT}; font-size: 15px; fill: currentColor; }}
.strips text.sign {{ font-family: {TOKEN_FONT}; }}
"""


def strips_svg(
    rows: Sequence[tuple[str, str, Sequence[float]]],
    lengths: Sequence[float],
    *,
    length_sign: str,
    alt: str,
) -> str:
    """Return named vectors as strips of thin bars, blue above 0 and vermilion below.

    `rows` are (sign in front, name, numbers). All rows but the last share one scale, for they
    are added; the last, normalized, has its own. Bars that would be longer than a strip is
    high end in a dot at its edge. `lengths` are the lengths of the vectors.
    """
    shared = _reach([x for _, _, row in rows[:-1] for x in row])
    last = _reach(rows[-1][2])
    parts = []
    for i, ((sign, name, row), length) in enumerate(zip(rows, lengths, strict=True)):
        y, reach = i * (HEIGHT + GAP), last if i == len(rows) - 1 else shared
        parts.append(
            f'<text class="sign" x="0" y="{y + 27}">{escaped(sign)}</text>'
            f'<text x="16" y="{y + 27}">{escaped(name)}</text>'
            f'<rect x="{LABEL}" y="{y}" width="{STRIP}" height="{HEIGHT}" rx="3" fill="{GREY}"'
            ' fill-opacity=".08"/>'
            + _bars(row, y, reach)
            + f'<text class="number" x="{LABEL + STRIP + 8}" y="{y + 27}">'
            f"{escaped(length_sign)} {significant(length, 3)}</text>"
        )
    width, height = LABEL + STRIP + NUMBER, len(rows) * (HEIGHT + GAP) - GAP
    return (
        f'<div class="strips"><svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {width} {height}"'
        f' style="max-width:{width}px">{"".join(parts)}</svg></div>'
    )


def _reach(numbers: Sequence[float]) -> float:
    """Return the size that SHOWN_SHARE of the numbers stay below."""
    sizes = sorted(map(abs, numbers))
    return (sizes[int(SHOWN_SHARE * (len(sizes) - 1))] if sizes else 0.0) or 1.0


def _bars(row: Sequence[float], y: float, reach: float) -> str:
    """Return a strip's numbers as two paths, one above and one below its middle line."""
    step, half = STRIP / max(1, len(row)), HEIGHT / 2 - 3
    parts = []
    for colour, sign in ((BLUE, 1), (VERMILION, -1)):
        moves, dots = [], []
        for k, number in enumerate(row):
            share = number * sign / reach
            x = LABEL + (k + 0.5) * step
            if share > 0:
                moves.append(f"M{x:.1f} {y + HEIGHT / 2:g}v{-sign * min(share, 1) * half:.1f}")
            if share > 1:
                dots.append(
                    f'<circle cx="{x:.1f}" cy="{y + HEIGHT / 2 - sign * half:g}" r="2.6"'
                    f' fill="{colour}"/>'
                )
        parts.append(
            f'<path d="{"".join(moves)}" stroke="{colour}" stroke-width="{step * 0.85:.2f}"/>'
            + "".join(dots)
        )
    return "".join(parts)
