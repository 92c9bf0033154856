"""Drawings of attention: the weights from a query to each key."""

from collections.abc import Sequence

from mlm_core.figures.theme import (
    BLUE,
    FONT,
    GREEN,
    GREY,
    TOKEN_FONT,
    escaped,
    weight_label,
)

ROW = 40  # height of one token's row in the flow drawing: 24 pixels of a box on a phone
COLUMN = 150  # width of the query and the key column
GAP = 100  # between them, where the lines run
LABEL_LETTERS = 14

STYLE = f"""
.flow svg {{ display: block; width: 100%; height: auto; }}
.flow text {{ font-family: {TOKEN_FONT}; fill: currentColor; font-size: 14px; }}
.flow text.head {{ font-family: {FONT}; font-size: 13px; opacity: .8; }}
.flow [data-value] {{ cursor: pointer; }}
.flow [data-value]:hover rect, .flow [data-value]:focus-visible rect {{
  stroke: {GREEN}; stroke-width: 2.5; }}
"""


def flow_svg(
    tokens: Sequence[str],
    query: int,
    attention_mask: Sequence[bool],
    weights: Sequence[float],
    *,
    headings: tuple[str, str],
    alt: str,
) -> str:
    """Return lines from one query to every allowed key, as SLP3 Fig 11.1.

    A line is as wide and dark as its weight; a blocked key is hatched and has no line. Each
    token on the left is a button that makes it the query.
    """
    top = 26
    width, height = 2 * COLUMN + GAP + 56, top + ROW * len(tokens) + 4
    parts = [
        '<defs><pattern id="flowhatch" width="6" height="6" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="6" stroke="{GREY}"'
        ' stroke-width="2" stroke-opacity=".55"/></pattern></defs>',
        f'<text class="head" x="{COLUMN / 2}" y="14" text-anchor="middle">'
        f"{escaped(headings[0])}</text>",
        f'<text class="head" x="{COLUMN * 1.5 + GAP}" y="14" text-anchor="middle">'
        f"{escaped(headings[1])}</text>",
    ]
    start = (COLUMN, top + ROW * (query + 0.5))
    for j, (allowed, weight) in enumerate(zip(attention_mask, weights, strict=True)):
        if allowed:
            end = (COLUMN + GAP, top + ROW * (j + 0.5))
            bend = GAP / 2
            parts.append(
                f'<path d="M{start[0]} {start[1]} C{start[0] + bend} {start[1]}'
                f' {end[0] - bend} {end[1]} {end[0]} {end[1]}" fill="none" stroke="{BLUE}"'
                f' stroke-width="{1.2 + 7 * weight:.2f}"'
                f' stroke-opacity="{0.25 + 0.75 * weight:.3f}"/>'
            )
    for i, token in enumerate(tokens):
        y = top + ROW * i + 3
        is_query = i == query
        parts.append(
            f'<g data-value="{i}" tabindex="0" role="button" aria-pressed="{str(is_query).lower()}"'
            f' aria-label="{escaped(token)}">'
            + _box(0, y, token, outline=BLUE if is_query else GREY, bold=is_query)
            + "</g>"
        )
        allowed = attention_mask[i]
        shade = weights[i] if allowed else 0.0
        parts.append(
            _box(
                COLUMN + GAP,
                y,
                token,
                outline=BLUE if allowed else GREY,
                fill=f"rgba(0,114,178,{0.75 * shade:.3f})" if allowed else "url(#flowhatch)",
                faint=not allowed,
            )
            + f'<text x="{2 * COLUMN + GAP + 6}" y="{y + 22}" style="font-size:12px">'
            + (escaped(weight_label(weights[i])) if allowed else "✕")
            + "</text>"
        )
    return (
        f'<div class="flow"><svg xmlns="http://www.w3.org/2000/svg" role="group"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {width} {height}"'
        f' style="max-width:{width}px">{"".join(parts)}</svg></div>'
    )


def _box(
    x: float,
    y: float,
    token: str,
    *,
    outline: str,
    fill: str = "rgba(127,136,150,.10)",
    bold: bool = False,
    faint: bool = False,
) -> str:
    opacity = ' opacity=".8"' if faint else ""
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<rect x="{x + 1}" y="{y}" width="{COLUMN - 2}" height="{ROW - 6}" rx="7" fill="{fill}"'
        f' stroke="{outline}" stroke-width="{2.5 if bold else 1.2}"/>'
        f'<text x="{x + COLUMN / 2}" y="{y + 22}" text-anchor="middle"{opacity}'
        f"{weight}><title>{escaped(token)}</title>"
        f"{escaped(token, LABEL_LETTERS)}</text>"
    )
