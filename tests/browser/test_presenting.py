"""On a projector, the figure that was in view is wholly on the screen; keys can be turned off.

The opening of each lesson: test_first_use.py.
"""

from pages.server.course.words import read_words
from tests.browser.live import wait_until_finished
from tests.browser.projector import IS_WHOLE, OPENING, PART, SCREENS

IS_DRAWN = """key => {
  const box = document.querySelector(`.st-key-${key}`)?.getBoundingClientRect();
  return !!box && box.top >= 0 && box.bottom <= innerHeight;
}"""
HEAR = "() => { window.heard = ''; document.addEventListener('keydown', e => heard += e.key); }"


def none_shows(locator) -> None:
    """Wait until no such element shows; there are two of each while a page is drawn anew."""
    locator.filter(visible=True).first.wait_for(state="detached")


def test_p_keeps_what_was_in_view_and_the_menu_projects_another(tab):
    tab.set_viewport_size(SCREENS[1])
    tab.goto("/attention_mask?attention_mask_switch=causal")
    wait_until_finished(tab)
    tab.keyboard.press("p")
    tab.wait_for_function(IS_WHOLE, arg=OPENING)
    steps, menu = tab.locator(".st-key-steps"), tab.locator("#presenting-menu")
    none_shows(steps)
    menu.click()
    name = read_words("attention_mask").label("part_cost")
    steps.filter(visible=True).get_by_role("radio", name=name, exact=True).click()
    tab.wait_for_url("**part=cost*")
    tab.wait_for_function(IS_WHOLE, arg=PART)
    none_shows(steps)
    none_shows(tab.locator(OPENING))
    menu.click()
    tab.locator("#show-opening").click()
    tab.wait_for_function(IS_WHOLE, arg=OPENING)
    wait_until_finished(tab)
    tab.keyboard.press("p")
    menu.wait_for(state="detached")
    wait_until_finished(tab)
    tab.locator(PART).evaluate("one => one.scrollIntoView()")
    tab.keyboard.press("p")
    tab.wait_for_function(IS_WHOLE, arg=PART)
    none_shows(tab.locator(OPENING))


def test_a_high_drawing_is_drawn_smaller_and_the_next_figure_is_a_press_away(tab):
    tab.set_viewport_size(SCREENS[1])
    tab.goto("/attention_mask?present=1&attention_mask_part=heads")
    tab.wait_for_function(IS_WHOLE, arg=PART)
    following = tab.locator("#next-figure")
    wait_until_finished(tab)
    assert not following.is_visible(), "there is one figure"
    tab.goto("/train_an_encoder?present=1&train_an_encoder_part=block")
    tab.wait_for_function(IS_WHOLE, arg=PART)
    tab.locator(".st-key-train_an_encoder_lengths").first.wait_for(state="attached")
    tab.wait_for_function(f"() => !({IS_DRAWN})('train_an_encoder_lengths')")
    following.click()
    tab.wait_for_function(IS_DRAWN, arg="train_an_encoder_lengths")
    following.click()
    tab.wait_for_function(IS_WHOLE, arg=PART)
    assert tab.locator("#presenting-menu").is_visible(), "also where the parts were drawn later"


def test_rows_of_layers_get_lower_and_no_next_figure_is_offered_where_there_is_none(tab):
    for height in (640, 400):  # the lowest rows fit into the first alone
        tab.set_viewport_size({"width": 1366, "height": height})
        tab.goto("/inside_a_prediction?present=1")
        if height == 640:
            tab.wait_for_function(IS_WHOLE, arg=OPENING)
        wait_until_finished(tab)
        none_shows(tab.locator("#next-figure"))
        assert tab.evaluate(IS_WHOLE, OPENING) == (height == 640)


def test_keys_of_one_letter_can_be_turned_off_for_the_tab(tab):
    tab.goto("/look_it_up")
    wait_until_finished(tab)
    switch = tab.get_by_role("switch", name=read_words("frame").plain("letters"))
    assert switch.is_checked()
    switch.uncheck()
    tab.reload()
    wait_until_finished(tab)
    assert not switch.is_checked()
    tab.evaluate(HEAR)
    for key in "prcx":
        tab.keyboard.press(key)
    wait_until_finished(tab)
    assert tab.evaluate("heard") == "px", "Streamlit doesn't hear its own"
    assert not tab.locator("#leave-presenting").count()
    switch.check()
    tab.keyboard.press("p")
    tab.locator("#leave-presenting").wait_for()
