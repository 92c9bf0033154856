"""One row of scores through a mask: score, masked score and weight of each key."""

from collections.abc import Sequence

from mlm_core.figures.theme import BLUE, GREY, TOKEN_FONT, escaped, significant

ROW, TOP = 30, 30
COLUMNS = (0, 112, 186, 292)  # where token, score, masked score and weight begin
BAR, WIDTH = 90, 440
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
    height = TOP + ROW * len(tokens) + 4
    parts = [
        '<defs><pattern id="rowhatch" width="6" height="6" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="6" stroke="{GREY}"'
        ' stroke-width="2" stroke-opacity=".5"/></pattern></defs>'
    ]
    anchors = ("start", "end", "end", "start")
    places = (COLUMNS[0] + 6, COLUMNS[2] - 8, COLUMNS[3] - 8, COLUMNS[3] + 4)
    for x, anchor, heading in zip(places, anchors, headings, strict=True):
        parts.append(_text(x, 16, heading, anchor=anchor, size=12, extra=' opacity=".75"'))
    for j, token in enumerate(tokens):
        y = TOP + ROW * j
        if not attention_mask[j]:
            parts.append(
                f'<rect x="0" y="{y + 1}" width="{COLUMNS[3] - 2}" height="{ROW - 3}" rx="5"'
                ' fill="url(#rowhatch)" fill-opacity=".6"/>'
            )
        parts.append(_text(places[0], y + 19, token[:200], letters=LABEL_LETTERS))
        parts.append(_text(places[1], y + 19, significant(scores[j], 3), anchor="end"))
        if masked_scores is None or weights is None:
            parts.append(_text(places[2], y + 19, refused, anchor="end", size=12))
            continue
        parts.append(_text(places[2], y + 19, significant(masked_scores[j], 3), anchor="end"))
        parts.append(_bar(y, weights[j]))
    return (
        '<div class="matrix"><svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {WIDTH} {height}"'
        f' style="width:100%;max-width:{WIDTH * 1.1:.0f}px">{"".join(parts)}</svg></div>'
    )


def _bar(y: float, weight: float) -> str:
    x = COLUMNS[3] + 4
    number = _text(x + BAR + 8, y + 19, significant(weight, 3))
    if weight != weight:
        return _text(x, y + 19, "NaN", extra=' font-weight="700"')
    return (
        f'<rect x="{x}" y="{y + 6}" width="{BAR}" height="{ROW - 12}" rx="3" fill="none"'
        f' stroke="{GREY}" stroke-opacity=".35"/>'
        f'<rect x="{x}" y="{y + 6}" width="{BAR * weight:.2f}" height="{ROW - 12}" rx="3"'
        f' fill="{BLUE}"/>{number}'
    )


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    size: int = 13,
    letters: int | None = None,
    extra: str = "",
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-family="{escaped(TOKEN_FONT)}" font-size="{size}"'
        f' fill="currentColor" text-anchor="{anchor}"{extra}>{escaped(text, letters)}</text>'
    )
