"""In a real browser: no text and no link breaks a page, and nothing typed ever runs.

What could run stands in every field at once; of the rest each field and each parameter of a
link gets another one, so that few runs show a page many. The parts behind the first one take
theirs without a browser: tests/pages/test_hostile_input.py.
"""

import urllib.parse
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError

from pages.shared.course.lessons import BESIDE, LESSONS
from pages.shared.course.words import read_words
from tests.browser.live import troubles_of, wait_until_finished
from tests.hostile import LINK_VALUES, TEXTS

APOLOGY = read_words("frame").section("unexpected")
EVERY_LESSON = [pytest.param(lesson, id=lesson.slug) for lesson in LESSONS]
LONGEST_VALUE = 2_000  # a server takes 64 kB for all of a link, and most of it is percent signs


PAGES = ("", *(page.slug for page in (*LESSONS, *BESIDE)))
COULD_RUN = [text for text in TEXTS.values() if "hostile" in text or "</div>" in text]
ALL_AT_ONCE = " ".join(COULD_RUN)
OTHERS = [text for text in TEXTS.values() if text not in COULD_RUN]
# Where more fields than these change within one run of a page, Streamlit's front end sometimes
# loses a container ("Bad delta path index"); nobody types that fast.
MOST_AT_ONCE = 3
TAKE_ALL = ("", "subword_tokens", "attention_mask")  # of the others; the rest of the pages a few


def rows_of(values: list[str], width: int, *, first: int = 0) -> list[list[str]]:
    """Return rows of a width that hold all values, from one on; the last row is filled up."""
    turned = values[first % len(values) :] + values[: first % len(values)]
    endless = turned * (width + 1)
    return [endless[start : start + width] for start in range(0, len(values), width)]


def open_link(tab, path: str, parameters: list[str], values: list[str]) -> None:
    short = [value[:LONGEST_VALUE] for value in values]
    query = urllib.parse.urlencode(dict(zip(parameters, short, strict=True)))
    tab.goto(f"{path}?{query}", wait_until="commit")
    wait_until_finished(tab)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_takes_every_text_in_its_fields(path: str, tab):
    tab.goto(f"/{path}")
    wait_until_finished(tab)
    all_fields = tab.get_by_test_id("stMain").locator(":is(input[type=text], textarea)")
    width = all_fields.count()
    rows = rows_of(OTHERS, width, first=3 * PAGES.index(path))
    rows = rows if path in TAKE_ALL else rows[:2]
    found = []
    for row in [[ALL_AT_ONCE] * width, *rows_of(COULD_RUN, width), *rows]:
        fields = all_fields.all()
        for field, text in zip(fields, row, strict=False):
            # What the fields before it were given can take a field away.
            with suppress(TimeoutError):
                if field.count():
                    field.fill(text, timeout=5_000)
            if width > MOST_AT_ONCE:
                wait_until_finished(tab)
        tab.keyboard.press("Tab")
        wait_until_finished(tab)
        found += [f"{shortened(row)}: {trouble}" for trouble in troubles_of(tab, APOLOGY)]
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
    for row in rows_of([*LINK_VALUES.values()], len(parameters), first=LESSONS.index(lesson)):
        open_link(tab, f"/{lesson.slug}", parameters, row)
        found += [f"{shortened(row)}: {trouble}" for trouble in troubles_of(tab, APOLOGY)]
    assert not found, "\n".join(found)


def test_home_takes_every_text_in_its_link(tab):
    parameters = ["model", "page", *(f"{lesson.slug}_part" for lesson in LESSONS)]
    found = []
    for row in rows_of([*TEXTS.values()], len(parameters)):
        open_link(tab, "/", parameters, row)
        assert tab.inner_text("h1") == read_words("home").label("question")
        found += [f"{shortened(row)}: {trouble}" for trouble in troubles_of(tab, APOLOGY)]
    assert not found, "\n".join(found)


def shortened(row: list[str]) -> list[str]:
    return [text[:40] for text in row]
