"""A few named probabilities as bars, with their numbers, as an SVG text.

For a page without plotly's script, and where a class polls; other bars are those of charts.py.
"""

from collections.abc import Sequence

from mlm_core.figures.svg import rect, svg, text
from mlm_core.figures.theme import BLUE, GREY, weight_label

ROW, BAR, NUMBER = 28, 190, 52  # the drawing's units
LETTER = 8.5
LABEL_LETTERS = 18

STYLE = """
.film .bars { max-width: 28rem; }
"""


def bars_svg(
    names: Sequence[str],
    values: Sequence[float],
    *,
    longest: float,
    alt: str,
    written: Sequence[str] | None = None,
    letters: int = 0,
    widest: float | None = None,
) -> str:
    """Return one bar a name; `longest` is the value that fills the width.

    Give bars that are to be compared the same `longest`. `written` stands beside the bars in
    place of the values. There is room for a name of `letters`, where drawings are compared whose
    names are not the same.
    """
    parts = []
    beside = written or [weight_label(value) for value in values]
    number = max(NUMBER, *(LETTER * len(words) + 10 for words in written or [""]))
    label = LETTER * min(LABEL_LETTERS, max([letters, *map(len, names)])) + 14
    for i, (name, value, words) in enumerate(zip(names, values, beside, strict=True)):
        y, width = ROW * i, BAR * min(1.0, value / longest)
        parts += [
            text(label - 8, y + 19, name, LABEL_LETTERS, text_anchor="end"),
            rect(label, y + 4, BAR, ROW - 8, rx=3, fill=GREY, fill_opacity=0.1),
            rect(label, y + 4, width, ROW - 8, rx=3, fill=BLUE, class_="value"),
            text(label + BAR + 6, y + 19, words),
        ]
    return svg("bars", parts, label + BAR + number, ROW * len(names), alt=alt, widest=widest)
