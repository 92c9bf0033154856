"""What several ways of searching find for one query, side by side, the best hit first.

A hit whose grade is known has a mark: the same, related, unrelated. Below each column stands where
the right text is among all. On a phone the columns stand one below the other.

Read before this: ../theme.py, ../../search/graded_pairs.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.figures.theme import GREEN, GREY, ORANGE, VERMILION, as_ink, escaped
from mlm_core.number_format import formatted

LONGEST_HIT = 110  # characters; the whole is in the page's table
MARKS = {0: ("✗", VERMILION), 1: ("≈", ORANGE), 2: ("✓", GREEN)}  # by grade

STYLE = f"""
.hits {{ display: grid; gap: .3rem 1rem; container-type: inline-size; font-size: .84rem;
  line-height: 1.3; }}
.hits .ways {{ display: grid; gap: .5rem 1.1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(9.5rem, 100%), 1fr)); }}
.hits .query {{ font-size: 1rem; font-weight: 600; }}
.hits .name {{ font-weight: 700; border-bottom: 2px solid {GREY}; margin-bottom: .15rem; }}
.hits ol {{ list-style: none; margin: 0; padding: 0; }}
.hits li {{ display: flex; gap: .35rem; padding: .16rem 0;
  border-bottom: 1px solid rgba(127,136,150,.25); }}
.hits .score {{ font-variant-numeric: tabular-nums; }}
.hits .found {{ flex: 1; overflow-wrap: anywhere; }}
.hits .mark {{ width: 1em; text-align: center; font-weight: 700; }}
.hits .foot {{ margin-top: .15rem; font-style: italic; }}
"""


@dataclass(frozen=True, kw_only=True)
class FoundText:
    """One text that was found."""

    text: str
    score: float
    grade: int | None = None  # 0 to 2, where it is known


@dataclass(frozen=True, kw_only=True)
class HitColumn:
    """What one way of searching finds."""

    name: str
    hits: Sequence[FoundText]
    foot: str = ""  # where the right one is


def hits_html(query: str, columns: Sequence[HitColumn], grades: Sequence[str], *, alt: str) -> str:
    """Return the columns as HTML; `grades` are the marks' names, from 0 to 2."""
    ways = "".join(_column(column, grades) for column in columns)
    return (
        f'<div class="hits" role="group" aria-label="{escaped(alt)}">'
        f'<div class="query">{escaped(query, LONGEST_HIT)}</div>'
        f'<div class="ways">{ways}</div></div>'
    )


def _column(column: HitColumn, grades: Sequence[str]) -> str:
    hits = "".join(_hit(hit, grades) for hit in column.hits)
    foot = f'<div class="foot">{escaped(column.foot)}</div>' if column.foot else ""
    name = escaped(column.name)
    return (
        f'<div class="way"><div class="name">{name}</div>'
        f'<ol aria-label="{name}">{hits}</ol>{foot}</div>'
    )


def _hit(hit: FoundText, grades: Sequence[str]) -> str:
    mark = '<span class="mark"></span>'
    if hit.grade is not None:
        sign, colour = MARKS[hit.grade]
        name = escaped(grades[hit.grade])
        mark = (
            f'<span class="mark" role="img" aria-label="{name}" title="{name}"'
            f' style="color:{as_ink(colour)}">{sign}</span>'
        )
    return (
        f'<li>{mark}<span class="found">{escaped(hit.text, LONGEST_HIT)}</span>'
        f'<span class="score">{formatted(hit.score, ".2f")}</span></li>'
    )
