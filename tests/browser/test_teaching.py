"""A teacher makes a link in one browser, and a learner opens it in another: the locks hold."""

from pages.shared.course.words import read_words
from tests.browser.live import wait_until_finished

WORDS, FRAME = read_words("teaching"), read_words("frame")
UNIT = ".st-key-masking_unit [role=radiogroup] button"  # in a fold-out


def state(tab, key: str, name: str):
    """Return the button that sets a control's state."""
    return tab.locator(f".st-key-teaching_state_{key}").get_by_role(
        "radio", name=WORDS.label(f"state_{name}")
    )


def test_a_locked_and_a_hidden_control_hold_for_whoever_opens_the_link(tab, learner, server):
    tab.goto("/teaching?teaching_from=link")
    wait_until_finished(tab)
    field = tab.get_by_label(WORDS.label("pasted"))
    field.fill("https://other.example/masking?masking_unit=word&masking_text=A+grey+cat+sleeps.")
    field.press("Enter")
    wait_until_finished(tab)
    state(tab, "masking_unit", "lock").click()
    wait_until_finished(tab)
    state(tab, "masking_text", "hide").click()
    wait_until_finished(tab)
    link = tab.get_by_test_id("stCode").inner_text().strip()
    assert link.startswith(f"{server.url}/masking?"), "the address is the browser's own"

    learner.set_viewport_size({"width": 390, "height": 844})
    learner.goto(link)
    wait_until_finished(learner)
    chosen = learner.locator(UNIT)
    assert [button.is_disabled() for button in chosen.all()] == [True] * 3
    assert not learner.locator(".st-key-masking_text").count()
    page = learner.get_by_test_id("stMain")
    page.get_by_text("grey", exact=True).first.wait_for()
    page.get_by_text(FRAME.section("fixed")).wait_for()
    assert "lock=masking_unit" in learner.url and "hide=masking_text" in learner.url

    learner.get_by_role("button", name=FRAME.label("open_locks")).click()
    wait_until_finished(learner)
    assert learner.locator(".st-key-masking_text input").input_value() == "A grey cat sleeps."
    assert learner.locator(UNIT).first.is_enabled()
    assert "lock=" not in learner.url and "hide=" not in learner.url
