"""A few named probabilities as bars, with their numbers; and bars behind a curtain, with none.

For a page without plotly's script, and where a class polls; other bars are those of charts.py.
"""

from collections.abc import Sequence

from mlm_core.figures.svg import element, rect, svg, text
from mlm_core.figures.theme import BLUE, GREY, weight_label

ROW, BAR, NUMBER = 28, 190, 52  # the drawing's units
LETTER = 8.5
LABEL_LETTERS = 18

STYLE = f"""
.film .bars {{ max-width: 28rem; }}
.curtain {{ position: relative; overflow: hidden; max-width: 900px; border-radius: .5rem;
  border: 1px solid {GREY}66; }}
.curtain div {{ display: flex; height: 100%; padding: 1rem; box-sizing: border-box;
  align-items: flex-end; filter: blur(7px); }}
.curtain i {{ flex: 1; background: {GREY}; opacity: .55; }}
.curtain.rows div {{ flex-direction: column; align-items: flex-start; gap: .9rem; }}
.curtain::after {{ content: "?" / ""; position: absolute; inset: 0; display: grid;
  place-items: center; font-size: 3.5rem; font-weight: 600; opacity: .8; }}
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


def curtain_html(
    values: Sequence[float], *, height: int, is_upright: bool = False, alt: str = ""
) -> str:
    """Return grey bars, blurred, in place of a figure that is shown after a guess.

    The longest fills the box, so nobody can read a number from it: `values` may be what the
    figure will show. Without `alt` a screen reader passes by.
    """
    longest = max(values, default=0.0) or 1.0
    of_height = [f"height:{(height - 32) * value / longest:.1f}px" for value in values]
    of_width = [f"width:{100 * value / longest:.1f}%" for value in values]
    bars = [element("i", "", style=size) for size in (of_height if is_upright else of_width)]
    about = {"role": "img", "aria_label": alt} if alt else {"aria_hidden": "true"}
    kind, size = "curtain" if is_upright else "curtain rows", f"height:{height}px"
    return element("div", element("div", *bars, ""), class_=kind, style=size, **about)
