"""No text and no link brings a page down: every lesson, every part, every hostile input.

A lesson meets each text in the fields of its parts, dealt out among them; each parameter of a
part's link meets a value, and the opening's, which stand beside every part, meet one with each.
Each field and each parameter meets another one in the same run, so that few runs show many.

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
VALUES_APART = 2  # from one part to the next


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
    """Return the texts that a part meets in its fields: its share of all.

    >>> typed_in("second", ["first", "second"])[0] == list(TEXTS)[20]
    True
    """
    n_typed = math.ceil(len(TEXTS) / len(parts))
    return spread(TEXTS, n_typed, first=n_typed * parts.index(part))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_each_part_has_a_title_and_each_title_a_part(lesson):
    words = read_words(lesson.slug)._labels
    titled = [key.removeprefix("part_") for key in words if key.startswith("part_")]
    assert sorted(titled) == sorted(lesson.parts)


@pytest.mark.parametrize(("lesson", "part"), EVERY_PART)
def test_a_part_takes_its_hostile_texts_and_a_hostile_link(
    lesson, part: str, open_warm_page: Callable, caplog
):
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
    names = spread(LINK_VALUES, len(parameters), first=VALUES_APART * place)
    asked = {key: LINK_VALUES[name] for key, name in zip(parameters, names, strict=True)}
    app = open_warm_page(lesson.file, **asked, **chosen)
    found += [f"link with {names}: {sentence}" for sentence in trouble(app, caplog)]
    assert not found, "\n".join(found)


def test_home_takes_every_text_in_its_fields(open_warm_page: Callable, caplog):
    app, found = open_warm_page("app.py"), []
    for name, text in TEXTS.items():
        type_into_all_fields(app, text)
        app.run()
        found += [f"{name}: {sentence}" for sentence in trouble(app, caplog)]
    assert not found, "\n".join(found)
