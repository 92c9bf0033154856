"""What a teacher prepares holds in a browser: a link with its address, keys through a plan.

That what a link locks and hides holds for those who open it: tests/pages/test_locks.py.
"""

from pages.server import VERSION
from pages.server.course.lessons import LESSONS
from pages.server.course.words import read_words
from tests.browser.live import wait_until_finished

WORDS = read_words("teaching")

# What a key presses is noted and goes no further: no page is drawn between one key and the next.
NOTE = """() => {
  window.pressed = [];
  document.addEventListener("click", (event) => {
    window.pressed.push(event.target.closest("[class*=st-key-room_plan]")?.className);
    event.stopImmediatePropagation();
  }, { capture: true });
}"""

ADD_FIGURES = """at => at.insertAdjacentHTML("afterend",
  "<p class=film><button>Play</button></p><b data-row=0 tabindex=0>a cell</b><input type=checkbox>")
"""


def a_reload_brings_ones_own_plan_back(tab) -> None:
    steps = tab.locator('[class*="st-key-teaching_"][class*="_note"]')
    assert steps.count()
    tab.locator(".st-key-teaching_start_empty button").click()
    wait_until_finished(tab)
    tab.locator(".st-key-teaching_add_talk button").click()
    steps.first.wait_for()
    wait_until_finished(tab)
    assert steps.count() == 1
    tab.reload()
    wait_until_finished(tab)
    tab.wait_for_function(
        "() => document.querySelectorAll('[class*=st-key-teaching_][class*=_note]').length === 1"
    )


def test_the_arrow_keys_and_a_clicker_lead_through_a_plan_but_not_where_a_control_uses_them(
    tab, server
):
    tab.goto("/teaching")
    wait_until_finished(tab)
    link = tab.get_by_test_id("stCode").inner_text().strip()
    assert link == f"{server.url}/{LESSONS[0].slug}?v={VERSION}", "the address is the browser's own"
    colour = "one => getComputedStyle(one).backgroundColor"
    links = tab.locator("[data-testid=stSidebar] [data-testid=stPageLink] a")
    assert links.last.evaluate(colour) == links.first.evaluate(colour), "Privacy is not open"
    tab.get_by_role("radio", name=WORDS.label("part_plan"), exact=True).click()
    tab.locator(".st-key-teaching_start_empty").wait_for()
    wait_until_finished(tab)
    a_reload_brings_ones_own_plan_back(tab)
    tab.locator(".st-key-teaching_start_45 button").click()
    wait_until_finished(tab)
    tab.get_by_role("button", name=WORDS.label("start_class")).click()
    tab.get_by_role("button", name="(→)").wait_for()
    wait_until_finished(tab)
    for slug in ("attention_mask", "masking", "prediction_and_loss"):
        tab.keyboard.press("ArrowRight")
        tab.wait_for_url(f"**/{slug}*")
        tab.get_by_role("button", name="(←)").wait_for()
        wait_until_finished(tab)

    tab.evaluate(NOTE)

    def presses(*keys: str, focus: str = "") -> int:
        """Return how many ways of the plan these keys press while an element has the focus."""
        if focus:
            tab.locator(focus).first.focus()
        for key in keys:
            tab.keyboard.press(key)
        return tab.evaluate("window.pressed.splice(0).filter(Boolean).length")

    assert presses("ArrowRight", "ArrowLeft") == 2
    assert presses("PageDown", "PageUp") == 0, "they scroll"
    assert presses("Alt+ArrowLeft", "Shift+ArrowRight", "Control+PageDown", "ArrowDown") == 0
    field, part = "[data-testid=stMain] input[type=text]", ".st-key-steps [role=radio]"
    tab.locator("h1").first.evaluate(ADD_FIGURES)
    for focus in (field, ".film button", "b[data-row]"):
        assert presses("ArrowRight", focus=focus) == 0, focus
    assert presses("ArrowRight", "ArrowLeft", focus=part) == 0
    assert presses("ArrowRight", focus=".st-key-room_plan_stop button") == 1
    presses("p", focus="input[type=checkbox]")
    tab.locator("#leave-presenting").wait_for()
    wait_until_finished(tab)
    assert presses("PageDown", "PageUp", focus=part) == 2, "a clicker"
    assert presses("PageDown", "PageUp", focus=field) == 0
