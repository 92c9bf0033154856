"""Who hears a page, or sees it large, small or dark, gets all of it.

The parts of the lessons are read on the walk through them: test_first_use.py; home, and a lesson
on paper: test_views.py.
"""

import pytest

from pages.server.course.lessons import BESIDE
from tests.browser.access import findings, go_on_a_phone
from tests.browser.live import wait_until_finished


@pytest.mark.parametrize("at", range(len(BESIDE)), ids=[page.slug for page in BESIDE])
def test_a_page_beside_the_lessons_reads_well_for_everybody(at: int, tab):
    slug, themes = BESIDE[at].slug, ("light", "dark")[:: 1 if at % 2 else -1]
    themes = themes[: 1 if at < len(BESIDE) - 1 else 2]  # in both the last, which is the shortest
    tab.emulate_media(color_scheme=themes[0])
    tab.goto(f"/{slug}")
    wait_until_finished(tab)
    for number, button in enumerate(tab.locator(f".st-key-{slug}_part button").all()):
        if not number:
            assert not findings(tab, themes=themes, and_back=False)
            go_on_a_phone(tab)
            continue
        before = tab.url
        button.click()
        tab.wait_for_url(lambda url: url != before)  # noqa: B023
        wait_until_finished(tab)
        where = {"from_key": f"{slug}_part", "themes": themes[-1:], "widths": ()}
        found = findings(tab, **where, overlaps=number % 3 == 0)
        assert not found, button.inner_text()
