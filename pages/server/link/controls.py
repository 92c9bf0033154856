"""The controls of each lesson by their keys, as its rows declare them (../course/rows.py).

A part draws a widget as its row says (pages/kit/controls.py); links, locks, seeds and the
teacher's page read the row without drawing.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from mlm_core.number_format import current_marks, with_marks
from pages.server.course.language import read_on
from pages.server.course.lessons import FAULTS, PAGES, rows_of
from pages.server.course.rows import OPENING, Control
from pages.server.course.words import read_words

__all__ = ["OPENING", "Control"]
MODEL = "model"
FIGURES, NO = "figures", "no"  # figures=no: the words alone, for one group of a study
PART = "part"  # the picker of a lesson's parts
PRESENTS = "present"  # the parameter of presentation mode
MADE_WITH = "v"  # the parameter with the version of the app that made the link


def title_of(control: Control) -> str:
    """Return what a control is called, in the reader's language."""
    return read_words(control.words).label(control.label, **control.values)


def option_of(control: Control, name: str) -> str:
    """Return what an option is called; a name is called as it is, a number as readers write it."""
    if name in control.plain_options:
        return with_marks(name, current_marks())
    options = control.options
    return read_words(control.words).plain(options[name]) if name in options else name


def part_key(slug: str) -> str:
    """Return the key of the picker of a lesson's parts."""
    return f"{slug}_{PART}"


def controls_of(slug: str, language: str = "") -> dict[str, Control]:
    """Return a page's controls by their keys: the model's first, then the parts', then all.

    They begin as in a language that is read, at first the page's.
    """
    return _controls(slug, language or read_on(slug))


@cache
def _controls(slug: str, language: str) -> dict[str, Control]:
    of_frame = (
        Control(kind="listed", name=MODEL, words="frame", label="model"),
        Control(kind="choice", name=PART, slug=slug, words="frame", label="parts"),
    )
    rows = rows_of(slug).CONTROLS if slug in PAGES.keys() - FAULTS.keys() else ()
    own = (_of_lesson(row, slug, language) for row in rows)
    return {control.key: control for control in (*of_frame, *own)}


def _of_lesson(row: Control, slug: str, language: str) -> Control:
    """Return a row with its lesson's name, also in what it says of others, and with its start."""

    def named(when: Mapping[str, str]) -> dict[str, str]:
        return {f"{slug}_{name}": option for name, option in when.items()}

    elsewhere = {
        part: {what: named(says) if what == "when" else says for what, says in other.items()}
        for part, other in row.elsewhere.items()
    }
    return replace(
        row,
        slug=slug,
        words=row.words or slug,
        start=row.start_in.get(language, row.start),
        values=row.values_in.get(language, row.values),
        when=named(row.when),
        shared_by=tuple(f"{slug}_{name}" for name in row.shared_by),
        elsewhere=elsewhere,
    )


def drawn_at(slug: str, part: str, value: Callable[[Control], str | None]) -> set[str]:
    """Return the keys of the controls that a view draws; `value` gives what a control shows.

    Their place is open, and what brings them is chosen.
    """
    known = controls_of(slug)
    return {
        key
        for key, control in known.items()
        if {OPENING, part} & set(control.at)
        and all(
            other in known and value(known[other]) == name
            for other, name in control.of(part).when.items()
        )
    }
