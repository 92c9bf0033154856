"""A teacher's browser and a learner's phone in one room: what AppTest can't see.

Pages that look at the room by themselves, a cookie that outlives a reload, and what axe-core says
of a desk with votes on it.
"""

import re

from pages.shared.course.words import read_words
from tests.browser.access import PHONE, findings
from tests.browser.live import wait_until_finished

WORDS, TEACHING = read_words("room"), read_words("teaching")
GUESS = "[class*=st-key-isotropy_half_guess] [role=radiogroup] button"
LESSON = "/isotropy?isotropy_part=dimensions"
TOAST = "[data-testid=stToastContainer] [data-testid=stToast]"
STYLED = """() => {
  const block = document.querySelector("[data-testid=stMainBlockContainer]");
  return getComputedStyle(block).maxWidth !== "none" && [...document.querySelectorAll("style")]
    .filter(one => one.closest("[data-testid=stHtml]")).length;
}"""
UNCOVERED = """one => {
  const box = one.getBoundingClientRect();
  const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return document.querySelector(".stMain").scrollTop > 100 && one.contains(at);
}"""
HERE, VOTED = WORDS.label("n_here"), WORDS.label("n_voted")


def open_room(tab) -> str:
    """Open a room and return its code; the browser forgets the one that it had."""
    tab.context.clear_cookies()
    tab.goto("/teaching?teaching_part=room")
    wait_until_finished(tab)
    tab.get_by_role("button", name=WORDS.label("open")).click()
    return tab.get_by_test_id("stCode").first.inner_text().strip().rpartition("=")[2]


def metric(tab, label: str, value: str) -> None:
    """Wait until the desk shows a number."""
    shown = tab.get_by_test_id("stMetric").filter(has_text=label)
    shown.filter(has_text=re.compile(rf"{re.escape(label)}\s*{value}$")).wait_for()


def test_a_class_guesses_waits_votes_again_sees_the_answer_and_the_room_ends(tab, learner):
    code = open_room(tab)
    tab.get_by_text(WORDS.label("waits")).click()
    learner.set_viewport_size({"width": PHONE, "height": 740})
    learner.goto(f"{LESSON}&room={code}")
    learner.get_by_text(code).wait_for()
    assert "room=" not in learner.url
    metric(tab, HERE, "1")
    learner.locator(GUESS).first.click()
    learner.get_by_text(WORDS.section("closed")[:40]).wait_for()
    metric(tab, VOTED, "1")

    learner.reload()
    learner.get_by_text(code).wait_for()
    learner.locator(GUESS).first.click()
    learner.get_by_text(WORDS.section("closed")[:40]).wait_for()
    metric(tab, HERE, "1")
    metric(tab, VOTED, "1")
    assert not findings(tab, themes=("light",)), "on the desk"
    assert not findings(learner, themes=("dark",), widths=()), "in the room"

    tab.get_by_role("button", name=WORDS.label("again")).click()
    learner.get_by_text("Second vote.").wait_for()  # it looks at the room by itself
    metric(tab, VOTED, "0")
    learner.locator(GUESS).nth(1).click()
    metric(tab, VOTED, "1")
    tab.get_by_role("button", name=WORDS.label("reveal")).click()
    learner.get_by_text(WORDS.section("closed")[:40]).wait_for(state="detached")
    learner.get_by_test_id("stMarkdown").filter(has_text="You said").wait_for()

    tab.get_by_role("button", name=WORDS.label("end")).click()
    tab.get_by_role("button", name=WORDS.label("end_sure")).click()
    learner.get_by_text(WORDS.section("ended")[:30]).wait_for()
    assert "mlm_room" not in {one["name"] for one in learner.context.cookies()}


def comes_and_leaves_for_good(learner, code: str) -> None:
    learner.goto(f"/masking?masking_part=why&room={code}")
    leave = learner.get_by_role("button", name=WORDS.label("leave"))
    wait_until_finished(learner)
    # The page has moved to the part, and the steps stay in view, too.
    learner.wait_for_function(UNCOVERED, arg=leave.element_handle())
    leave.click()
    leave.wait_for(state="detached")
    learner.wait_for_function("!document.cookie.includes('mlm_room')")
    learner.reload()
    wait_until_finished(learner)
    assert not leave.count()


def a_toast_leaves_the_pages_style_as_it_is(tab) -> None:
    assert tab.evaluate(STYLED) == 1
    tab.get_by_role("radio", name=TEACHING.label("part_link"), exact=True).click()
    wait_until_finished(tab)
    tab.get_by_role("button", name=TEACHING.label("to_plan")).click()
    tab.locator(TOAST).wait_for()
    wait_until_finished(tab)
    assert tab.evaluate(STYLED) == 1, "after a step came into the plan"
    tab.get_by_role("radio", name=TEACHING.label("part_room"), exact=True).click()
    wait_until_finished(tab)
    assert tab.evaluate(STYLED) == 1, "at the desk"


def test_who_left_may_come_again_and_back_from_the_teachers_view_leads_to_ones_own(tab, learner):
    code = open_room(tab)
    comes_and_leaves_for_good(learner, code)  # the desk counts a visit that left for a while
    a_toast_leaves_the_pages_style_as_it_is(tab)
    tab.get_by_test_id("stSidebar").locator("a[href*=subword_tokens]").click()
    tab.locator(".st-key-subword_tokens_part button").nth(1).click()
    tab.wait_for_url("**subword_tokens_part=*")
    learner.goto(f"/masking?masking_text=Two+herons.&room={code}")
    learner.get_by_text(code).wait_for()
    wait_until_finished(learner)
    wait_until_finished(tab)
    assert tab.evaluate(STYLED) == 2  # the page's, and the marks of the parts
    tab.get_by_role("button", name=WORDS.label("offer")).click()
    tab.locator(TOAST).filter(has_text=WORDS.section("offered")).wait_for()
    wait_until_finished(tab)
    assert tab.evaluate(STYLED) == 2, "after the view was offered"
    learner.locator(".st-key-room_go button").click()
    learner.wait_for_url("**/subword_tokens?*subword_tokens_part=*")
    wait_until_finished(learner)
    learner.go_back()
    learner.wait_for_url("**/masking?masking_text=Two+herons.")
    field = learner.locator(".st-key-masking_text input")
    field.wait_for()
    wait_until_finished(learner)
    assert field.input_value() == "Two herons."


def test_a_wrong_code_is_refused_in_view_under_its_field_on_a_phone(learner):
    learner.set_viewport_size({"width": 390, "height": 844})
    learner.goto("/?room=BBBBBBBB")  # a link to a room that has ended: said at the top, once
    learner.get_by_role("alert").wait_for()
    learner.get_by_text(WORDS.label("join"), exact=True).first.click()
    field = learner.get_by_label(WORDS.label("code"))
    field.fill("XXXXXXXX")
    field.press("Enter")
    refusal = learner.locator(".st-key-home_room_box").get_by_text("There is no room")
    refusal.wait_for()
    wait_until_finished(learner)
    assert field.input_value() == "XXXXXXXX"
    above, below = field.bounding_box(), refusal.bounding_box()
    assert above["y"] + above["height"] <= below["y"] < below["y"] + below["height"] <= 844
