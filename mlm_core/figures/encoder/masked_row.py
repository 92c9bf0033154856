"""One row of scores through a mask: score, masked score and weight of each key."""

from collections.abc import Sequence

from mlm_core.figures.svg import hatching, rect, svg, text
from mlm_core.figures.theme import BLUE, GREY, significant

ROW, TOP = 30, 30
COLUMNS = (0, 112, 186, 292)  # where token, score, masked score and weight begin
BAR, WIDTH = 90, 456
LABEL_LETTERS = 12


def masked_row_svg(
    tokens: Sequence[str],
    scores: Sequence[float],
    masked_scores: Sequence[float] | None,
    weights: Sequence[float] | None,
    attention_mask: Sequence[bool],
    *,
    headings: Sequence[str],
    refused: str,
    alt: str,
) -> str:
    """Return one line a key, blocked keys hatched, the weight as a bar from 0 to 1.

    If torch raised an error, `masked_scores` and `weights` are None, and `refused` is shown.
    """
    parts = [hatching()]
    anchors = ("start", "end", "end", "start")
    places = (COLUMNS[0] + 6, COLUMNS[2] - 8, COLUMNS[3] - 8, COLUMNS[3] + 4)
    for x, anchor, heading in zip(places, anchors, headings, strict=True):
        parts.append(text(x, 16, heading, text_anchor=anchor, font_size=12, opacity=0.75))
    for j, token in enumerate(tokens):
        y = TOP + ROW * j
        if not attention_mask[j]:
            parts.append(
                rect(0, y + 1, COLUMNS[3] - 2, ROW - 3, rx=5, fill="url(#hatch)", fill_opacity=0.6)
            )
        parts.append(text(places[0], y + 19, token[:200], LABEL_LETTERS))
        parts.append(text(places[1], y + 19, significant(scores[j], 3), text_anchor="end"))
        if masked_scores is None or weights is None:
            parts.append(text(places[2], y + 19, refused, text_anchor="end", font_size=12))
            continue
        parts.append(text(places[2], y + 19, significant(masked_scores[j], 3), text_anchor="end"))
        parts += _bar(y, weights[j])
    height = TOP + ROW * len(tokens) + 4
    return svg("row", parts, WIDTH, height, alt=alt, widest=WIDTH * 1.1, size=13)


def _bar(y: float, weight: float) -> list[str]:
    x = COLUMNS[3] + 4
    if weight != weight:
        return [text(x, y + 19, "NaN", font_weight=700)]
    return [
        rect(x, y + 6, BAR, ROW - 12, rx=3, fill="none", stroke=GREY, stroke_opacity=0.35),
        rect(x, y + 6, BAR * weight, ROW - 12, rx=3, fill=BLUE),
        text(x + BAR + 8, y + 19, significant(weight, 3)),
    ]
