"""A head's strongest pairs: sentences in which one token is outlined and the other one tinted.

The outlined token looks, the tinted one is looked at: its blue is stronger for a larger weight.

Read before this: ../theme.py, ../../inside/head_patterns.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.figures.svg import element
from mlm_core.figures.theme import GREY, escaped, weight_label

STYLE = f"""
.head-pairs ol {{ list-style: none; margin: 0; padding: 0; line-height: 1.6; }}
.head-pairs li {{ display: flex; gap: .6rem; padding: .2rem 0; overflow-wrap: anywhere;
  border-bottom: 1px solid {GREY}44; }}
.head-pairs b {{ flex: none; font-variant-numeric: tabular-nums; }}
.head-pairs mark {{ color: inherit; background: transparent; border-radius: 4px;
  padding: .05em .15em; }}
.head-pairs .looks {{ outline: 2px solid currentColor; }}
"""


@dataclass(frozen=True, kw_only=True)
class DrawnPair:
    """A sentence, and where in it are the token that looks and the one that is looked at."""

    text: str
    query: tuple[int, int]  # first character and one past the last
    key: tuple[int, int]
    weight: float


def pairs_html(pairs: Sequence[DrawnPair], *, looks: str, seen: str, alt: str) -> str:
    """Return the sentences as a list; `looks` and `seen` name the two marks for who hovers."""
    rows = [
        element("li", element("b", weight_label(pair.weight)), _marked(pair, looks, seen))
        for pair in pairs
    ]
    listed = element("ol", *rows, "")
    return element("div", listed, class_="head-pairs", role="group", aria_label=alt)


def _marked(pair: DrawnPair, looks: str, seen: str) -> str:
    tint = f"background:rgba(0,114,178,{0.15 + 0.4 * pair.weight:.2f})"
    look = {"class_": "looks", "title": looks}
    if pair.query == pair.key:
        marks = {pair.key: look | {"style": tint}}
    else:
        marks = {pair.query: look, pair.key: {"style": tint, "title": seen}}
    parts, end = [], 0
    for (start, stop), about in sorted(marks.items()):
        mark = element("mark", escaped(pair.text[start:stop]), **about)
        parts += [escaped(pair.text[end:start]), mark]
        end = stop
    return element("span", *parts, escaped(pair.text[end:]))
