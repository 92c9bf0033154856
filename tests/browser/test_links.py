"""A link shows the same view to everybody.

Also after the server was started anew: tests/load/test_restart.py.
"""

import re
from datetime import UTC, datetime

from mlm_core.encoder.model_list import BUNDLED, HASHES
from pages.server import VERSION
from pages.server.course.words import read_words
from pages.server.link.controls import MADE_WITH
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
    copied = tab.evaluate("() => navigator.clipboard.readText()")
    assert copied == f"{tab.url}&{MADE_WITH}={VERSION}"
    link = copied.split("/", 3)[3]
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


def test_an_entry_of_a_bibliography_has_version_view_model_seed_and_date(tab):
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.goto("/masking?masking_part=how_many&masking_text=50%25_{of}_it&v=1.2&masking_seed=7")
    wait_until_finished(tab)
    words = read_words("frame")
    before = datetime.now(UTC).date()
    tab.get_by_role("button", name=words.label("cite"), exact=True).click()
    tab.get_by_role("button", name=words.label("cite_copy")).click()
    tab.get_by_role("button", name=words.label("cite_copied")).wait_for()
    entry = tab.evaluate("() => navigator.clipboard.readText()")
    assert entry == tab.get_by_role("textbox", name=words.label("cite")).input_value()
    fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", entry, re.MULTILINE))
    masking = read_words("masking")
    assert fields["title"].endswith(f". {masking.label('title')}, {masking.label('part_how_many')}")
    assert fields["version"] == VERSION and fields["author"] == "{Unmask project}"
    assert f"Model {BUNDLED}, SHA-256 {HASHES[BUNDLED]}; seed: masking\\_seed 7" in fields["note"]
    assert before.isoformat() <= fields["urldate"] <= datetime.now(UTC).date().isoformat()
    assert fields["url"].endswith(f"masking_seed=7&{MADE_WITH}={VERSION}")
    assert not re.search("[{}]", fields["url"]) and "v=1.2" not in fields["url"]


def test_a_link_without_figures_shows_the_words_alone_on_each_page(tab):
    """For one group of a study, through the visit and until a link asks for them again."""

    def figures() -> int:
        wait_until_finished(tab)
        return tab.evaluate(
            """() => [...document.querySelectorAll(
                "[data-testid=stMain] :is(.js-plotly-plot, .stBidiComponent, [class*=_keep])")]
                .filter((one) => !one.closest(".st-key-fold_opening")
                  && one.getBoundingClientRect().height > 24).length"""
        )

    said = tab.get_by_text(read_words("frame").section("no_figures"))
    tab.goto("/prediction_and_loss?prediction_and_loss_part=loss&figures=no")
    assert figures() == 0 and said.is_visible()
    tab.get_by_role("link", name="Isotropy").first.click()
    tab.get_by_role("heading", name="Isotropy").wait_for()
    assert figures() == 0 and said.is_visible()
    tab.reload()
    assert figures() == 0 and said.is_visible()
    tab.goto("/isotropy?figures=yes")
    assert figures() > 0 and not said.is_visible()
