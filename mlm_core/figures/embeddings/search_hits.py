"""What several ways of searching find for one query, side by side, the best hit first.

In each column the right text is a green dot on a scale from the first rank to the last, with its
rank as a large number. A hit whose grade is known has a mark: the same, related, unrelated. Words
that a hit shares with the query are tinted, and so is a text that several ways find, with a letter:
one tint is one text, the right one's is green. Of each list the first hits are open.

Read before this: ../theme.py, ../../search/graded_pairs.py, ../../search/tf_idf.py.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from mlm_core.figures.theme import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    as_ink,
    escaped,
    printable,
    tint,
)
from mlm_core.number_format import formatted
from mlm_core.search.tf_idf import WORD

LONGEST_HIT = 110  # characters; the whole is in the page's table
N_OPEN = 2  # hits of a list
TINTS = (PURPLE, SKY, ORANGE, VERMILION, BLUE)  # of texts that several ways find
MARKS = {0: ("✗", VERMILION), 1: ("≈", ORANGE), 2: ("✓", GREEN)}  # by grade

STYLE = f"""
.hits {{ display: grid; gap: .3rem 1rem; container-type: inline-size; font-size: .84rem;
  line-height: 1.3; }}
.hits .ways {{ display: grid; gap: .5rem 1.1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(9.5rem, 100%), 1fr)); }}
.hits .query {{ font-size: 1rem; font-weight: 600; }}
.hits .name {{ font-weight: 700; border-bottom: 2px solid {GREY}; margin-bottom: .15rem; }}
.hits ol {{ list-style: none; margin: 0; padding: 0; }}
.hits li {{ display: flex; gap: .35rem; padding: .16rem .3rem; margin-bottom: 2px;
  border-left: 4px solid var(--of, rgba(127,136,150,.35));
  background: color-mix(in srgb, var(--of, transparent) 14%, transparent); }}
.hits .score {{ font-variant-numeric: tabular-nums; }}
.hits .found {{ flex: 1; overflow-wrap: anywhere; }}
.hits :is(.mark, .letter) {{ font-weight: 700; }}
.hits .shared {{ background: {tint(BLUE, 30)}; border-radius: 3px; }}
.hits summary {{ cursor: pointer; padding: .16rem .3rem; min-height: 24px; }}
.hits .rank {{ position: relative; height: 7rem; margin: 1.1rem 0 1rem 2.2rem;
  border-left: 2px solid {GREY}; font-variant-numeric: tabular-nums; }}
.hits .rank > * {{ position: absolute; top: var(--at); transform: translateY(-50%); }}
.hits .rank b {{ left: 1rem; font-size: 1.75rem; line-height: 1; }}
.hits .rank i {{ left: calc(-.5rem - 1px); width: 1rem; height: 1rem; border-radius: 50%;
  background: {GREEN}; }}
.hits .rank small {{ right: calc(100% + .7rem); opacity: .85; }}
.hits .rank small:last-child {{ --at: 100%; }}
.hits .rank small {{ --at: 0%; }}
.hits .foot {{ margin-top: .15rem; font-style: italic; }}
.hits .new {{ outline: 2px solid {BLUE}; outline-offset: .3rem; border-radius: .2rem; }}
@container (max-width: 560px) {{ .hits .new {{ order: -1; }} }}
@media (prefers-reduced-motion: no-preference) {{
  .hits .new {{ animation: slide-in .6s ease-out; }}
  .hits .rank > :is(b, i) {{ transition: top .4s ease-in-out; }}
}}
@keyframes slide-in {{ from {{ transform: translateX(4rem); opacity: 0; }} }}
"""


Looks = Mapping[str, tuple[str, str]]  # letter and tint of a text that several ways find


@dataclass(frozen=True, kw_only=True)
class FoundText:
    """One text that was found."""

    text: str
    score: float | None = None  # None: not shown
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
    is_new: bool = False  # has a frame


def hits_html(
    query: str, columns: Sequence[HitColumn], grades: Sequence[str], *, more: str, alt: str
) -> str:
    """Return the columns as HTML; `grades` are the marks' names, from 0 to 2.

    `more` is what opens the rest of a list.
    """
    shared = set(WORD.findall(query.lower()))
    times = Counter(hit.text for column in columns for hit in column.hits if hit.grade != 2)
    several = [text for text, n in times.items() if n > 1]
    looks = dict(zip(several, zip("ABCDE", TINTS, strict=True), strict=False))
    ways = "".join(_column(column, grades, shared, looks, more) for column in columns)
    return (
        f'<div class="hits" role="group" aria-label="{escaped(alt)}">'
        f'<div class="query">{escaped(query, LONGEST_HIT)}</div>'
        f'<div class="ways">{ways}</div></div>'
    )


def _column(
    column: HitColumn, grades: Sequence[str], shared: Set[str], looks: Looks, more: str
) -> str:
    hits = [_hit(hit, grades, shared, looks) for hit in column.hits]
    foot = f'<div class="foot">{escaped(column.foot)}</div>' if column.foot else ""
    name, is_new = escaped(column.name), " new" if column.is_new else ""
    rest = f"<details><summary>{escaped(more)}</summary><ol>{''.join(hits[N_OPEN:])}</ol></details>"
    return (
        f'<div class="way{is_new}"><div class="name">{name}</div>{_place(column)}'
        f'<ol aria-label="{name}">{"".join(hits[:N_OPEN])}</ol>'
        f"{rest if hits[N_OPEN:] else ''}{foot}</div>"
    )


def _place(column: HitColumn) -> str:
    """Return the right text's rank as a dot on a scale, and as a number."""
    if column.rank is None:
        return ""
    share = (column.rank - 1) / max(1, column.n - 1)
    place = escaped(column.place)
    return (
        f'<div class="rank" role="img" aria-label="{place}" title="{place}"'
        f' style="--at:{100 * share:.1f}%"><i></i><b>{formatted(column.rank, "g")}</b>'
        f"<small>1</small><small>{formatted(column.n, ',')}</small></div>"
    )


def _hit(hit: FoundText, grades: Sequence[str], shared: Set[str], looks: Looks) -> str:
    mark, (letter, of) = "", looks.get(hit.text, ("", GREEN if hit.grade == 2 else ""))
    style = f' style="--of:{of}"' if of else ""
    if letter:
        mark = f'<span class="letter">{letter}</span>'
    if hit.grade is not None:
        sign, colour = MARKS[hit.grade]
        name = escaped(grades[hit.grade])
        mark += (
            f'<span class="mark" role="img" aria-label="{name}" title="{name}"'
            f' style="color:{as_ink(colour)}">{sign}</span>'
        )
    score = "" if hit.score is None else formatted(hit.score, ".2f")
    return (
        f'<li{style}>{mark}<span class="found">{_tinted(hit.text, shared)}</span>'
        f'<span class="score">{score}</span></li>'
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
