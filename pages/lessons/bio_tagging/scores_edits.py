"""The two rows of tags as they were changed by hand, with undo, in the session and the link.

link    jane/BIO/B-PER,I-PER,O/B-PER,O,O       case, scheme, gold, predicted
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from mlm_core.tagging.bio_tags import Scheme, decode, encode
from pages.kit.part import Part
from pages.lessons.bio_tagging.scores_cases import Case

TAGS = "tags"  # the control
EDITED = "edited"  # session state: what was changed, by case
MOST_KEPT = 50  # steps back, and cases
Rows = tuple[tuple[str, ...], tuple[str, ...]]  # gold, predicted


@dataclass(frozen=True, kw_only=True)
class Edited:
    """Changed rows, and the rows before each change."""

    scheme: Scheme
    rows: Rows
    before: tuple[Rows, ...] = ()


def current(p: Part, case: Case, scheme: Scheme, tags: tuple[str, ...]) -> Edited:
    """Return the rows of a case: as they were changed here, or by the link, or untouched."""
    is_fixed = p.is_fixed(TAGS)
    is_of_link = is_fixed or p.is_asked(TAGS)
    kept = None if is_of_link else p.state.setdefault(EDITED, {}).get(_name(case))
    if kept is None:
        kept = Edited(scheme=scheme, rows=(case.gold, case.predicted))
        linked = _from_link(p, case, scheme, tags) if is_of_link else None
        if linked is not None:
            kept = replace(kept, rows=linked, before=() if is_fixed else (kept.rows,))
            p.state.setdefault(EDITED, {})[_name(case)] = kept
    elif kept.scheme != scheme:
        if not kept.before:
            kept = Edited(scheme=scheme, rows=(case.gold, case.predicted))
        else:
            rows = _in_scheme(kept.rows, kept.scheme, scheme)
            kept = Edited(scheme=scheme, rows=rows, before=((case.gold, case.predicted),))
        p.state[EDITED][_name(case)] = kept
    _to_link(p, case, kept)
    return kept


def changer(p: Part, case: Case, edited: Edited) -> Callable[[int, int, str], None]:
    """Return what changes one tag, for the grid."""

    def change(row: int, word: int, tag: str) -> None:
        rows = [list(tags) for tags in edited.rows]
        rows[row][word] = tag
        before = (*edited.before, edited.rows)[-MOST_KEPT:]
        new = replace(edited, rows=(tuple(rows[0]), tuple(rows[1])), before=before)
        _keep(p, case, new)

    return change


def undo(p: Part, case: Case, edited: Edited) -> None:
    """Take the last change back."""
    if edited.before:
        _keep(p, case, replace(edited, rows=edited.before[-1], before=edited.before[:-1]))


def reset(p: Part, case: Case) -> None:
    """Give a case its own tags again."""
    if not p.is_fixed(TAGS):
        p.state.get(EDITED, {}).pop(_name(case), None)
    p.reset(TAGS)


def _keep(p: Part, case: Case, edited: Edited) -> None:
    if not p.choose(TAGS, _written(case, edited)):
        return
    kept = p.state.setdefault(EDITED, {})
    kept.pop(_name(case), None)
    kept[_name(case)] = edited
    for oldest in list(kept)[:-MOST_KEPT]:
        del kept[oldest]


def _name(case: Case) -> tuple[object, ...]:
    return case.name, case.source, case.words, case.marks


def _in_scheme(rows: Rows, before: Scheme, scheme: Scheme) -> Rows:
    """Return the same spans, as conlleval reads them, in another scheme's tags."""
    gold, predicted = (encode(decode(row, before, "conlleval"), len(row), scheme) for row in rows)
    return gold, predicted


def _from_link(p: Part, case: Case, scheme: Scheme, tags: tuple[str, ...]) -> Rows | None:
    parts = (p.drawn_value(TAGS) or "").split("/")
    if len(parts) != 4 or parts[:2] != [case.name, scheme]:
        return None
    rows = tuple(tuple(part.split(",")) for part in parts[2:])
    is_fitting = all(len(row) == len(case.words) and set(row) <= set(tags) for row in rows)
    return (rows[0], rows[1]) if is_fitting else None


def _to_link(p: Part, case: Case, edited: Edited) -> None:
    is_usual = edited.rows == (case.gold, case.predicted)
    p.write_to_link(TAGS, "" if is_usual else _written(case, edited))


def _written(case: Case, edited: Edited) -> str:
    return "/".join([case.name, edited.scheme, *(",".join(row) for row in edited.rows)])
