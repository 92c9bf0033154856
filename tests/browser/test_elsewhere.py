"""A lesson from elsewhere on a real server: its first visitor, its link, its place in the menu."""

from pathlib import Path

from pages.server.course.words import read_words
from tests.browser.live import ROOT, wait_until_finished
from tools import new_lesson


def test_a_lesson_from_elsewhere_opens_by_its_link_and_from_the_menu_and_a_broken_one_says_why(
    browser, new_server, tmp_path: Path
):
    words = new_lesson.write("broken", tmp_path) / "en/words.md"
    words.write_text(words.read_text("utf-8").replace("title:", "titel:"), encoding="utf-8")
    lessons = f"{ROOT}/docs/examples/own_style,{tmp_path}"
    with new_server(environment={"EQUAL_PRIORITY": "yes", "MLM_LESSONS": lessons}) as server:
        tab = browser.new_page(base_url=server.url)
        tab.goto("/own_style?own_style_text=Owls+read+books.&lock=own_style_text&lang=de")
        wait_until_finished(tab)
        assert tab.inner_text("h1") == "13 Dein eigener Stil"
        field = tab.locator(".st-key-own_style_text input")
        assert field.input_value() == "Owls read books." and field.is_disabled()
        assert tab.get_by_test_id("stPlotlyChart").count() == 1
        menu = tab.get_by_test_id("stSidebar").get_by_role("link")
        menu.filter(has_text="14 broken").click()
        question = read_words("elsewhere", "de").label("question")
        tab.get_by_role("heading", name=question).wait_for()
        wait_until_finished(tab)
        assert "broken/en/words.md, Zeile 1" in tab.get_by_test_id("stAlert").inner_text()
        menu.filter(has_text="13 Dein eigener Stil").click()
        tab.get_by_role("heading", name="13 Dein eigener Stil").wait_for()
        assert server.log().count("broken is not shown") == 1
        tab.close()
