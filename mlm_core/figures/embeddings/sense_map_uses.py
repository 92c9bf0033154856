"""Sentences with their word marked, and lists of neighbours that can be chosen."""

from collections.abc import Sequence
from dataclasses import dataclass

from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.figures.embeddings.sense_map import MapGroup, mark_svg
from mlm_core.figures.theme import FONT, GREEN, GREY, VERMILION, as_ink, escaped

AROUND = 44  # letters shown on each side of the word in a list
LONGEST = 700  # letters of a sentence that is shown whole

STYLE = f"""
.uses {{ font-family: {FONT}; font-size: .95rem; line-height: 1.45; }}
.uses mark {{ background: rgba(0,114,178,.22); color: inherit; font-weight: 600;
  border-radius: 3px; padding: 0 .15em; }}
.uses ol {{ list-style: none; margin: .2rem 0 .6rem; padding: 0; }}
.uses li {{ margin: 0; }}
.uses .use {{ display: flex; gap: .3rem; align-items: baseline; width: 100%; font: inherit;
  color: inherit; background: transparent; border: 0; border-bottom: 1px solid
  rgba(127,136,150,.25); text-align: left; padding: .28rem .1rem; }}
.uses button.use {{ cursor: pointer; }}
.uses button.use:hover, .uses button.use:focus-visible {{ background: rgba(0,114,178,.10); }}
.uses .number {{ flex: none; font-variant-numeric: tabular-nums; width: 2.6rem; }}
.uses .sign {{ flex: none; width: 1.1rem; font-weight: 700; }}
.uses .group {{ flex: none; }}
.uses .text {{ min-width: 0; overflow-wrap: anywhere; }}
.uses p {{ margin: .1rem 0 .3rem; overflow-wrap: anywhere; }}
.uses svg {{ width: 14px; height: 14px; margin-right: .35rem; vertical-align: -2px;
  overflow: visible; }}
.uses h4 {{ margin: .5rem 0 0; font-size: .9rem; font-weight: 600; }}
"""


@dataclass(frozen=True, kw_only=True)
class ListedUse:
    """One use of the word in a list."""

    sentence: MarkedSentence
    group: MapGroup
    number: str  # what stands before it: a cosine
    is_true: bool | None = None  # a tick, a cross, or neither
    value: str | None = None  # what a click reports
    is_named: bool = False  # the group's name stands beside its mark, where no legend is near


def marked_html(sentence: MarkedSentence, *, around: int | None = None) -> str:
    """Return a sentence with its word marked; `around`: letters kept on each side."""
    before, after = sentence.text[: sentence.start], sentence.text[sentence.end :]
    if around is None:
        around = LONGEST // 2
    if len(before) > around:
        before = "…" + before[-around:]
    if len(after) > around:
        after = after[:around] + "…"
    return f"{escaped(before)}<mark>{escaped(sentence.target, 60)}</mark>{escaped(after)}"


def use_html(sentence: MarkedSentence, group: MapGroup, note: str = "") -> str:
    """Return one use as a whole sentence, under its heading."""
    heading = f"{mark_svg(group)}<b>{escaped(group.name, 40)}</b> {escaped(note)}"
    return f'<div class="uses"><p>{heading}</p><p>{marked_html(sentence)}</p></div>'


def uses_html(lists: Sequence[tuple[str, Sequence[ListedUse]]]) -> str:
    """Return lists of uses, under headings or bare; uses with a value are buttons."""
    parts = []
    for heading, uses in lists:
        rows = "".join(f"<li>{_row(use)}</li>" for use in uses)
        parts.append(f"<h4>{escaped(heading)}</h4>" * bool(heading) + f"<ol>{rows}</ol>")
    return f'<div class="uses">{"".join(parts)}</div>'


def _row(use: ListedUse) -> str:
    sign = ""
    if use.is_true is not None:
        colour, mark = (GREEN, "✓") if use.is_true else (VERMILION, "✗")
        sign = f'<span class="sign" style="color:{as_ink(colour)}">{mark}</span>'
    name = f"<b>{escaped(use.group.name, 20)}</b>" if use.is_named else ""
    inside = (
        f'<span class="number" style="color:{as_ink(GREY)}">{escaped(use.number)}</span>{sign}'
        f'<span class="group" title="{escaped(use.group.name)}">{mark_svg(use.group)}{name}</span>'
        f'<span class="text">{marked_html(use.sentence, around=AROUND)}</span>'
    )
    if use.value is None:
        return f'<div class="use">{inside}</div>'
    return f'<button type="button" class="use" data-value="{escaped(use.value)}">{inside}</button>'
