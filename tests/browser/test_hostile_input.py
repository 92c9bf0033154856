"""In a real browser: no text and no link breaks a page, and nothing typed ever runs."""

import urllib.parse

import pytest

from pages.shared.lessons import LESSONS
from pages.shared.words import read_words
from tests.browser.live import troubles_of, wait_until_finished
from tests.hostile import LINK_VALUES, TEXTS

APOLOGY = read_words("frame").section("unexpected")
EVERY_LESSON = [pytest.param(lesson, id=lesson.slug) for lesson in LESSONS]
LONGEST_VALUE = 2_000  # a server takes 64 kB for all of a link, and most of it is percent signs


# The other lessons take all texts too, without a browser: tests/pages/test_hostile_input.py.
ALL_TEXTS = ("", "subword_tokens", "attention_mask")


def every_other(values: dict[str, str], step: int) -> dict[str, str]:
    """Return every `step`-th value: a browser takes a second for each."""
    return {name: values[name] for name in list(values)[::step]}


def open_link(tab, path: str, parameters: list[str], value: str) -> None:
    query = urllib.parse.urlencode(dict.fromkeys(parameters, value[:LONGEST_VALUE]))
    tab.goto(f"{path}?{query}", wait_until="commit")
    wait_until_finished(tab, quiet_ms=100)


@pytest.mark.parametrize("path", ["", *(lesson.slug for lesson in LESSONS)])
def test_a_page_takes_every_text_in_its_fields(path: str, tab):
    tab.goto(f"/{path}")
    wait_until_finished(tab)
    found = []
    for name, text in (TEXTS if path in ALL_TEXTS else every_other(TEXTS, 5)).items():
        fields = tab.get_by_test_id("stMain").locator(":is(input[type=text], textarea)").all()
        for field in fields:
            field.fill(text)
        fields[-1].press("Tab")
        wait_until_finished(tab, quiet_ms=100)
        found += [f"{name}: {trouble}" for trouble in troubles_of(tab, APOLOGY)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lesson", EVERY_LESSON)
def test_a_lesson_takes_every_value_in_its_link(lesson, tab):
    tab.goto(f"/{lesson.slug}")
    wait_until_finished(tab)
    classes = tab.locator(f"[class*='st-key-{lesson.slug}_']").evaluate_all(
        "all => all.flatMap(one => [...one.classList])"
    )
    keys = {name.removeprefix("st-key-") for name in classes if name.startswith("st-key-")}
    parameters = ["model", *sorted(keys)]
    found = []
    for name, value in every_other(LINK_VALUES, 3).items():
        open_link(tab, f"/{lesson.slug}", parameters, value)
        found += [f"{name}: {trouble}" for trouble in troubles_of(tab, APOLOGY)]
    assert not found, "\n".join(found)


def test_home_takes_every_text_in_its_link(tab):
    parameters = ["model", "page", *(f"{lesson.slug}_part" for lesson in LESSONS)]
    found = []
    for name, text in every_other(TEXTS, 3).items():
        open_link(tab, "/", parameters, text)
        assert tab.inner_text("h1") == read_words("home").label("question")
        found += [f"{name}: {trouble}" for trouble in troubles_of(tab, APOLOGY)]
    assert not found, "\n".join(found)
