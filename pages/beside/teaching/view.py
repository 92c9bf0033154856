"""A view of a lesson, read from a link and written as one, and what a teacher changes of it.

Of a link only the last step of its path and its parameters count, so a link from another
address of the app, or from a colleague's server, is as good as one's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from mlm_core.number_format import formatted
from pages.server import VERSION
from pages.server.course.language import IN_LINK as LANGUAGE
from pages.server.course.language import READS, examples_in, languages
from pages.server.course.lessons import BY_SLUG, Lesson, moved_to

# What a link can say, of every lesson and without drawing it: the kit has what its own page says.
from pages.server.link.controls import (
    FIGURES,
    MADE_WITH,
    MODEL,
    NO,
    OPENING,
    Control,
    controls_of,
    drawn_at,
    option_of,
    part_key,
    title_of,
)
from pages.server.link.locks import HIDE, LOCK
from pages.server.link.seeds import IN_LINK as SEED
from pages.server.link.seeds import OWN_IN_LINK, number_of

LONGEST_LINK = 8_000  # characters; browsers and servers take no longer ones safely
MOST_PARAMETERS = 200


class UnreadableLinkError(ValueError):
    """A link that leads to no view of a lesson; `reason` names the section that says why."""

    def __init__(self, reason: str, **values: object) -> None:
        super().__init__(f"{reason}: {values}")
        self.reason, self.values = reason, values


@dataclass(frozen=True, kw_only=True)
class View:
    """What a link shows, and what it fixes."""

    lesson: Lesson
    parameters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # but those below
    locked: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    seed: str = ""  # "", a number, or OWN_IN_LINK
    language: str = ""  # "" leaves each learner theirs

    @property
    def part(self) -> str:
        """Return the part that is open: as the link says, or the first one."""
        names = self.lesson.parts
        asked = self.parameters.get(part_key(self.lesson.slug), ("",))[-1]
        return asked if asked in names else names[0]

    @property
    def place(self) -> str:
        """Return what the view is about: a part that the link names, or the opening."""
        return self.part if part_key(self.lesson.slug) in self.parameters else OPENING

    def value(self, control: Control) -> str | None:
        """Return what a control shows; None where that is a matter of the words."""
        given = self.parameters.get(control.key)
        return ", ".join(given) if given else control.of(self.part).written

    def option(self, control: Control) -> str | None:
        """Return what a control shows in words; None where that is a matter of the lesson's."""
        value = self.value(control)
        return None if value is None else option_of(control, value)

    def title(self, control: Control) -> str:
        """Return what a control is called."""
        return title_of(control)

    def row(self, key: str) -> Control:
        """Return a control of the lesson, also one that this view doesn't show."""
        return controls_of(self.lesson.slug)[key]

    @property
    def model(self) -> str:
        """Return the model that the link names, or ""."""
        return self.parameters.get(MODEL, ("",))[-1]

    @property
    def number(self) -> int | None:
        """Return the number that all learners' draws come from, if the link names one."""
        return number_of(self.seed)

    @property
    def has_own_numbers(self) -> bool:
        """Return whether each learner draws a number of their own."""
        return self.seed == OWN_IN_LINK

    def with_number(self, number: int | None) -> "View":
        """Return the view with one number for all, or without."""
        return replace(self, seed="" if number is None else str(number))

    def with_own_numbers(self) -> "View":
        """Return the view with a number for each learner."""
        # A number in the link would be the same for all.
        drawn = {key for key, one in controls_of(self.lesson.slug).items() if one.is_seed}
        kept = {key: values for key, values in self.parameters.items() if key not in drawn}
        return replace(self, seed=OWN_IN_LINK, parameters=kept)

    @property
    def has_figures(self) -> bool:
        """Return whether learners see the figures, and not the words alone."""
        return self.parameters.get(FIGURES, ("",))[-1] != NO

    def read_with(self, model: str, language: str, *, has_figures: bool = True) -> "View":
        """Return the view with a model and a language; "" leaves each learner theirs."""
        given = self.parameters.items()
        parameters = {key: values for key, values in given if key not in (MODEL, FIGURES)}
        if model:
            parameters[MODEL] = (model,)
        if not has_figures:
            parameters[FIGURES] = (NO,)
        known = controls_of(self.lesson.slug)
        # A pasted link with a text, but without what is read, is older than the choice.
        has_text = any(key in known and known[key].is_of_text for key in parameters)
        is_older = has_text and language == self.language
        if language in examples_in(self.lesson.slug) and not is_older:
            parameters.setdefault(READS, (language,))
        return replace(self, parameters=parameters, language=language)

    def made_now(self) -> "View":
        """Return the view with the version of the app that makes its link."""
        return replace(self, parameters={**self.parameters, MADE_WITH: (VERSION,)})

    def controls(self) -> list[Control]:
        """Return the controls that this view shows, and those that its link names anyway."""
        named = {*self.parameters, *self.locked, *self.hidden}
        drawn = drawn_at(self.lesson.slug, self.part, self.value)
        return [
            control.of(self.part)
            for key, control in controls_of(self.lesson.slug).items()
            if key in named or not control.at or key in drawn
        ]

    def link(self) -> str:
        """Return the link without the app's address: `masking?masking_part=why`."""
        asked = self.query()
        slug = self.lesson.slug
        return f"{slug}?{urlencode(asked, quote_via=quote)}" if asked else slug

    def query(self) -> list[tuple[str, str]]:
        """Return all parameters of the link, in a fixed order."""
        given = [(key, value) for key, values in self.parameters.items() for value in values]
        own = [
            (LOCK, ",".join(sorted(self.locked))),
            (HIDE, ",".join(sorted(self.hidden))),
            (SEED, self.seed),
            (LANGUAGE, self.language),
        ]
        return given + [(name, value) for name, value in own if value]


def view_of(lesson: Lesson, part: str = OPENING) -> View:
    """Return the view of a lesson's part as it begins, or of its opening."""
    return View(
        lesson=lesson, parameters={} if part == OPENING else {part_key(lesson.slug): (part,)}
    )


def read_link(text: str) -> View:
    """Return the view that a link leads to.

    Raises UnreadableLinkError if it leads to no lesson, or is no link.
    """
    text = text.strip()
    if not text:
        raise UnreadableLinkError("no_link")
    if len(text) > LONGEST_LINK:
        raise UnreadableLinkError(
            "too_long", n=formatted(len(text), ","), most=formatted(LONGEST_LINK, ",")
        )
    try:
        parts = urlsplit(text)
        asked = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=MOST_PARAMETERS)
    except ValueError:
        raise UnreadableLinkError("no_url", beginning=text[:60]) from None
    slug = parts.path.rstrip("/").rpartition("/")[2]
    if slug not in BY_SLUG:
        if not slug or (parts.netloc and not parts.path.strip("/")):
            raise UnreadableLinkError("no_lesson", beginning=text[:60])
        raise UnreadableLinkError("unknown_lesson", slug=slug[:60])
    return _view(BY_SLUG[slug], asked)


def _view(lesson: Lesson, asked: list[tuple[str, str]]) -> View:
    values: dict[str, tuple[str, ...]] = {}
    for key, value in asked:
        values[key] = (*values.get(key, ()), value)
    if moved := moved_to(lesson, values.get(part_key(lesson.slug), ("",))[-1]):
        lesson, part = moved
        values[part_key(lesson.slug)] = (part,)
    known = controls_of(lesson.slug)
    fixed = {
        name: frozenset(",".join(values.pop(name, ())).split(",")) & set(known)
        for name in (LOCK, HIDE)
    }
    seed = values.pop(SEED, ("",))[-1]
    if seed.partition("-")[0] == OWN_IN_LINK:
        seed = OWN_IN_LINK  # a link that a learner copied names the number it drew
    language = values.pop(LANGUAGE, ("",))[-1]
    return View(
        lesson=lesson,
        parameters={key: given for key, given in values.items() if _is_of(lesson, key)},
        locked=fixed[LOCK] - fixed[HIDE],
        hidden=fixed[HIDE],
        seed=seed if seed == OWN_IN_LINK or number_of(seed) is not None else "",
        language=language if language in languages() else "",
    )


def _is_of(lesson: Lesson, key: str) -> bool:
    """Return whether a parameter belongs to a lesson; others, such as a tracker's, are dropped."""
    return key in (MODEL, READS, MADE_WITH, FIGURES) or key.startswith(f"{lesson.slug}_")
