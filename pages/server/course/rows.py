"""A lesson's row and the rows of its controls: data that is read without drawing anything.

    LESSON = Lesson(slug="attention_mask", opening=("contrast",), parts=("flow", "cost"), ...)
    CONTROLS = (
        text("first", at=OPENING),
        choice("count", ("scores", "products", "bytes"), at="cost"),
        slider("n", 16, 1024, 256, step=16, at="cost"),
    )

A widget's name with the lesson's before it is its key and its parameter in the link. Its label
has that name among the lesson's words; an option's is `<label>_<option>`, and that of the text
that a line begins with is `default_<label>`. Numbers and names are `plain_options`, which have
no label.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Options = tuple[str, ...] | Mapping[str, str]  # by name; with labels that are not as usual
OPENING = "opening"  # place of the controls above a lesson's parts


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One lesson, or another page. A lesson's words are in its folder, by language.

    Each name in `opening` and `parts` is a file of the folder with a function `show`; the title of
    a part is the label part_<name>.
    """

    slug: str  # its URL and the prefix of its link parameters
    file: str = ""  # its page; of a lesson from elsewhere its lesson.py, without being named
    icon: str  # Material symbol
    opening: tuple[str, ...] = ()  # shown always, one below the other
    parts: tuple[str, ...]  # one at a time is shown below, in this order
    # Parts that there once were, and those where their subject is now: "part", or "page/part".
    moved: Mapping[str, str] = field(default_factory=dict, hash=False)
    # By part, or OPENING: the version since which a link shows other numbers or controls.
    changed: Mapping[str, str] = field(default_factory=dict, hash=False)
    # By part: what is true where the host offers it; all others are always there.
    offered: Mapping[str, Callable[[], object]] = field(default_factory=dict, hash=False)
    core: tuple[str, ...] = ()  # the parts of the core way through the course; the rest is "more"
    # Of the opening, the core parts, "In short" and one exercise, as tests/pages/test_overview.py
    # counts them from the words and controls that these show.
    minutes: int = 0
    notebook: str | None = None  # of docs/notebooks, on the same subject
    # Languages that its examples are in, apart from the first one (language.py).
    examples_in: tuple[str, ...] = ()
    # By exercise: the part, or the opening, that shows what the exercise asks.
    views: Mapping[str, str] = field(default_factory=dict, hash=False)
    # What a learner's sentence from elsewhere sets here, by control; None where it doesn't fit. If
    # not given, it is the text of the first line that `carries` one.
    fits: Callable[[str], Mapping[str, str] | None] | None = None
    number: int | None = None  # in the course, from 1; None for a page that is no lesson


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
    plain_options: tuple[str, ...] = ()  # called as they are: numbers, and names such as BIO
    follows: str = ""  # the control of the opening whose value it has until it has another
    default: str = ""  # the label that a line to type in begins with, if not default_<label>
    lowest: float | None = None
    highest: float | None = None
    step: float | None = None
    start: Any = None  # with the bundled model; None where words say it
    start_in: Mapping[str, Any] = field(default_factory=dict)  # by language read, if not `start`
    shared_by: tuple[str, ...] = ()  # texts to type in: the words of all are its options
    points: bool = True  # if drawn or typed: it is, or points at, what the model reads
    about: str = ""  # if drawn: the text that it is or points at, which may be a learner's own
    asks: bool = False  # it takes a guess, so it stays where the words are shown alone
    carries: bool = False  # if a line: it has the learner's sentence, which other lessons offer
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
        is_text = self.kind in ("drawn", "text", "area", "position")
        return self.points and (is_text or bool(self.start_in))

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


def exercises(start: str, *, uses_text: str = "") -> tuple[Control, ...]:
    """Declare the choice of an exercise, and the line of the one that asks about a sentence."""
    shared = {"at": "exercises", "words": "exercises"}
    which = choice("exercise_which", label="choose", start=start, **shared)
    when = {} if uses_text == start else {"exercise_which": uses_text}
    sentence = text("exercise_text", label="text", when=when, **shared)
    return (which, sentence) if uses_text else (which,)


def _numbers(numbers: tuple[Any, ...]) -> dict[str, object]:
    return dict(zip(("lowest", "highest", "start"), numbers or (None,) * 3, strict=True))


def _named(kind: str, name: str, options: Options, at: str, more: dict[str, Any]) -> Control:
    if isinstance(options, str):
        raise TypeError(f"the options of {name!r} are no tuple: put a comma behind a single one")
    label = more.pop("options_label", more.get("label", name))
    if not isinstance(options, Mapping):
        options = {option: f"{label}_{option}" for option in options}
    start = {"start": next(iter(options))} if options else {}
    return _row(kind, name, at, options=options, **start | more)
