"""Exercises are solved with the keyboard alone, and the focus always shows."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise

import pytest

from mlm_core.encoder.drawn_masks import mask_from_text
from mlm_core.exercises.by_lesson import exercises_of
from pages.server.course.words import read_words
from tests.browser.live import wait_until_finished
from tests.exercises.learners import learner, solutions

# Of each kind one: a mask to draw, options, a pair of texts.
CHOSEN = {
    "attention_mask": "draw_mask",
    "masking": "which_branch",
    "bio_tagging": "two_paths",
}
WITHOUT_SKIPPING = "attention_mask"  # from the top of its page to the end
SEED = 7
MOST_STOPS = 80  # of the tab key, from the page's content to what is looked for

# What has the focus, also inside a drawing, and whether anything around it shows so: a frame of
# the element itself, or of the field, the option or the slider's knob that it stands in.
FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at || at === document.body) return null;
  const around = [at, at.parentElement, at.parentElement?.parentElement].filter(Boolean);
  const framed = (one) => {
    const look = getComputedStyle(one);
    return look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2;
  };
  return {
    tag: at.tagName,
    name: at.getAttribute("aria-label") || at.innerText || at.textContent || "",
    value: at.getAttribute("data-value") || at.value || "",
    type: at.type || at.getAttribute("role") || "",
    key: at.closest("[class*=st-key-]")?.className ?? "",
    group: at.closest("[role=radiogroup]")?.getAttribute("aria-label") ?? "",
    isFramed: around.some(framed),
    isChosen: at.getAttribute("aria-checked") === "true" || at.checked === true,
  };
}"""


@dataclass
class Keyboard:
    """A tab that is used by keys alone; every stop on the way has to show that it is one."""

    tab: object

    def focused(self) -> dict:
        return self.tab.evaluate(FOCUSED) or defaultdict(str)

    def press(self, key: str) -> dict:
        self.tab.keyboard.press(key)
        return self.focused()

    def go_to(self, **wanted: str) -> dict:
        """Press Tab until the focus is on what contains these texts."""
        met = []
        for _ in range(MOST_STOPS):
            at = self.press("Tab")
            if at["tag"]:
                assert at["isFramed"] or at["tag"] == "MAIN", f"no frame shows the focus on {at}"
            if all(text in at[name] for name, text in wanted.items()):
                return at
            met.append(at["name"][:30])
        raise AssertionError(f"the tab key never came to {wanted}, but to {met}")


@pytest.mark.parametrize("slug", CHOSEN)
def test_an_exercise_is_solved_with_the_keyboard_alone(slug: str, tab):
    exercise = next(one for one in exercises_of(slug) if one.id == CHOSEN[slug])
    task = exercise.draw(learner(SEED))
    answer = next(iter(solutions(exercise, task)))
    tab.goto(f"/{slug}?{slug}_part=exercises&seed={SEED}")
    wait_until_finished(tab)
    keys = Keyboard(tab)
    keys.press("Tab")
    if slug == WITHOUT_SKIPPING:  # so the focus shows on all that there is
        at = keys.go_to(name=read_words("frame").label("link_copy"))
        assert at["tag"] == "BUTTON"
    else:
        keys.press("Enter")  # Streamlit's "Skip to main content"
    choose_exercise(keys, slug, exercise.id)
    wait_until_finished(tab)
    give_answer(keys, slug, exercise, task, answer)
    right = read_words("exercises").label("right")
    tab.get_by_test_id("stAlert").filter(has_text=right).last.wait_for()


def choose_exercise(keys: Keyboard, slug: str, exercise_id: str) -> None:
    """Go to the row of exercises and to one of them with the arrow keys."""
    title = read_words(f"exercises/{slug}").label(exercise_id)
    at = keys.go_to(group=read_words("exercises").label("choose"))
    for _ in exercises_of(slug):
        if title in at["name"]:
            break
        at = keys.press("ArrowRight")
    assert title in at["name"]
    if not at["isChosen"]:
        keys.press("Space")


def give_answer(keys: Keyboard, slug: str, exercise, task, answer: str) -> None:
    key = f"{slug}_exercise_{exercise.id}"
    if exercise.kind == "mask":
        draw_mask(keys, len(task.tokens), answer)
    elif exercise.kind == "choice":
        keys.go_to(type="radio", key=f"{key}_answer")
        keys.press("Space")
        for _ in range(task.options.index(answer)):
            keys.press("ArrowDown")
    else:
        for number, line in enumerate(answer.split("\n"), 1):
            field = f"{key}_answer_{number}" if exercise.kind == "pair" else f"{key}_answer"
            keys.go_to(key=field)
            keys.tab.keyboard.type(line)
    keys.go_to(key=f"{key}_check")
    keys.press("Enter")


def draw_mask(keys: Keyboard, n: int, answer: str) -> None:
    """Go over the cells in a snake's line and turn with Enter what the answer blocks."""
    keys.tab.locator('[data-value="0,0"]').first.wait_for()
    at, mask = keys.go_to(value="0,0"), mask_from_text(answer, n)
    for row in range(n):
        forwards = row % 2 == 0
        columns = range(n) if forwards else range(n)[::-1]
        for step, column in enumerate(columns):
            if step:
                at = keys.press("ArrowRight" if forwards else "ArrowLeft")
            assert at["value"] == f"{row},{column}"
            if not mask[row, column]:
                keys.press("Enter")
                wait_until_finished(keys.tab)
        if row + 1 < n:
            at = keys.press("ArrowDown")


def test_a_pressed_button_that_is_gone_leaves_the_focus_to_its_successor(tab):
    tab.goto("/masking?lang=en")
    wait_until_finished(tab)
    for name, following in pairwise(("choose", "roll", "replace")):
        tab.locator(f".st-key-masking_do_{name} button").press("Enter")
        focused = f".st-key-masking_do_{following} button"
        tab.wait_for_function("key => document.activeElement.matches(key)", arg=focused)


def test_after_the_concept_test_is_handed_in_the_focus_is_on_the_receipt(tab):
    tab.goto("/concept_test")
    wait_until_finished(tab)
    for question in tab.locator("[data-testid=stRadio] [role=radiogroup]").all():
        question.locator("label").last.click()  # "I don't know"
    wait_until_finished(tab)
    tab.locator("[class*=hand_in_before] button").press("Enter")
    receipt = ".st-key-concept_test_receipt"
    tab.wait_for_function(f"() => document.activeElement.matches('{receipt}')")


def test_no_stop_of_the_tab_key_is_beside_the_screen_where_the_menu_is_folded_away(phone):
    phone.goto("/word_senses")
    wait_until_finished(phone)
    lefts = []
    for _ in range(12):
        phone.keyboard.press("Tab")
        lefts.append(phone.evaluate("document.activeElement.getBoundingClientRect().right"))
    assert min(lefts) >= 0
