"""Words with one or more rows of tags under them, some tags highlighted.

A highlighted tag has a frame, an exclamation mark and its reason as a tooltip.

Read before this: ../chips.py. Read next: tag_distribution.py
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mlm_core.figures.theme import FONT, GREY, TOKEN_FONT, VERMILION, as_ink, escaped

LONGEST_WORD = 24  # letters that are drawn

STYLE = f"""
.tag-rows {{ position: relative; display: flex; flex-wrap: wrap; gap: .7rem .5rem;
  padding-left: 4.9rem; font-family: {TOKEN_FONT};
  font-size: .85rem; line-height: 1.5; }}
.tag-rows .column {{ display: grid; grid-auto-rows: 1.75rem; align-items: center;
  justify-items: center; row-gap: 2px; }}
.tag-rows .row-name {{ position: absolute; left: 0; font-family: {FONT};
  background: var(--st-background-color, Canvas); }}
.tag-rows .word {{ font-family: {FONT}; font-size: 1rem; white-space: pre; }}
.tag-rows .tag {{ padding: 0 .35rem; border: 1.5px solid transparent; border-radius: .4rem;
  background: color-mix(in srgb, {GREY} 18%, transparent); white-space: pre; }}
.tag-rows .tag.outside {{ background: transparent; opacity: .75; }}
.tag-rows .tag.lit {{ border: 2px dashed {VERMILION}; font-weight: 700; opacity: 1; }}
.tag-rows .mark {{ color: {as_ink(VERMILION)}; font-weight: 700; }}
"""


@dataclass(frozen=True, kw_only=True)
class LitRow:
    """One row: a tag for each word."""

    name: str
    tags: Sequence[str]
    lit: Mapping[int, str] = field(default_factory=dict)  # word to the reason


def tag_rows(words: Sequence[str], rows: Sequence[LitRow], *, alt: str) -> str:
    """Return words with their tags below, column by column, as HTML that wraps like text.

    Raises ValueError unless each row has a tag for each word.
    """
    for row in rows:
        if len(row.tags) != len(words):
            raise ValueError(
                f"{len(row.tags)} tags in row {row.name!r} for {len(words)} words: give one tag a"
                " word"
            )
    parts = []
    for i, word in enumerate(words):
        # Every word carries the row's name, laid over each other at the left end of its line: so
        # each line has it, wherever the browser breaks the sentence.
        tags = "".join(
            f'<span><span class="row-name" aria-hidden="true">{escaped(row.name)}</span>'
            f"{_tag(row, i)}</span>"
            for row in rows
        )
        shown = f'<span class="word" title="{escaped(word)}">{escaped(word, LONGEST_WORD)}</span>'
        parts.append(f'<div class="column">{shown}{tags}</div>')
    label = escaped(alt)
    return f'<div class="tag-rows" role="group" aria-label="{label}">{"".join(parts)}</div>'


def _tag(row: LitRow, i: int) -> str:
    tag, reason = row.tags[i], row.lit.get(i)
    names = "tag outside" if tag == "O" else "tag"
    if reason is None:
        return f'<span class="{names}" title="{escaped(row.name)}">{escaped(tag)}</span>'
    return (
        f'<span class="{names} lit" title="{escaped(row.name)}: {escaped(reason)}">{escaped(tag)}'
        '<span class="mark"> !</span></span>'
    )
