"""The controls of each lesson as data: what a widget is called, begins with, and where it stands.

    CONTROLS = (
        text("first", at=OPENING),
        choice("count", ("scores", "products", "bytes"), at="cost"),
        slider("n", 16, 1024, 256, step=16, at="cost"),
    )

A lesson has one such table, pages/parts/<lesson>/controls.py. A part draws a widget as its row says
(pages/shared/kit/part.py); links, locks, seeds and the teacher's page read the row without drawing.
A widget's name with the lesson's before it is its key and its parameter in the link. Its label
has that name among the lesson's words; an option's is `<label>_<option>`, and that of the text
that a line begins with is `default_<label>`.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from pages.shared.course.language import read_on
from pages.shared.course.lessons import BY_SLUG, HOME
from pages.shared.course.words import read_words

Options = tuple[str, ...] | Mapping[str, str]  # by name; with labels that are not as usual
OPENING = "opening"  # place of the controls above a lesson's parts
MODEL = "model"
PRESENTS = "present"  # the parameter of presentation mode


@dataclass(frozen=True, kw_only=True)
class Control:
    """One widget of a lesson."""

    kind: str
    name: str
    at: tuple[str, ...] = ()  # OPENING, or the parts that draw it
    label: str  # its key among the words
    words: str = ""  # the file that has them, if not the lesson's
    values: Mapping[str, object] = field(default_factory=dict)  # filled into the label
    # By language read, if not `values`.
    values_in: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    # By name with their labels; none where they depend on what is computed.
    options: Mapping[str, str] = field(default_factory=dict)
    follows: str = ""  # the control of the opening whose value it has until it has another
    default: str = ""  # the label that a line to type in begins with, if not default_<label>
    lowest: float | None = None
    highest: float | None = None
    step: float | None = None
    start: Any = None  # with the bundled model; None where words say it
    start_in: Mapping[str, Any] = field(default_factory=dict)  # by language read, if not `start`
    points: bool = True  # if drawn: at something in a text
    about: str = ""  # if drawn: the text that it is or points at, which may be a learner's own
    when: Mapping[str, str] = field(default_factory=dict)  # the options of others that bring it
    # By part: kind, start, label or condition that it has there instead.
    elsewhere: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    slug: str = ""  # of its lesson; none for what every page has

    @property
    def key(self) -> str:
        """Return the key of the widget, and of its parameter in the link."""
        return f"{self.slug}_{self.name}" if self.slug else self.name

    @property
    def is_text(self) -> bool:
        """Return whether it is a line to type in."""
        return self.kind == "text"

    @property
    def label_of_example(self) -> str:
        """Return the label of the text that a line to type in begins with."""
        return self.default or f"default_{self.label}"

    @property
    def is_of_text(self) -> bool:
        """Return whether it is, chooses or points at what the model reads."""
        if self.kind == "drawn":
            return self.points
        return self.kind in ("text", "area", "position") or bool(self.start_in)

    @property
    def is_seed(self) -> bool:
        """Return whether it is a number that all draws of a lesson come from."""
        return self.key.endswith("_seed") and not self.key.endswith("_set_seed")

    @property
    def is_dice(self) -> bool:
        """Return whether it keeps dice of the seed that were thrown again, or set by hand."""
        return self.key.endswith("_dice")

    @property
    def written(self) -> str | None:
        """Return what it begins with as a link writes it; None where words say it."""
        if isinstance(self.start, tuple):
            return ", ".join(map(str, self.start))
        return str(self.start).lower() if isinstance(self.start, bool) else _text(self.start)

    def of(self, part: str) -> "Control":
        """Return the control as one part draws it."""
        return replace(self, **self.elsewhere.get(part, {}))

    def option(self, name: str) -> str:
        """Return what an option is called; a number or a name is called as it is."""
        words = read_words(self.words)
        return words.plain(self.options[name]) if name in self.options else name

    def title(self) -> str:
        """Return what the widget is called, in the reader's language."""
        return read_words(self.words).label(self.label, **self.values)


def _text(start: object) -> str | None:
    return None if start is None else str(start)


def _row(kind: str, name: str, at: str, **more: Any) -> Control:
    more.setdefault("label", name)
    return Control(kind=kind, name=name, at=tuple(at.split()), **more)


def text(name: str, *, at: str, **more: Any) -> Control:
    """Declare a line to type in; it begins with the lesson's label `default_<label>`."""
    return _row("text", name, at, **more)


def area(name: str, *, at: str, **more: Any) -> Control:
    """Declare a field of several lines."""
    return _row("area", name, at, **more)


def choice(name: str, options: Options = (), /, *, at: str, **more: Any) -> Control:
    """Declare named options side by side, the first to begin with unless `start` says another."""
    return _named("choice", name, options, at, more)


def listed(name: str, options: Options = (), /, *, at: str, **more: Any) -> Control:
    """Declare named options as a list to open."""
    return _named("listed", name, options, at, more)


def step(name: str, options: Options = (), /, *, at: str, **more: Any) -> Control:
    """Declare named options along a slider, from small to large."""
    return _named("step", name, options, at, more)


def played(name: str, *, at: str, **more: Any) -> Control:
    """Declare named options that are the stops of a film."""
    return _row("played", name, at, **more)


def several(name: str, *, at: str, **more: Any) -> Control:
    """Declare named options of which some may be chosen."""
    return _row("several", name, at, **more)


def position(name: str, *, at: str, **more: Any) -> Control:
    """Declare a list of the tokens of a text, of which one is chosen."""
    return _row("position", name, at, **more)


def slider(name: str, /, *numbers: Any, at: str, **more: Any) -> Control:
    """Declare numbers along a line: the lowest, the highest, the start."""
    return _row("slider", name, at, **_numbers(numbers) | more)


def number(name: str, /, *numbers: int, at: str, **more: Any) -> Control:
    """Declare a field for a whole number: the lowest, the highest, the start."""
    return _row("number", name, at, **_numbers(numbers) | more)


def toggle(name: str, start: bool = False, /, *, at: str, **more: Any) -> Control:
    """Declare a switch."""
    return _row("toggle", name, at, start=start, **more)


def drawn(name: str, *, at: str, **more: Any) -> Control:
    """Declare a text that clicks and buttons change: a drawn mask, dice, marks."""
    return _row("drawn", name, at, **more)


def _numbers(numbers: tuple[Any, ...]) -> dict[str, object]:
    return dict(zip(("lowest", "highest", "start"), numbers or (None,) * 3, strict=True))


def _named(kind: str, name: str, options: Options, at: str, more: dict[str, Any]) -> Control:
    label = more.pop("options_label", more.get("label", name))
    if not isinstance(options, Mapping):
        options = {option: f"{label}_{option}" for option in options}
    start = {"start": next(iter(options))} if options else {}
    return _row(kind, name, at, options=options, **start | more)


def part_key(slug: str) -> str:
    """Return the key of the picker of a lesson's parts."""
    return f"{slug}_part"


def controls_of(slug: str, language: str = "") -> dict[str, Control]:
    """Return a page's controls by their keys: the model's first, then the parts', then all.

    They begin as in a language that is read, at first the page's. Pages beside the lessons, but
    for home, have no further ones.
    """
    return _controls(slug, language or read_on(slug))


@cache
def _controls(slug: str, language: str) -> dict[str, Control]:
    of_frame = (
        Control(kind="listed", name=MODEL, words="frame", label="model"),
        Control(kind="choice", name="part", slug=slug, words="frame", label="parts"),
    )
    if slug not in BY_SLUG and slug != HOME:
        return {control.key: control for control in of_frame}
    rows = importlib.import_module(f"pages.parts.{slug}.controls").CONTROLS
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
