"""Windows to scale: text of each document, special tokens, hatched padding.

Read before this: sentence_pairs.py.
"""

from mlm_core.figures.theme import BLUE, FONT, GREY, ORANGE, escaped
from mlm_core.prediction.packing import Packing, Piece, Window

ROW, BAR, WIDTH, LEFT = 24, 18, 560, 34  # the drawing's units
MOST_WINDOWS = 16  # that are drawn; the rest is counted
NARROWEST_NUMBER = 22  # a narrower stretch shows no document's number

STYLE = f"""
.packing svg {{ display: block; width: 100%; height: auto; }}
.packing text {{ font-family: {FONT}; font-size: 13px; fill: currentColor; }}
"""


def packing_svg(packing: Packing, *, names: dict[str, str], alt: str) -> str:
    """Return the first windows as bars; all positions have the same width.

    Documents alternate between two shades and carry their number. A thin outlined bar is a
    special token, an orange line a border between documents. `names` are the words for
    "document", "padding" and "window", which stand in the titles.
    """
    drawn = packing.windows[:MOST_WINDOWS]
    height = ROW * len(drawn) + 4
    unit = (WIDTH - LEFT - 4) / packing.window_size
    parts = [_HATCHING]
    for i, window in enumerate(drawn):
        y = ROW * i + 3
        parts.append(
            f'<text x="{LEFT - 8}" y="{y + 14}" font-size="13" text-anchor="end"'
            f' opacity=".8">{i + 1}</text>'
        )
        parts.extend(_pieces(window, y, unit, names))
        if window.n_padding:
            x = LEFT + unit * (packing.window_size - window.n_padding)
            parts.append(
                f"<g><title>{escaped(names['padding'])}: {window.n_padding}</title>"
                f'<rect x="{x:.2f}" y="{y}" width="{unit * window.n_padding:.2f}" height="{BAR}"'
                ' fill="url(#padding)"/></g>'
            )
        parts.append(
            f'<rect x="{LEFT}" y="{y}" width="{unit * packing.window_size:.2f}" height="{BAR}"'
            f' fill="none" stroke="{GREY}" stroke-opacity=".7"/>'
        )
    return (
        '<div class="packing"><svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escaped(alt)}" viewBox="0 0 {WIDTH} {height}"'
        f' style="max-width:{WIDTH * 1.6:.0f}px">{"".join(parts)}</svg></div>'
    )


_HATCHING = (
    '<defs><pattern id="padding" width="6" height="6" patternUnits="userSpaceOnUse"'
    f' patternTransform="rotate(45)"><rect width="6" height="6" fill="{GREY}"'
    f' fill-opacity=".10"/><line x1="0" y1="0" x2="0" y2="6" stroke="{GREY}"'
    ' stroke-width="2" stroke-opacity=".5"/></pattern></defs>'
)


def _pieces(window: Window, y: float, unit: float, names: dict[str, str]) -> list[str]:
    parts: list[str] = []
    before: int | None = None
    for piece in window.pieces:
        x, width = LEFT + unit * piece.start, unit * piece.n_tokens
        if piece.document is None:
            parts.append(
                f'<rect x="{x:.2f}" y="{y + 1}" width="{max(width, 1):.2f}" height="{BAR - 2}"'
                ' fill="currentColor" fill-opacity=".55"/>'
            )
            continue
        parts.append(_text_piece(piece, piece.document, x, y, width, names))
        if before is not None and before != piece.document:
            parts.append(
                f'<line x1="{x:.2f}" x2="{x:.2f}" y1="{y - 2}" y2="{y + BAR + 2}"'
                f' stroke="{ORANGE}" stroke-width="3"/>'
            )
        before = piece.document
    return parts


def _text_piece(
    piece: Piece, document: int, x: float, y: float, width: float, names: dict[str, str]
) -> str:
    shade = 0.55 if document % 2 else 0.25
    number = ""
    if width >= NARROWEST_NUMBER:
        number = (
            f'<text x="{x + width / 2:.1f}" y="{y + 13.5}" font-size="13" text-anchor="middle">'
            f"{document + 1}</text>"
        )
    return (
        f"<g><title>{escaped(names['document'])} {document + 1}: {piece.n_tokens}</title>"
        f'<rect x="{x:.2f}" y="{y}" width="{width:.2f}" height="{BAR}" fill="{BLUE}"'
        f' fill-opacity="{shade}"/>{number}</g>'
    )
