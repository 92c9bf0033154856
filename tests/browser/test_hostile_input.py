"""In a real browser: nothing typed ever runs, and no link breaks a page.

What could run stands in every field at once. All other texts, and every part, are met without a
browser: tests/security/test_every_input.py.
"""

import urllib.parse
from contextlib import suppress

from playwright.sync_api import TimeoutError

from pages.server.course.words import read_words
from tests.browser.live import troubles_of, wait_until_finished
from tests.hostile import LINK_VALUES, TEXTS

APOLOGY = read_words("frame").section("unexpected")
LONGEST_VALUE = 2_000  # a server takes 64 kB for all of a link, and most of it is percent signs
ALL_AT_ONCE = " ".join(text for text in TEXTS.values() if "hostile" in text or "</div>" in text)
# Where more fields than these change within one run of a page, Streamlit's front end sometimes
# loses a container ("Bad delta path index"); nobody types that fast.
MOST_AT_ONCE = 3


def take_all_that_could_run(tab) -> None:
    """Type into every field in view of the open page what could run or end an element."""
    all_fields = tab.get_by_test_id("stMain").locator(":is(input[type=text], textarea)")
    assert all_fields.count(), "a page has a field"
    in_view = all_fields.and_(tab.locator(":visible"))  # an opening may be folded away
    width = in_view.count()
    for field in in_view.all():
        # What the fields before it were given can take a field away.
        with suppress(TimeoutError):
            if field.count():
                field.fill(ALL_AT_ONCE, timeout=5_000)
        if width > MOST_AT_ONCE:
            wait_until_finished(tab)
    tab.keyboard.press("Tab")
    wait_until_finished(tab)
    assert not troubles_of(tab, APOLOGY)


def test_a_page_takes_all_that_could_run_in_its_fields(tab):
    tab.goto("/")
    wait_until_finished(tab)
    take_all_that_could_run(tab)
    for page in ("masking", "teaching"):
        tab.get_by_test_id("stSidebar").locator(f"a[href$={page}]").click()
        tab.locator(f".st-key-{page}_part").wait_for()
        wait_until_finished(tab)
        take_all_that_could_run(tab)


def test_a_page_takes_every_value_in_a_real_link(tab):
    tab.goto("/attention_mask")
    wait_until_finished(tab)
    classes = tab.locator("[class*='st-key-']").evaluate_all(
        "all => all.flatMap(one => [...one.classList])"
    )
    keys = {name.removeprefix("st-key-") for name in classes if name.startswith("st-key-")}
    parameters, values = sorted({"model", "page"} | keys), [*TEXTS.values(), *LINK_VALUES.values()]
    for first in range(0, len(values), len(parameters)):
        row = dict(zip(parameters, values[first:] + values, strict=False))
        query = urllib.parse.urlencode({key: text[:LONGEST_VALUE] for key, text in row.items()})
        tab.goto(f"/attention_mask?{query}", wait_until="commit")
        wait_until_finished(tab)
        assert tab.locator("h1").count() == 1
        assert not troubles_of(tab, APOLOGY), [text[:40] for text in row.values()]
