"""Words with a list of tags under each, twice: gold and predicted, both to be changed by hand."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from mlm_core.figures.theme import FONT, TOKEN_FONT, VERMILION, escaped
from pages.kit.element import element

LONGEST_WORD = 24  # letters that are drawn
_STYLE = f"""
.tag-grid {{ color: var(--st-text-color); font-family: {FONT}; }}
.tag-grid > div {{ display: flex; flex-wrap: wrap; gap: .8rem .2rem; position: relative;
  padding: 3px 3px 3px 4.9rem; }}
.tag-grid .column {{ display: grid; grid-template-rows: 1.6rem 2.1rem 2.1rem; gap: .2rem;
  align-items: center; justify-items: center; }}
.tag-grid .cell {{ display: block; }}
.tag-grid .row-name {{ position: absolute; left: 0; padding-top: .35rem; font-size: .85rem;
  background: var(--st-background-color, Canvas); }}
.tag-grid .word {{ white-space: pre; }}
.tag-grid select {{ font: inherit; font-family: {TOKEN_FONT}; font-size: .82rem; padding: .2rem 0;
  max-width: 7rem; height: 2.1rem; color: var(--st-text-color); cursor: pointer;
  background: var(--st-secondary-background-color); border: 1px solid var(--st-border-color);
  border-radius: .4rem; }}
.tag-grid select.outside {{ opacity: .75; background: transparent; }}
.tag-grid select.differs {{ border: 2.5px solid {VERMILION}; opacity: 1; }}
.tag-grid select.fault {{ border: 2.5px dashed {VERMILION}; opacity: 1; font-weight: 700; }}
.tag-grid select:focus-visible {{ outline: 3px solid var(--st-primary-color);
  outline-offset: 1px; }}
"""
_grid = element(__file__, '<div class="tag-grid"></div>', style=_STYLE, packs=True, of_figure=True)


def tag_grid(
    words: Sequence[str],
    rows: Mapping[str, Sequence[str]],
    *,
    key: str,
    tags: Sequence[str],
    faults: Sequence[Collection[int]],
    on_edit: Callable[[int, int, str], None],
    disabled: bool = False,
) -> None:
    """Show the rows; `on_edit` gets the row, the word and its new tag, before the rerun.

    `faults` are for each row the words whose tag breaks a rule.
    """

    def report(sent: Any) -> None:
        edited = read_edit(sent)
        if edited is not None:
            row, word, tag = edited
            if 0 <= row < len(rows) and 0 <= word < len(words) and tag in tags:
                on_edit(row, word, tag)

    html = grid_html(words, rows, tags=tags, faults=faults, disabled=disabled)
    _grid(key, html, edited=report)


def read_edit(sent: Any) -> tuple[int, int, str] | None:
    """Return what a browser sent, which can be anything: row, word and tag, or None.

    >>> read_edit('[1, 0, "B-PER"]'), read_edit('[1, "0", "B-PER"]')
    ((1, 0, 'B-PER'), None)
    """
    try:
        row, word, tag = json.loads(sent)
    except (ValueError, TypeError, RecursionError):
        return None
    is_edit = type(row) is int and type(word) is int and isinstance(tag, str)
    return (row, word, tag) if is_edit else None


def grid_html(
    words: Sequence[str],
    rows: Mapping[str, Sequence[str]],
    *,
    tags: Sequence[str],
    faults: Sequence[Collection[int]],
    disabled: bool = False,
) -> str:
    """Return the grid: a column a word, a list a tag. Where the rows differ, the last is framed."""
    off = " disabled" if disabled else ""
    parts = []
    first, *_, last = rows.values()
    for i, word in enumerate(words):
        lists = []
        for k, (name, row) in enumerate(rows.items()):
            look = ["outside"] if row[i] == "O" else []
            look += ["differs"] if k and first[i] != last[i] else []
            look += ["fault"] if i in faults[k] else []
            options = "".join(
                f"<option{' selected' if tag == row[i] else ''}>{escaped(tag)}</option>"
                for tag in tags
            )
            lists.append(
                # Every word carries the row's name, laid over each other at the left end of its
                # line: so each line has it, wherever the browser breaks the sentence.
                f'<span class="cell"><span class="row-name" aria-hidden="true">{escaped(name)}'
                f'</span><select class="{" ".join(look)}" data-at="{k},{i}"'
                f' aria-label="{escaped(name)}: {escaped(word)}"{off}>{options}</select></span>'
            )
        shown = f'<span class="word" title="{escaped(word)}">{escaped(word, LONGEST_WORD)}</span>'
        parts.append(f'<div class="column">{shown}{"".join(lists)}</div>')
    return f"<div>{''.join(parts)}</div>"
