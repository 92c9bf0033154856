"""The two rows of tags as they stand now: what was changed by hand, in the session and the link.

link    jane/BIO/B-PER,I-PER,O/B-PER,O,O       case, scheme, gold, predicted
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.bio_tagging.scores_cases import Case
from pages.shared import inputs, locks

if TYPE_CHECKING:
    from mlm_core.tagging.bio_tags import Scheme

TAGS = "bio_tagging_tags"  # the link's parameter
EDITED = "bio_tagging_edited"  # session state: what was changed, by case
MOST_KEPT = 50  # steps back, and cases

Rows = tuple[tuple[str, ...], tuple[str, ...]]  # gold, predicted


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
        linked = _from_link(case, scheme, tags)
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


def _name(case: Case) -> tuple[str, ...]:
    return case.name, case.source, *case.words


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
