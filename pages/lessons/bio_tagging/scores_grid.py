"""Words with a list of tags under each, twice: gold and predicted, both to be changed by hand."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from mlm_core.figures.theme import FONT, TOKEN_FONT, VERMILION, escaped
from pages.lessons.bio_tagging.scores_cases import Case
from pages.server.figures import sent_code
from pages.server.link import inputs, locks

if TYPE_CHECKING:
    from mlm_core.tagging.bio_tags import Scheme

LONGEST_WORD = 24  # letters that are drawn
_SCRIPT = """
export default async function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const box = parentElement.querySelector(".tag-grid");
  box.newest = data;
  const html = await unpack(data);
  if (box.newest !== data) return;
  const inside = box.getRootNode().activeElement;
  const focused = inside && box.contains(inside) ? inside.getAttribute("data-at") : null;
  box.innerHTML = html;
  if (focused !== null) box.querySelector(`[data-at="${focused}"]`)?.focus();
  box.onchange = (event) => {
    const at = event.target.getAttribute("data-at").split(",").map(Number);
    setTriggerValue("edited", JSON.stringify([...at, event.target.value]));
  };
}
"""
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
_mount = st.components.v2.component(
    "mlm_tag_grid",
    html='<div class="tag-grid"></div>',
    css=_STYLE,
    js=sent_code.packed_script(_SCRIPT),
)
TAGS = "bio_tagging_tags"  # the link's parameter
EDITED = "bio_tagging_edited"  # session state: what was changed, by case
MOST_KEPT = 50  # steps back, and cases
Rows = tuple[tuple[str, ...], tuple[str, ...]]  # gold, predicted


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

    def report() -> None:
        edited = read_edit(st.session_state[key].edited)
        if edited is not None:
            row, word, tag = edited
            if 0 <= row < len(rows) and 0 <= word < len(words) and tag in tags:
                on_edit(row, word, tag)

    html = grid_html(words, rows, tags=tags, faults=faults, disabled=disabled)
    _mount(key=key, data=sent_code.packed(html), on_edited_change=report)


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


# The two rows of tags as they stand now: what was changed by hand, in the session and the link.
#
# link    jane/BIO/B-PER,I-PER,O/B-PER,O,O       case, scheme, gold, predicted


@dataclass(frozen=True, kw_only=True)
class Edited:
    """Changed rows, and the rows before each change."""

    scheme: "Scheme"
    rows: Rows
    before: tuple[Rows, ...] = ()


def current(case: Case, scheme: "Scheme", tags: tuple[str, ...]) -> Edited:
    """Return the rows of a case: as they were changed here, or by the link, or untouched."""
    is_fixed = locks.is_fixed(TAGS)
    is_of_link = is_fixed or inputs.is_asked(TAGS)
    kept = None if is_of_link else st.session_state.setdefault(EDITED, {}).get(_name(case))
    if kept is None:
        kept = Edited(scheme=scheme, rows=(case.gold, case.predicted))
        linked = _from_link(case, scheme, tags) if is_of_link else None
        if linked is not None:
            kept = replace(kept, rows=linked, before=() if is_fixed else (kept.rows,))
            st.session_state.setdefault(EDITED, {})[_name(case)] = kept
    elif kept.scheme != scheme:
        if not kept.before:
            kept = Edited(scheme=scheme, rows=(case.gold, case.predicted))
        else:
            rows = _in_scheme(kept.rows, kept.scheme, scheme)
            kept = Edited(scheme=scheme, rows=rows, before=((case.gold, case.predicted),))
        st.session_state[EDITED][_name(case)] = kept
    _to_link(case, kept)
    return kept


def changer(case: Case, edited: Edited) -> Callable[[int, int, str], None]:
    """Return what changes one tag, for the grid."""

    def change(row: int, word: int, tag: str) -> None:
        rows = [list(tags) for tags in edited.rows]
        rows[row][word] = tag
        before = (*edited.before, edited.rows)[-MOST_KEPT:]
        new = replace(edited, rows=(tuple(rows[0]), tuple(rows[1])), before=before)
        _keep(case, new)

    return change


def undo(case: Case, edited: Edited) -> None:
    """Take the last change back."""
    if edited.before:
        _keep(case, replace(edited, rows=edited.before[-1], before=edited.before[:-1]))


def reset(case: Case) -> None:
    """Give a case its own tags again."""
    if not locks.is_fixed(TAGS):
        st.session_state.get(EDITED, {}).pop(_name(case), None)
    inputs.reset(TAGS)


def _keep(case: Case, edited: Edited) -> None:
    if not inputs.choose(TAGS, _written(case, edited)):
        return
    kept = st.session_state.setdefault(EDITED, {})
    kept.pop(_name(case), None)
    kept[_name(case)] = edited
    for oldest in list(kept)[:-MOST_KEPT]:
        del kept[oldest]


def _name(case: Case) -> tuple[object, ...]:
    return case.name, case.source, case.words, case.marks


def _in_scheme(rows: Rows, before: "Scheme", scheme: "Scheme") -> Rows:
    """Return the same spans, as conlleval reads them, in another scheme's tags."""
    from mlm_core.tagging.bio_tags import decode, encode

    gold, said = (encode(decode(row, before, "conlleval"), len(row), scheme) for row in rows)
    return gold, said


def _from_link(case: Case, scheme: "Scheme", tags: tuple[str, ...]) -> Rows | None:
    parts = (inputs.drawn_value(TAGS, "") or "").split("/")
    if len(parts) != 4 or parts[:2] != [case.name, scheme]:
        return None
    rows = tuple(tuple(part.split(",")) for part in parts[2:])
    is_fitting = all(len(row) == len(case.words) and set(row) <= set(tags) for row in rows)
    return (rows[0], rows[1]) if is_fitting else None


def _to_link(case: Case, edited: Edited) -> None:
    is_usual = edited.rows == (case.gold, case.predicted)
    inputs.keep(TAGS, "" if is_usual else _written(case, edited), "")


def _written(case: Case, edited: Edited) -> str:
    return "/".join([case.name, edited.scheme, *(",".join(row) for row in edited.rows)])
