"""Which controls each lesson has: the widgets whose value is in the link.

A widget is declared once, by the call of inputs.py that draws it. The list, controls.json, is what
all parts of all lessons draw: `make controls` opens them and writes it, and a test
(tests/pages/test_controls.py) opens them again and compares. Titles are keys of the words, so that
they follow the language.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from pages.shared.course.words import read_words

LIST = Path(__file__).with_name("controls.json")
OPENING = "opening"  # place of the controls above a lesson's parts
MODEL = "model"


@dataclass(frozen=True, kw_only=True)
class Control:
    """One widget of a lesson."""

    key: str  # of the widget, and of its parameter in the link
    words: str  # the file that has its label
    label: str  # the label's key there
    values: Mapping[str, object] = field(default_factory=dict)  # filled into the label
    start: str | None = None  # what it shows without a link; None where words say it
    is_text: bool = False  # whether it is a line to type in
    places: tuple[str, ...] = ()  # OPENING, or the names of parts
    options: Mapping[str, str] = field(default_factory=dict)  # "words/label" of each that has one
    when: Mapping[str, str] = field(default_factory=dict)  # other choices that bring it
    # By part: the start, options, label or condition that it has there instead.
    elsewhere: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    @property
    def is_seed(self) -> bool:
        """Return whether it is a number that all draws of a lesson come from."""
        return self.key.endswith("_seed") and not self.key.endswith("_set_seed")

    @property
    def is_dice(self) -> bool:
        """Return whether it keeps dice of the seed that were thrown again, or set by hand."""
        return self.key.endswith("_dice")

    def at(self, part: str) -> "Control":
        """Return the control as one part draws it."""
        return replace(self, **self.elsewhere.get(part, {}))

    def option(self, name: str) -> str:
        """Return what an option is called; a number or a name is called as it is."""
        words, _, label = self.options.get(name, "").partition("/")
        return read_words(words).plain(label) if label else name

    def title(self) -> str:
        """Return what the widget is called, in the reader's language."""
        return read_words(self.words).label(self.label, **self.values)


def part_key(slug: str) -> str:
    """Return the key of the picker of a lesson's parts."""
    return f"{slug}_part"


@cache
def controls_of(slug: str) -> dict[str, Control]:
    """Return a lesson's controls by their keys: the model's first, then the parts', then all."""
    of_frame = (
        Control(key=MODEL, words="frame", label="model"),
        Control(key=part_key(slug), words="frame", label="parts"),
    )
    listed = (
        Control(**one | {"places": tuple(one["places"])})
        for one in json.loads(LIST.read_text(encoding="utf-8")).get(slug, ())
    )
    return {control.key: control for control in (*of_frame, *listed)}


def drawn_at(slug: str, part: str, value: Callable[[Control], str | None]) -> set[str]:
    """Return the keys of the controls that a view draws; `value` gives what a control shows.

    Their place is open, and what brings them is chosen.
    """
    known = controls_of(slug)
    return {
        key
        for key, control in known.items()
        if {OPENING, part} & set(control.places)
        and all(
            other in known and value(known[other]) == name
            for other, name in control.at(part).when.items()
        )
    }
