"""Drawings of attention: the weights from a query to each key."""

from collections.abc import Sequence

from mlm_core.figures.svg import button, element, hatching, path, rect, svg, text
from mlm_core.figures.theme import BLUE, GREY, weight_label

ROW = 40  # height of one token's row in the flow drawing: 24 pixels of a box on a phone
COLUMN = 150  # width of the query and the key column
GAP = 100  # between them, where the lines run
TOP = 26
LABEL_LETTERS = 14


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
    heads = {"text_anchor": "middle", "font_size": 13, "opacity": 0.8, "class_": "plain"}
    parts = [
        hatching(),
        text(COLUMN / 2, 14, headings[0], **heads),
        text(COLUMN * 1.5 + GAP, 14, headings[1], **heads),
    ]
    first, bend, last = COLUMN, COLUMN + GAP / 2, COLUMN + GAP
    start = TOP + ROW * (query + 0.5)
    for j, (allowed, weight) in enumerate(zip(attention_mask, weights, strict=True)):
        if allowed:
            end = TOP + ROW * (j + 0.5)
            look = {"stroke_width": 1.2 + 7 * weight, "stroke_opacity": 0.25 + 0.75 * weight}
            d = f"M{first} {start}C{bend} {start} {bend} {end} {last} {end}"
            parts.append(path(d, stroke=BLUE, **look))
    for i, token in enumerate(tokens):
        y, is_query, allowed = TOP + ROW * i + 3, i == query, attention_mask[i]
        box = _box(0, y, token, stroke=BLUE if is_query else GREY, is_bold=is_query)
        click = button(str(i), aria_pressed=str(is_query).lower(), aria_label=token)
        parts.append(element("g", *box, **click))
        blue = f"rgba(0,114,178,{0.75 * weights[i]:.3f})" if allowed else "url(#hatch)"
        stroke = BLUE if allowed else GREY
        parts += _box(last, y, token, stroke=stroke, fill=blue, is_faint=not allowed)
        number = weight_label(weights[i]) if allowed else "✕"
        parts.append(text(last + COLUMN + 6, y + 22, number, font_size=12))
    width, height = last + COLUMN + 56, TOP + ROW * len(tokens) + 4
    return svg("flow", parts, width, height, alt=alt, role="group")


def _box(
    x: float,
    y: float,
    token: str,
    *,
    stroke: str,
    fill: str = "rgba(127,136,150,.10)",
    is_bold: bool = False,
    is_faint: bool = False,
) -> list[str]:
    look = {"fill": fill, "stroke": stroke, "stroke_width": 2.5 if is_bold else 1.2}
    return [
        rect(x + 1, y, COLUMN - 2, ROW - 6, rx=7, class_="hit", **look),
        text(
            x + COLUMN / 2,
            y + 22,
            token,
            LABEL_LETTERS,
            text_anchor="middle",
            opacity=0.8 if is_faint else None,
            font_weight=700 if is_bold else None,
        ),
    ]
