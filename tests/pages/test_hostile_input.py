"""No text and no link brings a page down: every lesson, every part, every hostile input.

A part is opened by a link with a value for each of its controls, and then its fields are filled.
Each control and each field meets another value in the same run, and in every part others: so few
runs show many, and over all lessons each field of an opening meets nearly all.

What could run is looked for in all that a page sends; all of it at once, in every widget:
tests/security/test_every_input.py.

The pages run in-process. Text widgets and link parameters are found by themselves, so a new
lesson is tested as soon as it stands in lessons.py.
"""

from collections.abc import Callable, Iterator
from itertools import count, islice

import pytest

from pages.shared.course.lessons import LESSONS
from pages.shared.course.words import read_words
from pages.shared.link.controls import OPENING, controls_of
from tests.hostile import LINK_VALUES, TEXTS
from tests.markup import foreign_markup

pytestmark = pytest.mark.usefixtures("few_of_a_corpus")
UNEXPECTED = read_words("frame").section("unexpected")
WITH_VALUE = (
    *("text_input", "text_area", "selectbox", "slider", "select_slider", "number_input"),
    *("button_group", "checkbox", "toggle", "multiselect", "radio"),
)
APART = 7  # values, from one part to the next


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


def dealt(values: dict[str, str], first: int) -> Iterator[str]:
    """Yield values one after the other, from one of them on and over and over.

    >>> [*islice(dealt({"a": "1", "b": "2"}, 1), 3)]
    ['2', '1', '2']
    """
    each = list(values.values())
    return (each[number % len(each)] for number in count(first))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_each_part_has_a_title_and_each_title_a_part(lesson):
    words = read_words(lesson.slug)._labels
    titled = [key.removeprefix("part_") for key in words if key.startswith("part_")]
    assert sorted(titled) == sorted(lesson.parts)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_every_part_takes_a_hostile_link_and_hostile_texts(
    lesson, open_warm_page: Callable, caplog
):
    found = []
    for place, part in enumerate(lesson.parts, start=lesson.number * 3):
        rows = controls_of(lesson.slug).items()
        keys_here = ["model", *(key for key, row in rows if {OPENING, part} & set(row.at))]
        asked = dict(zip(keys_here, dealt(LINK_VALUES, APART * place), strict=False))
        app = open_warm_page(lesson.file, **asked, **{f"{lesson.slug}_part": part})
        assert app.segmented_control(key=f"{lesson.slug}_part").value == part
        found += [f"{part}, by {asked}: {sentence}" for sentence in trouble(app, caplog)]
        fields = [*app.text_input, *app.text_area]
        assert fields, "a part takes the learner's own text"
        texts = [*islice(dealt(TEXTS, APART * place), len(fields))]
        for field, text in zip(fields, texts, strict=True):
            field.set_value(text)
        app.run()
        found += [f"{part}, typed {texts}: {sentence}" for sentence in trouble(app, caplog)]
    assert not found, "\n".join(one[:2_000] for one in found)


def test_home_takes_every_text_in_its_fields(open_warm_page: Callable, caplog):
    app, found = open_warm_page("app.py"), []
    for name, text in TEXTS.items():
        type_into_all_fields(app, text)
        app.run()
        found += [f"{name}: {sentence}" for sentence in trouble(app, caplog)]
    assert not found, "\n".join(found)
