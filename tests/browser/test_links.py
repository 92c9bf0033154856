"""A link shows the same view to everybody.

Also after the server was started anew: tests/load/test_restart.py.
"""

from pages.server.course.words import read_words
from tests.browser.live import view_of, wait_until_finished


def unfold(tab) -> None:
    """Show the lesson's opening, once the chosen part has folded it."""
    tab.get_by_role("button", name=read_words("frame").label("opening_show")).press("Enter")


def make_a_view(tab, slug: str) -> None:
    """Leave the defaults of a lesson: another part, another sentence, other choices."""
    tab.goto(f"/{slug}?seed=7")  # without a seed each visitor gets exercises of their own
    wait_until_finished(tab)
    field = tab.get_by_test_id("stMain").locator("[data-testid=stTextInput] input").first
    field.fill("Two herons & one <b>river</b>, 50% off?")
    field.press("Enter")
    wait_until_finished(tab)
    choices = f"[class*='st-key-{slug}_']:not(.st-key-{slug}_part) [role=radiogroup]"
    tab.get_by_test_id("stMain").locator(choices).first.locator("button").last.click()
    wait_until_finished(tab)
    tab.mouse.move(0, 0)  # what moves under a mouse loses its title for a while
    tab.locator(f".st-key-{slug}_part button").nth(1).dispatch_event("click")
    wait_until_finished(tab)
    unfold(tab)


def make_and_copy(tab, slug: str) -> tuple[str, str, dict[str, object]]:
    """Make a view and copy its link; return the link's path, the title and what is seen."""
    make_a_view(tab, slug)
    words = read_words("frame")
    tab.get_by_role("button", name=words.label("link_copy")).click()
    tab.get_by_role("button", name=words.label("link_copied")).wait_for()
    assert tab.evaluate("() => navigator.clipboard.readText()") == tab.url
    link = tab.url.split("/", 3)[3]
    assert "herons" in link
    return link, tab.title(), view_of(tab)


def test_a_copied_link_shows_another_visitor_the_same_view(tab, learner):
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link, title, expected = make_and_copy(tab, "train_an_encoder")
    learner.goto(f"/{link}")
    wait_until_finished(learner)
    unfold(learner)
    assert view_of(learner) == expected
    assert learner.title() == title
