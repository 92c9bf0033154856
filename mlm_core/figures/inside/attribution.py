"""Attributions of one prediction: the text's words in colours with numbers, a line a method.

Blue speaks for the word at the blank, vermilion against it; each line's colours are in proportion
to its own largest number.

Read before this: ../svg.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.figures.svg import element
from mlm_core.figures.theme import BLUE, ORANGE, TOKEN_FONT, VERMILION, escaped
from mlm_core.number_format import formatted

MOST_LETTERS = 18  # of a word; the rest is in its title

STYLE = f"""
.attribution p {{ margin: .5rem 0 .25rem; font-size: .95rem; font-weight: 600; }}
.attribution ul {{ display: flex; flex-wrap: wrap; gap: .3rem; margin: 0 0 .6rem; padding: 0;
  list-style: none; }}
.attribution li {{ display: flex; flex-direction: column; align-items: center; min-width: 2.6rem;
  border: 1.5px solid rgba(127,136,150,.35); border-radius: .4rem; padding: .1rem .35rem;
  font: .9rem/1.3 {TOKEN_FONT}; white-space: nowrap;
  background: color-mix(in srgb, {BLUE} calc(45% * var(--s, 0)), transparent); }}
.attribution li.against {{
  background: color-mix(in srgb, {VERMILION} calc(45% * var(--s, 0)), transparent); }}
.attribution li.blank {{ border-color: {ORANGE}; font-weight: 700;
  background: color-mix(in srgb, {ORANGE} 30%, transparent); }}
.attribution small {{ font-size: .75rem; }}
"""


@dataclass(frozen=True, kw_only=True)
class AttributedText:
    """One method's numbers for the words of a text, with the word at the blank among them."""

    method: str
    words: Sequence[tuple[str, float | None]]  # None at the blank
    is_signed: bool = True


def attribution_html(lines: Sequence[AttributedText], *, alt: str) -> str:
    """Return the lines one below the other."""
    drawn = [part for line in lines for part in _line(line)]
    return element("div", *drawn, class_="attribution", role="group", aria_label=alt)


def _line(line: AttributedText) -> list[str]:
    largest = max((abs(value) for _, value in line.words if value is not None), default=0) or 1
    spec = "+.2f" if line.is_signed else ".2f"
    cells = []
    for word, value in line.words:
        inside, look = [element("span", escaped(word, MOST_LETTERS))], {"class_": "blank"}
        if value is not None:
            inside.append(element("small", formatted(value, spec)))
            look = {"class_": "against" if value < 0 else None}
            look["style"] = f"--s:{abs(value) / largest:.2f}"
        cells.append(element("li", *inside, title=word, **look))
    return [element("p", escaped(line.method)), element("ul", *cells, "")]
