"""A few named probabilities as bars, with their numbers, as an SVG text."""

from collections.abc import Sequence

from mlm_core.figures.theme import BLUE, GREY, TOKEN_FONT, escaped, weight_label

ROW, BAR, NUMBER = 28, 190, 46  # the drawing's units
LETTER = 8.5
LABEL_LETTERS = 18

STYLE = f"""
.bars svg {{ display: block; width: 100%; height: auto; }}
.bars text {{ font-family: {TOKEN_FONT}; font-size: 14px; fill: currentColor;
  text-rendering: geometricPrecision; }}
.bars.grows .value {{ transform-box: fill-box; transform-origin: left;
  animation: grow .35s ease-out; }}
@keyframes grow {{ from {{ transform: scaleX(0); }} }}
@media (prefers-reduced-motion: reduce) {{ .bars.grows .value {{ animation: none; }} }}
"""


def bars_svg(
    names: Sequence[str],
    values: Sequence[float],
    *,
    longest: float,
    alt: str,
    written: Sequence[str] | None = None,
    grows: bool = False,
) -> str:
    """Return one bar a name; `longest` is the value that fills the width.

    Give bars that are to be compared the same `longest`. `written` stands beside the bars in
    place of the values. With `grows` the bars grow from 0 when they are drawn.
    """
    parts = []
    beside = written or [weight_label(value) for value in values]
    number = max(NUMBER, *(LETTER * len(text) + 10 for text in written or [""]))
    label = LETTER * max((min(len(name), LABEL_LETTERS) for name in names), default=0) + 10
    for i, (name, value, text) in enumerate(zip(names, values, beside, strict=True)):
        y = ROW * i
        parts.append(
            f'<text x="{label - 8:.0f}" y="{y + 19}" text-anchor="end">'
            f"<title>{escaped(name)}</title>{escaped(name, LABEL_LETTERS)}</text>"
            f'<rect x="{label:.0f}" y="{y + 4}" width="{BAR}" height="{ROW - 8}" rx="3"'
            f' fill="{GREY}" fill-opacity=".10"/>'
            f'<rect x="{label:.0f}" y="{y + 4}" width="{BAR * min(1.0, value / longest):.1f}"'
            f' height="{ROW - 8}" rx="3" fill="{BLUE}" class="value"/>'
            f'<text x="{label + BAR + 6:.0f}" y="{y + 19}">{escaped(text)}</text>'
        )
    width, height = label + BAR + number, ROW * len(names)
    return (
        f'<div class="bars{" grows" * grows}"><svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {width:.0f} {height}"'
        f' style="max-width:{width:.0f}px">{"".join(parts)}</svg></div>'
    )
