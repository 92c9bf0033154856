"""A class head's arithmetic: the pooled vector, the softmax, and what each word does to a logit.

Read before this: ../encoder/arithmetic.py, classification_confusion.py.
"""

from collections.abc import Sequence

from mlm_core.figures.encoder.arithmetic import sum_tex
from mlm_core.figures.svg import path, rect, svg, text
from mlm_core.figures.theme import BLUE, GREY, VERMILION, tex
from mlm_core.number_format import formatted

COLUMNS, SQUARE = 32, 14  # of the strip, in the drawing's units
ROW, BAR, LETTER, LABEL_LETTERS = 26, 120, 9, 18  # of the words' bars


def strip_svg(values: Sequence[float], *, alt: str) -> str:
    """Return the numbers as squares, row by row, blue above 0 and vermilion below.

    The farthest from 0 has the full colour.
    """
    reach = max((abs(value) for value in values), default=0.0) or 1.0
    width, height = SQUARE * min(COLUMNS, max(1, len(values))), -(-len(values) // COLUMNS) * SQUARE
    squares = [rect(0, 0, width, height, fill=GREY, fill_opacity=0.08)]
    for j, value in enumerate(values):
        x, y = SQUARE * (j % COLUMNS), SQUARE * (j // COLUMNS)
        look = {"fill": BLUE if value >= 0 else VERMILION, "fill_opacity": abs(value) / reach}
        squares.append(rect(x + 1, y + 1, SQUARE - 2, SQUARE - 2, **look))
    return svg("strip", squares, width, height, alt=alt, widest=1.4 * width)


def moves_svg(words: Sequence[str], moves: Sequence[float], *, alt: str) -> str:
    """Return a bar a word: blue to the right above 0, vermilion to the left below.

    The farthest from 0 has the full length.
    """
    reach = max((abs(move) for move in moves), default=0.0) or 1.0
    left = LETTER * max((min(len(word), LABEL_LETTERS) for word in words), default=0) + 12
    zero, height = left + BAR, ROW * len(words)
    parts = [path(f"M{zero} 0V{height}", stroke="currentColor", stroke_opacity=0.6)]
    for i, (word, move) in enumerate(zip(words, moves, strict=True)):
        y, width = ROW * i, BAR * abs(move) / reach
        look = {"rx": 2, "fill": BLUE if move >= 0 else VERMILION, "fill_opacity": 0.8}
        sign = "+" if round(move, 2) > 0 else ""
        parts += [
            text(left - 10, y + 18, word, LABEL_LETTERS, text_anchor="end"),
            rect(zero if move >= 0 else zero - width, y + 5, width, ROW - 10, **look),
            text(zero + BAR + 6, y + 18, f"{sign}{formatted(move, 'z.2f')}"),
        ]
    return svg("moves", parts, zero + BAR + 60, height, alt=alt)


def softmax_tex(powers: Sequence[float], k: int, probability: float) -> str:
    """Return the quotient of class number `k` (from 0) in LaTeX, with numbers only.

    `powers` are e^u of all classes. Raises ValueError if there is no class of that number.
    """
    if not 0 <= k < len(powers):
        raise ValueError(f"class {k} of {len(powers)}: classes count from 0")
    top, below, terms = tex(powers[k]), tex(sum(powers)), sum_tex(list(map(tex, powers)))
    return rf"\frac{{{top}}}{{{terms}}} = \frac{{{top}}}{{{below}}} = {tex(probability)}"
