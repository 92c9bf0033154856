"""Windows to scale: text of each document, special tokens, hatched padding.

Read before this: sentence_pairs.py.
"""

from mlm_core.figures.svg import element, hatching, path, rect, svg, text, title
from mlm_core.figures.theme import BLUE, GREY, ORANGE
from mlm_core.prediction.packing import Packing, Piece, Window

ROW, BAR, WIDTH, LEFT = 24, 18, 560, 34  # the drawing's units
MOST_WINDOWS = 10  # that are drawn; the rest is counted
NARROWEST_NUMBER = 22  # a narrower stretch shows no document's number


def packing_svg(packing: Packing, *, names: dict[str, str], alt: str) -> str:
    """Return the first windows as bars; all positions have the same width.

    Documents alternate between two shades and carry their number. A thin outlined bar is a
    special token, an orange line a border between documents. `names` are the words for
    "document", "padding" and "window", which stand in the titles.
    """
    drawn = packing.windows[:MOST_WINDOWS]
    height = ROW * len(drawn) + 4
    unit = (WIDTH - LEFT - 4) / packing.window_size
    parts = [hatching()]
    for i, window in enumerate(drawn):
        y = ROW * i + 3
        parts.append(text(LEFT - 8, y + 14, str(i + 1), text_anchor="end", opacity=0.8))
        parts.extend(_pieces(window, y, unit, names))
        if window.n_padding:
            x = LEFT + unit * (packing.window_size - window.n_padding)
            padding = rect(x, y, unit * window.n_padding, BAR, fill="url(#hatch)")
            parts.append(element("g", title(f"{names['padding']}: {window.n_padding}"), padding))
        frame = {"fill": "none", "stroke": GREY, "stroke_opacity": 0.7}
        parts.append(rect(LEFT, y, unit * packing.window_size, BAR, **frame))
    kind = "plain packing"
    return svg(kind, parts, WIDTH, height, alt=alt, widest=WIDTH * 1.6, size=13)


def _pieces(window: Window, y: float, unit: float, names: dict[str, str]) -> list[str]:
    parts: list[str] = []
    before: int | None = None
    for piece in window.pieces:
        x, width = LEFT + unit * piece.start, unit * piece.n_tokens
        if piece.document is None:
            look = {"fill": "currentColor", "fill_opacity": 0.55}
            parts.append(rect(x, y + 1, max(width, 1), BAR - 2, **look))
            continue
        parts.append(_text_piece(piece, piece.document, x, y, width, names))
        if before is not None and before != piece.document:
            parts.append(path(f"M{x:.2f} {y - 2}V{y + BAR + 2}", stroke=ORANGE, stroke_width=3))
        before = piece.document
    return parts


def _text_piece(
    piece: Piece, document: int, x: float, y: float, width: float, names: dict[str, str]
) -> str:
    drawn = [
        title(f"{names['document']} {document + 1}: {piece.n_tokens}"),
        rect(x, y, width, BAR, fill=BLUE, fill_opacity=0.55 if document % 2 else 0.25),
    ]
    if width >= NARROWEST_NUMBER:
        drawn.append(text(x + width / 2, y + 13.5, str(document + 1), text_anchor="middle"))
    return element("g", *drawn)
