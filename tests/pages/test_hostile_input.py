"""No text and no link brings a page down: every lesson, every part, every hostile input.

A lesson meets each text in the fields of its parts, dealt out among them, and each value in
the parameters of its link. Each field and each parameter meets another one in the same run, so
that few runs show many.

What could run is looked for in all that a page sends; all of it at once, in every widget:
tests/security/test_every_input.py.

The pages run in-process. Text widgets and link parameters are found by themselves, so a new
lesson is tested as soon as it stands in lessons.py.
"""

import math
from collections.abc import Callable, Iterator, Sequence

import pytest

from pages.shared.course.lessons import LESSONS
from pages.shared.course.words import read_words
from tests.hostile import LINK_VALUES, TEXTS
from tests.markup import foreign_markup

pytestmark = pytest.mark.usefixtures("few_of_a_corpus")
UNEXPECTED = read_words("frame").section("unexpected")
WITH_VALUE = (
    *("text_input", "text_area", "selectbox", "slider", "select_slider", "number_input"),
    *("button_group", "checkbox", "toggle", "multiselect", "radio"),
)
TEXTS_APART = 6  # from one link to the next: each parameter meets every sixth
VALUES_APART = 3  # likewise: each parameter meets every third
FEWEST_TYPED = 6  # texts that a part meets in its fields, and more where its lesson has few parts


EVERY_PART = [
    pytest.param(lesson, name, id=f"{lesson.slug}-{name}")
    for lesson in LESSONS
    for name in lesson.parts
]
EVERY_LESSON = [pytest.param(lesson, id=lesson.slug) for lesson in LESSONS]


def trouble(app, caplog: pytest.LogCaptureFixture) -> Iterator[str]:
    """Say what a page shows that it must not: an exception, the apology for one, foreign markup."""
    for exception in app.exception:
        yield f"exception {exception.message!r}\n{''.join(exception.stack_trace)}"
    if any(error.value == UNEXPECTED for error in app.error):
        yield "the apology for the unexpected\n" + caplog.text[-3_000:]
    yield from foreign_markup(app)
    caplog.clear()


def keys(app) -> set[str]:
    """Return the keys of all widgets on the page, which are its link parameters too."""
    return {widget.key for kind in WITH_VALUE for widget in app.get(kind) if widget.key}


def type_into_all_fields(app, text: str) -> int:
    """Put a text into every field of the page, for its next run; return how many there are."""
    fields = [*app.text_input, *app.text_area]
    for field in fields:
        field.set_value(text)
    return len(fields)


def spread(values: dict[str, str], over: int, *, first: int) -> list[str]:
    """Return the names of as many values as asked for, beginning at one, over and over."""
    names = list(values)
    return [names[(first + i) % len(names)] for i in range(over)]


def typed_in(part: str, parts: Sequence[str]) -> list[str]:
    """Return the texts that a part meets in its fields: its share of all, at least six.

    >>> typed_in("second", ["first", "second"])[0] == list(TEXTS)[20]
    True
    """
    n_typed = max(FEWEST_TYPED, math.ceil(len(TEXTS) / len(parts)))
    return spread(TEXTS, n_typed, first=n_typed * parts.index(part))


def test_there_are_at_least_thirty_hostile_texts():
    assert len(TEXTS) >= 30


@pytest.mark.parametrize("lesson", EVERY_LESSON)
def test_each_part_has_a_title_and_each_title_a_part(lesson):
    words = read_words(lesson.slug)._labels
    titled = [key.removeprefix("part_") for key in words if key.startswith("part_")]
    assert sorted(titled) == sorted(lesson.parts)


@pytest.mark.parametrize("lesson", EVERY_LESSON)
def test_the_parts_of_a_lesson_meet_every_text_in_their_fields(lesson):
    parts = lesson.parts
    assert {name for part in parts for name in typed_in(part, parts)} == TEXTS.keys()


@pytest.mark.parametrize(("lesson", "part"), EVERY_PART)
def test_a_part_takes_a_dozen_hostile_inputs(lesson, part: str, open_warm_page: Callable, caplog):
    chosen, found, met = {f"{lesson.slug}_part": part}, [], set()
    app = open_warm_page(lesson.file, **chosen)
    assert app.segmented_control(key=f"{lesson.slug}_part").value == part
    parameters = sorted(keys(app) - set(chosen))
    found += [f"at the start: {sentence}" for sentence in trouble(app, caplog)]
    parts = lesson.parts
    place, to_type = parts.index(part), typed_in(part, parts)
    while not met.issuperset(to_type):
        fields = [*app.text_input, *app.text_area]
        assert fields, "a part takes the learner's own text"
        names = spread(dict.fromkeys(to_type), len(fields), first=len(met))
        for field, name in zip(fields, names, strict=True):
            field.set_value(TEXTS[name])
        app.run()
        found += [f"typed {names}: {sentence}" for sentence in trouble(app, caplog)]
        met.update(names)
    for step in (0, len(LINK_VALUES) // 2):
        names = spread(LINK_VALUES, len(parameters), first=place + step)
        asked = {key: LINK_VALUES[name] for key, name in zip(parameters, names, strict=True)}
        app = open_warm_page(lesson.file, **asked, **chosen)
        found += [f"link with {names}: {sentence}" for sentence in trouble(app, caplog)]
        met.update(f"link: {name}" for name in names)
    assert not found, "\n".join(found)
    assert len(met) >= 12 or len(parameters) < 3


@pytest.mark.parametrize("lesson", EVERY_LESSON)
def test_a_lesson_takes_every_value_in_its_link(lesson, open_warm_page: Callable, caplog):
    parameters = sorted(keys(open_warm_page(lesson.file)))
    found, met = [], set()
    for values, apart in ((LINK_VALUES, VALUES_APART), (TEXTS, TEXTS_APART)):
        for step in range(0, len(values), apart):
            names = spread(values, len(parameters), first=step)
            asked = {key: values[name] for key, name in zip(parameters, names, strict=True)}
            app = open_warm_page(lesson.file, **asked)
            found += [f"{names}: {sentence}" for sentence in trouble(app, caplog)]
            met.update(names)
    assert not found, "\n".join(found)
    assert met >= LINK_VALUES.keys()


def test_home_takes_every_text_in_its_link(open_warm_page: Callable, caplog):
    parameters = {"model", "page"} | keys(open_warm_page("app.py"))
    found = []
    for name, text in (TEXTS | LINK_VALUES).items():
        app = open_warm_page("app.py", **dict.fromkeys(parameters, text))
        found += [f"{name}: {sentence}" for sentence in trouble(app, caplog)]
    assert not found, "\n".join(found)


def test_home_takes_every_text_in_its_fields(open_warm_page: Callable, caplog):
    app, found = open_warm_page("app.py"), []
    for name, text in TEXTS.items():
        type_into_all_fields(app, text)
        app.run()
        found += [f"{name}: {sentence}" for sentence in trouble(app, caplog)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lesson", EVERY_LESSON)
def test_an_unknown_model_in_the_link_is_said_and_the_bundled_one_used(
    lesson, open_warm_page: Callable
):
    app = open_warm_page(lesson.file, model="nobody/<b>nothing</b>")
    assert not app.exception
    assert any("not on this server" in warning.value for warning in app.warning)
    assert app.selectbox(key="model").value == "mini-bert"
