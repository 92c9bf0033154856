"""A drawing of alpha: proportions of languages before and after sampling.

Read before this: ../bars.py, ../prediction/packing.py.
"""

from collections.abc import Sequence

from mlm_core.figures.theme import (
    BLUE,
    FONT,
    GREY,
    TOKEN_FONT,
    escaped,
    significant,
)

ROW, LEFT, BAR, NUMBER = 44, 96, 300, 74  # the drawing's units

STYLE = f"""
.shares svg {{ display: block; width: 100%; height: auto; }}
.shares text {{ font-family: {TOKEN_FONT}; font-size: 14px; fill: currentColor; }}
.shares text.name {{ font-family: {FONT}; font-size: 15px; }}
"""


def shares_svg(
    names: Sequence[str],
    before: Sequence[float],
    after: Sequence[float],
    *,
    letters: tuple[str, str] = ("p", "q"),
    alt: str,
) -> str:
    """Return two bars a language: proportion in the data (grey) and sampled (blue).

    The axis always runs from 0 to 1, so that views can be compared.
    """
    parts = []
    for i, (name, p, q) in enumerate(zip(names, before, after, strict=True)):
        y = ROW * i
        parts.append(
            f'<text class="name" x="{LEFT - 26}" y="{y + 25}" font-size="15" text-anchor="end">'
            f"{escaped(name, 10)}</text>"
        )
        for k, (proportion, colour) in enumerate(((p, GREY), (q, BLUE))):
            top = y + 4 + 18 * k
            parts.append(
                f'<text x="{LEFT - 8}" y="{top + 13}" font-size="14" text-anchor="end"'
                f' opacity=".8">{escaped(letters[k])}</text>'
                f'<rect x="{LEFT}" y="{top}" width="{BAR}" height="15" rx="3" fill="{GREY}"'
                ' fill-opacity=".08"/>'
                f'<rect x="{LEFT}" y="{top}" width="{max(1.0, BAR * proportion):.1f}" height="15"'
                f' rx="3" fill="{colour}"/>'
                f'<text x="{LEFT + BAR + 8}" y="{top + 13}" font-size="14">'
                f"{significant(100 * proportion, 3)} %</text>"
            )
    width, height = LEFT + BAR + NUMBER, ROW * len(names)
    return (
        '<div class="shares"><svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {width} {height}"'
        f' style="max-width:{width + 60}px">{"".join(parts)}</svg></div>'
    )
