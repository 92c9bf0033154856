"""The colours and marks of the app: each has one meaning, in every lesson.

The colours are Okabe and Ito's, which colour-blind readers can distinguish; no meaning depends on
colour alone. Sequential scales run from transparent (the page's own
background, light or dark) to blue, so one scale serves both themes.

Source: Okabe & Ito 2008, "Color Universal Design".
"""

import html
import unicodedata

from mlm_core.number_format import as_tex, formatted

BLUE = "#0072B2"  # weight, probability; also the query
SKY = "#56B4E9"
ORANGE = "#E69F00"  # [MASK]
VERMILION = "#D55E00"  # random, wrong
GREEN = "#009E73"  # kept, right
PURPLE = "#CC79A7"
GREY = "#7F8896"  # blocked, not chosen
INK = "#1c2430"  # text on paper; a page puts the colour of its own text in its place


FONT = "'Source Sans', 'Source Sans Pro', system-ui, sans-serif"
TOKEN_FONT = "'Source Code Pro', ui-monospace, Menlo, Consolas, monospace"

CLEAR = "rgba(0,0,0,0)"
CHART_FONT = "Source Sans, sans-serif"  # it goes with every chart, so it is short

_AXIS = {
    "automargin": True,
    "gridcolor": "rgba(127,136,150,.25)",
    "zerolinecolor": "rgba(127,136,150,.6)",
    "separatethousands": True,
    "ticks": "outside",
    "ticklen": 5,
    "tickcolor": CLEAR,
    "title": {"standoff": 8},
}
TEMPLATE = {
    "layout": {
        "font": {"family": CHART_FONT, "size": 13, "color": INK},
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        # The tool bar stands upright in the margin at the right, where no legend gets.
        "margin": {"l": 8, "r": 36, "t": 8, "b": 8},
        "modebar": {"orientation": "v", "bgcolor": CLEAR, "color": GREY, "activecolor": INK},
        "legend": {"orientation": "h", "x": 0, "yref": "container", "y": 1, "yanchor": "top"},
        "hoverlabel": {
            "font": {"family": CHART_FONT, "size": 13},
            "align": "left",
            "namelength": -1,
        },
        "hovermode": "closest",
        "dragmode": False,  # a finger on the chart moves the page
        "xaxis": _AXIS,
        "yaxis": _AXIS,
    }
}

# Marks that turn the direction of what follows, far beyond the text they stand in.
TURNS_AROUND = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str, longest: int | None = None) -> str:
    r"""Return `text` as it can be drawn: control characters as symbols, long text cut with "…".

    >>> printable("a\x00b\n"), printable("antidisestablishment", 8)
    ('a␀b␊', 'antidis…')
    """
    # Most texts are printable as they are, which Python can tell at once.
    shown = text if text.isprintable() else "".join(map(_drawn, text))
    return shown if longest is None or len(shown) <= longest else shown[: longest - 1] + "…"


def _drawn(character: str) -> str:
    if ord(character) < 0x20:
        return chr(0x2400 + ord(character))
    unseen = unicodedata.category(character) in ("Cc", "Cs", "Cn")
    return "\ufffd" if unseen or character in TURNS_AROUND else character


def escaped(text: str, longest: int | None = None) -> str:
    """Return `text` safe inside HTML or SVG, in content and in quoted attributes.

    >>> escaped("<b title='x'>")
    '&lt;b title=&#x27;x&#x27;&gt;'
    """
    return html.escape(printable(text, longest), quote=True)


def significant(value: float, digits: int = 2) -> str:
    """Return a number as figures show it, with a true minus sign.

    >>> significant(0.21194), significant(-1234.5), significant(float("-inf"))
    ('0.21', '−1200', '−∞')
    """
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    if abs(value) < 1e-3 or abs(value) >= 1e5:
        return formatted(value, f".{digits - 1}e")
    rounded = float(f"{value:.{digits}g}")  # 9.99 is 10 then, with a digit more before the dot
    return formatted(rounded, f".{_decimals(rounded, digits)}f")


def tex(value: float) -> str:
    r"""Return a number in LaTeX with three significant digits.

    >>> tex(0.000123), tex(-1.5)
    ('1.23 \\cdot 10^{-4}', '-1.50')
    """
    return as_tex(significant(value, 3))


def weight_label(value: float) -> str:
    """Return a weight or probability with two decimals; a share of a gap may be below 0.

    >>> weight_label(0.21194), weight_label(0.0004), weight_label(0.0), weight_label(-0.1)
    ('0.21', '<.01', '0', '−0.10')
    """
    if value == 0:
        return "0"
    if value >= 0.005 or value < 0:
        return formatted(value, ".2f")
    return f"<{formatted(0.01, 'g').replace('0.', '.')}"  # German keeps the zero


def tint(colour: str, percent: int) -> str:
    """Return a colour that lets the rest of the page's background through, in CSS."""
    return f"color-mix(in srgb, {colour} {percent}%, transparent)"


def as_ink(colour: str) -> str:
    """Return a colour for small text, mixed with the page's text colour for contrast."""
    return f"color-mix(in srgb, {colour} 60%, currentColor)"


def on_shade(shade: float, *, is_negative: bool = False) -> str | None:
    """Return the style of a number on a shade of blue, or of vermilion if negative.

    `shade` is the colour's opacity, 0 to 1. The page's own text colour reads well on light shades
    only; a contrast of 4.5 (WCAG AA) is kept on every one, on a light page and on a dark one.

    >>> on_shade(0.2), on_shade(1.0)
    (None, 'fill:#fff')
    """
    if shade <= 0.75:
        return None
    if shade < (0.9 if is_negative else 0.93):
        return "fill:light-dark(#000,#fff)"
    return "fill:#000" if is_negative else "fill:#fff"


def _decimals(value: float, digits: int) -> int:
    """Return the decimals that leave `digits` significant digits."""
    whole = len(str(int(abs(value)))) if abs(value) >= 1 else 0
    if whole:
        return max(0, digits - whole)
    leading_zeros = 0
    size = abs(value)
    while 0 < size < 0.1:
        size *= 10
        leading_zeros += 1
    return digits + leading_zeros
