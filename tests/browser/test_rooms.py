"""A teacher's browser and a learner's phone in one room: what AppTest can't see.

Pages that look at the room by themselves, a cookie that outlives a reload, and what axe-core says
of a desk with votes on it.
"""

import re

from pages.beside.teaching.lesson_plan import Plan, Step, as_json
from pages.server.classroom.own_step import letters
from pages.server.course.words import read_words
from tests.browser.access import MAIN, PHONE, findings
from tests.browser.live import wait_until_finished
from tests.exercises.test_own_question import ORDER

WORDS, TEACHING = read_words("room"), read_words("teaching")
LESSON = "/masking?masking_part=how_many&masking_text=Two+herons."
GUESS = "[class*=st-key-masking_short_guess] [role=radiogroup] button"
CHIP = ".mlm-room-chip:not([hidden])"
# What of the banner stays in view over a phone's page: its height, and how far right it goes.
STICKY = """one => {
  const line = one.getBoundingClientRect();
  while (getComputedStyle(one).position !== "sticky") one = one.parentElement;
  const ends = [...one.querySelectorAll("*")].map(part => part.getBoundingClientRect().right);
  return { line: line.height, sticky: one.getBoundingClientRect().height, end: Math.max(...ends) };
}"""
TOAST = "[data-testid=stToastContainer] [data-testid=stToast]"
STYLED = """() => {
  const block = document.querySelector("[data-testid=stMainBlockContainer]");
  return getComputedStyle(block).maxWidth !== "none" && [...document.querySelectorAll("style")]
    .filter(one => one.closest("[data-testid=stHtml]")).length;
}"""
IS_IN_VIEW = "one => one.getBoundingClientRect().y > 0 && one.getBoundingClientRect().y < 844"
UNCOVERED = """one => {
  const box = one.getBoundingClientRect();
  const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return document.querySelector(".stMain").scrollTop > 100 && one.contains(at);
}"""
ENDS_ABOVE = """key => {
  const boxOf = (name) => document.querySelector(`.st-key-${name}`)?.getBoundingClientRect();
  const [drawing, bar] = [boxOf(key), boxOf("room_bar")];
  return drawing?.height > 100 && drawing.top >= 0 && drawing.bottom <= bar?.top;
}"""
NO_COOKIE = "!document.cookie.includes('mlm_room')"
# Five pixels wide.
IMAGE = (
    "![a dot](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4"
    "//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==)"
)
HERE, VOTED = WORDS.label("n_here"), WORDS.label("n_voted")


def open_room(tab) -> str:
    """Open a room and return its code."""
    tab.goto("/teaching?teaching_part=room")
    wait_until_finished(tab)
    tab.get_by_role("button", name=WORDS.label("open")).click()
    return tab.get_by_test_id("stCode").first.inner_text().strip().rpartition("=")[2]


def metric(tab, label: str, value: str) -> None:
    """Wait until the desk shows a number."""
    shown = tab.get_by_test_id("stMetric").filter(has_text=label)
    shown.filter(has_text=re.compile(rf"{re.escape(label)}\s*{value}$")).wait_for()


def test_a_class_comes_guesses_waits_votes_again_follows_and_the_room_ends(tab, learner):
    code = open_room(tab)
    tab.get_by_text(WORDS.label("waits")).click()
    learner.set_viewport_size({"width": PHONE, "height": 844})
    a_wrong_code_is_refused_in_view_under_its_field(learner)
    comes_by_the_code_to_a_lesson(learner, code)
    is_one_line_over_a_phones_page(learner)
    guesses_and_waits_also_after_a_reload(tab, learner, code)
    assert not findings(tab, from_key=MAIN, themes=("light",)), "on the desk"
    assert not findings(learner, from_key=MAIN, themes=("dark",), widths=()), "in the room"
    votes_again_and_sees_the_answer(tab, learner)
    is_led_to_what_the_teacher_asks_for(tab, learner)
    leaves_for_good(learner)
    a_toast_leaves_the_pages_style_as_it_is(tab)
    comes_again_follows_and_back_leads_to_ones_own(tab, learner, code)
    a_drawing_on_the_wall_ends_above_the_votes(tab, learner)
    tab.goto("/teaching?teaching_part=room")
    wait_until_finished(tab)  # what comes later moves the button, and its window out of view
    tab.get_by_role("button", name=WORDS.label("end")).click()
    tab.get_by_role("button", name=WORDS.label("end_sure")).click()
    learner.get_by_text(WORDS.section("ended")[:30]).wait_for()
    learner.wait_for_function(NO_COOKIE)


def a_wrong_code_is_refused_in_view_under_its_field(learner) -> None:
    learner.goto("/?room=BBBBBBBB")  # a link to a room that has ended: said at the top, once
    learner.get_by_role("alert").wait_for()
    learner.get_by_text(WORDS.label("join"), exact=True).first.click()
    field = learner.get_by_label(WORDS.label("code"))
    field.fill("XXXXXXXX")
    field.press("Enter")
    refusal = learner.locator(".st-key-home_room_refused").get_by_text("There is no room")
    refusal.wait_for()
    wait_until_finished(learner)
    assert field.input_value() == "XXXXXXXX"
    above, below = field.bounding_box(), refusal.bounding_box()
    assert above["y"] + above["height"] <= below["y"] < below["y"] + below["height"] <= 844


def comes_by_the_code_to_a_lesson(learner, code: str) -> None:
    field = learner.get_by_label(WORDS.label("code"))
    field.fill(code)
    field.press("Enter")
    learner.get_by_text(code).wait_for()
    learner.locator(".st-key-card_masking a").first.click()
    part = read_words("masking").label("part_how_many")
    learner.locator(".st-key-masking_part button").get_by_text(part, exact=True).click()


def is_one_line_over_a_phones_page(learner) -> None:
    wait_until_finished(learner)
    found = learner.locator(".st-key-room_banner").evaluate(STICKY)
    assert found["line"] <= 48 and found["sticky"] <= 48 and found["end"] <= PHONE, found


def is_led_to_what_the_teacher_asks_for(tab, learner) -> None:
    learner.evaluate("document.querySelector('.stMain').scrollTo(0, 1e6)")
    tab.get_by_text(WORDS.label("invitation")).click()  # folded since somebody has come in
    asks = tab.get_by_text(WORDS.label("takes_sentences"))
    asks.click()
    chip, field = learner.locator(CHIP), learner.get_by_label(WORDS.label("sentence"))
    chip.filter(has_text=WORDS.label("sentences")).wait_for()
    box = chip.bounding_box()
    assert 844 - 80 < box["y"] + box["height"] <= 844 and box["height"] >= 44
    chip.click()
    chip.wait_for(state="detached")
    learner.wait_for_function(IS_IN_VIEW, arg=field.element_handle())  # open, and scrolled to
    asks.click()
    field.wait_for(state="detached")


def guesses_and_waits_also_after_a_reload(tab, learner, code: str) -> None:
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


def votes_again_and_sees_the_answer(tab, learner) -> None:
    tab.get_by_role("button", name=WORDS.label("again")).click()
    learner.get_by_text("Second vote.").wait_for()  # it looks at the room by itself
    metric(tab, VOTED, "0")
    learner.locator(GUESS).nth(1).click()
    metric(tab, VOTED, "1")
    tab.get_by_role("button", name=WORDS.label("reveal")).click()
    learner.get_by_text(WORDS.section("closed")[:40]).wait_for(state="detached")
    learner.get_by_test_id("stMarkdown").filter(has_text="You guessed").wait_for()


def a_drawing_on_the_wall_ends_above_the_votes(tab, learner) -> None:
    learner.goto("/attention_mask")
    learner.locator("[class*=st-key-attention_mask_same] [role=radiogroup] button").first.click()
    tab.set_viewport_size({"width": 1024, "height": 768})
    tab.goto("/attention_mask?present=1&attention_mask_part=heads")
    tab.locator(".st-key-room_bar").wait_for()
    tab.wait_for_function(ENDS_ABOVE, arg="attention_mask_heads")
    # As when the votes come after the drawing.
    tab.locator(".st-key-room_bar").first.evaluate("one => { one.style.minHeight = '14rem'; }")
    tab.wait_for_function(ENDS_ABOVE, arg="attention_mask_heads")
    room = "one => getComputedStyle(one).getPropertyValue('--figure-room')"
    assert tab.locator(".st-key-room_bar").first.evaluate(room) == "none", "its letters stay large"
    tab.set_viewport_size({"width": 1200, "height": 900})


def leaves_for_good(learner) -> None:
    learner.get_by_role("button", name=WORDS.label("more"), exact=True).click()
    learner.get_by_role("button", name=WORDS.label("leave")).click()
    learner.locator(".st-key-room_banner").wait_for(state="detached")
    learner.wait_for_function(NO_COOKIE)


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


def comes_again_follows_and_back_leads_to_ones_own(tab, learner, code: str) -> None:
    tab.get_by_test_id("stSidebar").locator("a[href*=subword_tokens]").click()
    tab.locator(".st-key-subword_tokens_part button").nth(1).click()
    tab.wait_for_url("**subword_tokens_part=*")
    learner.goto(f"{LESSON}&room={code}")
    learner.get_by_text(code).wait_for()
    wait_until_finished(learner)
    assert "room=" not in learner.url
    # The page has moved to the part, and the steps stay in view, too.
    more = learner.get_by_role("button", name=WORDS.label("more"), exact=True)
    learner.wait_for_function(UNCOVERED, arg=more.element_handle())
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
    learner.wait_for_url(f"**{LESSON}")
    field = learner.locator(".st-key-masking_text input")
    field.wait_for(state="attached")
    wait_until_finished(learner)
    assert field.input_value() == "Two herons."


def test_a_question_of_the_teachers_own_is_answered_by_keyboard(tab, learner):
    code = open_room(tab)
    learner.set_viewport_size({"width": PHONE, "height": 844})
    learner.goto(f"/masking?room={code}")
    long = f"# Read\n\n{IMAGE}\n\n" + "Read it.\n\n" * 60
    plan = as_json(Plan(steps=(Step(own=ORDER), Step(own=long, note="Wait."))))
    tab.get_by_text(TEACHING.label("part_plan"), exact=True).click()
    file = {"name": "plan.json", "mimeType": "application/json", "buffer": plan.encode()}
    tab.locator("input[type=file]").set_input_files(file)
    tab.get_by_text(ORDER.text).wait_for()
    tab.get_by_role("button", name=TEACHING.label("start_class")).click()
    for place, option in enumerate(letters(ORDER), start=1):
        field = learner.get_by_label(WORDS.label("own_place", n=place), exact=True)
        field.focus()
        learner.keyboard.type(option)
        learner.keyboard.press("Enter")
    learner.keyboard.press("Tab")
    tab.locator(".st-key-room_plan_next button").click()
    shown = learner.locator(".st-key-room_own img")
    shown.wait_for()
    assert shown.evaluate("one => one.naturalWidth") == 5
    end = tab.get_by_role("button", name=WORDS.label("end"))  # below the long text
    end.scroll_into_view_if_needed()
    end.hover()  # fails while the text covers it
    tab.locator(".st-key-room_plan_back button").click()
    for place, option in enumerate(letters(ORDER), start=1):  # chosen, and not sent before
        field = learner.get_by_label(WORDS.label("own_place", n=place), exact=True)
        field.wait_for()
        assert field.input_value() == option
    learner.get_by_role("button", name=WORDS.label("own_send")).press("Enter")
    metric(tab, VOTED, "1")
    tab.get_by_role("button", name=WORDS.label("reveal")).click()
    learner.get_by_text(WORDS.section("own_right"), exact=True).wait_for()
    for page, theme in ((tab, "light"), (learner, "dark")):
        assert not findings(page, from_key=MAIN, themes=(theme,), widths=())
