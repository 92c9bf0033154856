"""What several ways of searching find for one query, side by side, the best hit first.

Over each column is the right text's place among all, as a number and as a dot on a line from the
first place to the last. A hit whose grade is known has a mark: the same, related, unrelated. Words
that a hit shares with the query are tinted. On a phone the columns are one below the other.

Read before this: ../theme.py, ../../search/graded_pairs.py, ../../search/tf_idf.py.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass

from mlm_core.figures.theme import BLUE, GREEN, GREY, ORANGE, VERMILION, as_ink, escaped, printable
from mlm_core.number_format import formatted
from mlm_core.search.tf_idf import WORD

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
.hits .mark {{ font-weight: 700; }}
.hits .shared {{ background: {BLUE}26; border-radius: 3px; }}
.hits .rank b {{ font-size: 1.75rem; line-height: 1.2; }}
.hits .line {{ position: relative; height: .6rem; margin: 0 .3rem .3rem; }}
.hits .line::before {{ content: ""; position: absolute; inset: .25rem -.3rem; background: {GREY}; }}
.hits .line i {{ position: absolute; width: .6rem; height: .6rem; margin-left: -.3rem;
  border-radius: 50%; background: {GREEN}; }}
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
    foot: str = ""
    rank: float | None = None  # of the right text, from 1 on, where it is known
    n: int = 0  # texts in all
    place: str = ""  # the rank in words


def hits_html(query: str, columns: Sequence[HitColumn], grades: Sequence[str], *, alt: str) -> str:
    """Return the columns as HTML; `grades` are the marks' names, from 0 to 2."""
    shared = set(WORD.findall(query.lower()))
    ways = "".join(_column(column, grades, shared) for column in columns)
    return (
        f'<div class="hits" role="group" aria-label="{escaped(alt)}">'
        f'<div class="query">{escaped(query, LONGEST_HIT)}</div>'
        f'<div class="ways">{ways}</div></div>'
    )


def _column(column: HitColumn, grades: Sequence[str], shared: Set[str]) -> str:
    hits = "".join(_hit(hit, grades, shared) for hit in column.hits)
    foot = f'<div class="foot">{escaped(column.foot)}</div>' if column.foot else ""
    name = escaped(column.name)
    return (
        f'<div class="way"><div class="name">{name}</div>{_place(column)}'
        f'<ol aria-label="{name}">{hits}</ol>{foot}</div>'
    )


def _place(column: HitColumn) -> str:
    """Return the right text's rank as a number, and as a dot on a line."""
    if column.rank is None:
        return ""
    share = (column.rank - 1) / max(1, column.n - 1)
    place = escaped(column.place)
    return (
        f'<div class="rank" role="img" aria-label="{place}" title="{place}">'
        f"<b>{formatted(column.rank, 'g')}</b> / {formatted(column.n, ',')}"
        f'<div class="line"><i style="left:{100 * share:.1f}%"></i></div></div>'
    )


def _hit(hit: FoundText, grades: Sequence[str], shared: Set[str]) -> str:
    mark = ""
    if hit.grade is not None:
        sign, colour = MARKS[hit.grade]
        name = escaped(grades[hit.grade])
        mark = (
            f'<span class="mark" role="img" aria-label="{name}" title="{name}"'
            f' style="color:{as_ink(colour)}">{sign}</span>'
        )
    return (
        f'<li>{mark}<span class="found">{_tinted(hit.text, shared)}</span>'
        f'<span class="score">{formatted(hit.score, ".2f")}</span></li>'
    )


def _tinted(text: str, shared: Set[str]) -> str:
    """Return a text as HTML, with a tint on the words that are shared."""
    text, parts, end = printable(text, LONGEST_HIT), [], 0
    for word in WORD.finditer(text):
        if word.group().lower() in shared:
            before, own = escaped(text[end : word.start()]), escaped(word.group())
            parts.append(f'{before}<span class="shared">{own}</span>')
            end = word.end()
    return "".join([*parts, escaped(text[end:])])
