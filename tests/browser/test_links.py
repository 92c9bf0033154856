"""A link shows the same view to everybody, even to the first visitor after a server start."""

from collections.abc import Callable

from pages.shared.course.lessons import LESSONS
from pages.shared.course.words import read_words
from tests.browser.live import view_of, wait_until_finished


def unfold(tab) -> None:
    """Show the lesson's opening, which a chosen part folds."""
    for button in tab.get_by_role("button", name=read_words("frame").label("opening_show")).all():
        button.click()


def make_a_view(tab, slug: str) -> None:
    """Leave the defaults of a lesson: another part, another sentence, other choices."""
    tab.goto(f"/{slug}?seed=7")  # without a seed each visitor gets exercises of their own
    wait_until_finished(tab)
    tab.locator(f".st-key-{slug}_part button").nth(1).click()
    wait_until_finished(tab)
    unfold(tab)
    field = tab.get_by_test_id("stMain").locator("[data-testid=stTextInput] input").first
    field.fill("Two herons & one <b>river</b>, 50% off?")
    field.press("Enter")
    wait_until_finished(tab)
    choices = tab.locator(f"[data-testid=stMain] [class*='st-key-{slug}_'] [role=radiogroup]")
    for choice in choices.all()[:1]:
        choice.locator("button").last.click()
        wait_until_finished(tab)


def make_and_copy(tab, slug: str) -> tuple[str, str, dict[str, object]]:
    """Make a view and copy its link; return the link's path, the title and what is seen."""
    make_a_view(tab, slug)
    words = read_words("frame")
    tab.get_by_role("button", name=words.label("link_copy")).click()
    tab.get_by_role("button", name=words.label("link_copied")).wait_for()
    assert tab.evaluate("() => navigator.clipboard.readText()") == tab.url
    link = tab.url.split("/", 3)[3]
    assert "herons" in link
    unfold(tab)
    return link, tab.title(), view_of(tab)


def test_the_copied_links_opened_on_a_new_server_show_the_same_views(
    tab, new_server: Callable, browser
):
    with new_server(wait=False) as fresh:  # it starts while the views are made
        tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
        made = [make_and_copy(tab, lesson.slug) for lesson in LESSONS[::5]]
        fresh.wait_until_healthy()
        profile = browser.new_context(viewport={"width": 1200, "height": 900})
        visitor = profile.new_page()
        for link, title, expected in made:
            visitor.goto(f"{fresh.url}/{link}")
            wait_until_finished(visitor)
            unfold(visitor)
            assert view_of(visitor) == expected
            assert visitor.title() == title
        visitor.goto(f"{fresh.url}/masking?lang=de")
        wait_until_finished(visitor)
        fresh.stop()
        a_lost_connection_is_said(visitor)
        profile.close()


def a_lost_connection_is_said(tab) -> None:
    """Look for it in the reader's language, and for words that can be read on grey buttons."""
    words = read_words("frame", "de")
    title = tab.locator('[role="dialog"] > h2[data-lost]')
    title.wait_for()
    assert title.get_attribute("data-lost") == words.plain("lost_title")
    assert tab.locator("h2[data-lost] + *").get_attribute("data-lost") == words.plain("lost")
    button = tab.locator("button[kind=primary]:disabled p").first
    assert button.evaluate("p => getComputedStyle(p).color") != "rgb(255, 255, 255)"


def test_the_language_of_a_link_goes_along_to_the_next_pages(tab):
    tab.goto("/masking?lang=de")
    wait_until_finished(tab)
    tab.get_by_test_id("stSidebar").locator("a[href*=bio_tagging]").click()
    tab.get_by_role("heading", name=read_words("bio_tagging", "de").plain("title")).wait_for()
    tab.wait_for_url("**/bio_tagging?*lang=de*")
