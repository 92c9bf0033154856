"""Who hears a page, or sees it large, small, dark or on paper, gets all of it.

The parts of the lessons are read on the walk through them: test_first_use.py.
"""

import pytest

from pages.shared.course.lessons import BESIDE
from pages.shared.frame.page_style import INK
from tests.browser.access import findings, go_on_a_phone
from tests.browser.live import wait_until_finished

# What a page says on paper: its words in the light theme's colour, and nothing to press.
ON_PAPER = """() => {
  const shown = (one) => one.checkVisibility();
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  return {
    pressed: all("[data-testid=stSidebar] *, [data-testid=stButton] button, summary + * button"),
    ink: getComputedStyle(document.querySelector("h1")).color,
    paper: getComputedStyle(document.body).backgroundColor,
    drawings: all(".stBidiComponent").length,
    cut: getComputedStyle(document.querySelector("[data-testid=stMain]")).overflowY,
  };
}"""


def test_home_reads_well_for_everybody(tab):
    tab.goto("/")
    wait_until_finished(tab)
    assert not findings(tab)


@pytest.mark.parametrize("slug", [page.slug for page in BESIDE])
def test_a_page_beside_the_lessons_reads_well_for_everybody(slug: str, tab):
    tab.goto(f"/{slug}")
    wait_until_finished(tab)
    for number, button in enumerate(tab.locator(f".st-key-{slug}_part button").all()):
        if not number:
            assert not findings(tab)
            go_on_a_phone(tab)
            continue
        before = tab.url
        button.click()
        tab.wait_for_url(lambda url: url != before)  # noqa: B023
        wait_until_finished(tab)
        theme = ("light", "dark")[number % 2]
        where = {"from_key": f"{slug}_part", "themes": (theme,), "widths": ()}
        found = findings(tab, **where, contrast=number % 3 == 0)
        assert not found, button.inner_text()


def test_a_lesson_on_paper_is_dark_on_white_whatever_the_theme(tab):
    tab.emulate_media(color_scheme="dark")
    tab.goto("/attention_mask")
    wait_until_finished(tab)
    tab.emulate_media(color_scheme="dark", media="print")
    page = tab.evaluate(ON_PAPER)
    red, green, blue = (int(INK[at : at + 2], 16) for at in (1, 3, 5))
    assert page["ink"] == f"rgb({red}, {green}, {blue})"
    assert page["paper"] == "rgba(0, 0, 0, 0)"
    assert page["pressed"] == []
    assert page["cut"] == "visible" and page["drawings"] >= 3
