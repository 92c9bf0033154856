"""What moves under the hand: figures that change, notes, what a mouse is drawn over, a film."""

import re

from pages.server.course.words import read_words
from tests.browser.live import draw_over, wait_until_finished

NOTE = """const animate = Element.prototype.animate; window.moved = [];
Element.prototype.animate = function (...given) {
  window.moved.push(this.closest(".js-plotly-plot") ? "chart" : "drawing");
  return animate.apply(this, given);
};"""

IS_WATCHED = "document.querySelector('.js-plotly-plot')?.isWatched"


def test_figures_on_attention_move_are_painted_told_and_played_and_stand_still_where_asked_to(
    tab, phone
):
    tab.add_init_script(NOTE)
    tab.emulate_media(reduced_motion="no-preference")
    tab.goto("/attention_mask")
    wait_until_finished(tab)
    tab.get_by_role("radio", name="Bidirectional").first.click()
    wait_until_finished(tab)
    tab.wait_for_function("window.moved.filter((one) => one === 'drawing').length > 10")
    tab.emulate_media(reduced_motion="reduce")
    tab.evaluate("window.moved = []")
    tab.get_by_role("radio", name="Causal").first.click()
    wait_until_finished(tab)
    assert tab.evaluate("window.moved") == []
    what_a_title_says_stands_there_at_once(tab, phone)
    a_mask_is_painted_with_the_mouse_and_by_the_names_of_rows_and_columns(tab)
    a_chosen_position_shows_the_token_that_now_stands_there(tab)
    the_whole_way_plays_by_itself_is_stepped_through_and_leads_to_its_lessons(tab)


def what_a_title_says_stands_there_at_once(tab, phone) -> None:
    # The row that a finger chooses is chosen already, so that nothing is drawn anew.
    phone.set_viewport_size({"width": 1280, "height": 720})
    phone.goto("/attention_mask?attention_mask_part=flow&attention_mask_query=0")
    wait_until_finished(phone)
    for one, way in ((tab, "hover"), (phone, "tap")):
        part = one.locator(".st-key-attention_mask_matrix g:not(.head)").nth(1)
        getattr(part, way)()
        one.locator(".drawing .note", has_text="[CLS] → The: ✕ 0").wait_for()
        assert part.locator("title").text_content() == "", "the browser's own note comes as well"
    # A token's title is its text's own, so nothing is told twice.
    tab.mouse.move(0, 0)
    tab.locator(".drawing .note").wait_for(state="detached")
    tab.locator(".flow g").nth(1).focus()
    assert tab.locator(".drawing .note").count() == 0


def a_mask_is_painted_with_the_mouse_and_by_the_names_of_rows_and_columns(tab) -> None:
    tab.locator(".st-key-attention_mask_kind button").last.click()
    tab.locator(".st-key-attention_mask_drawn_undo button").wait_for()
    wait_until_finished(tab)
    draw_over(tab, '[data-value="1,3"]', '[data-value="1,6"]')
    tab.wait_for_url("**attention_mask_drawn=800-de0-e00*attention_mask_query=1*")
    tab.locator('[data-value="-1,0"]').click()
    tab.wait_for_url("**attention_mask_drawn=000-5e0-600*")
    tab.locator('[data-value="2,-1"]').click()
    tab.wait_for_url("**attention_mask_drawn=000-5e0-ffe*")
    wait_until_finished(tab)
    tab.locator(".st-key-attention_mask_drawn_undo button").click()
    tab.wait_for_url("**attention_mask_drawn=000-5e0-600*")
    wait_until_finished(tab)


def a_chosen_position_shows_the_token_that_now_stands_there(tab) -> None:
    tab.get_by_text(read_words("attention_mask").label("flow_details")).click()
    field = tab.locator(".st-key-attention_mask_text input")
    field.fill("You and a fish")
    field.press("Enter")
    chosen = tab.locator(".st-key-attention_mask_query input")
    tab.wait_for_function("box => box.value.endsWith('and')", arg=chosen.element_handle())


def open_part(tab, part: str) -> None:
    name = read_words("attention_mask").label(f"part_{part}")
    tab.locator(".st-key-attention_mask_part button").get_by_text(name, exact=True).click()
    tab.get_by_role("heading", name=name).wait_for()
    wait_until_finished(tab)


def stands_at(tab, said: str) -> None:
    """Wait until a film is at the stop whose caption has this (a regular expression)."""
    tab.wait_for_function(f"said => {STOP}[0]?.match(said)", arg=said)


def the_whole_way_plays_by_itself_is_stepped_through_and_leads_to_its_lessons(tab) -> None:
    open_part(tab, "whole")
    assert "Softmax" in tab.evaluate(STOP)[0], "who wants less motion sees its end at once"
    assert not tab.get_by_role("button", name="Pause").count()
    tab.get_by_role("button", name="One step back").click()
    stands_at(tab, "^(?!.*Softmax)")
    tab.get_by_role("button", name="One step on").click()
    stands_at(tab, "Softmax")
    open_part(tab, "flow")
    tab.emulate_media(reduced_motion="no-preference")
    open_part(tab, "whole")
    moment = tab.get_by_role("slider", name="Moment of the film")
    moment.press("Home")
    stands_at(tab, "6 tokens go in")
    for _ in range(3):  # the first one ends at the end of the stop that it begins in
        tab.get_by_role("button", name="One step on").dispatch_event("click")
    tab.get_by_role("button", name="Play").wait_for()
    stands_at(tab, "^Layer 1:")
    tab.locator(".told", has_text="Layer 1:").wait_for(state="attached")
    moment.press("ArrowLeft")
    stands_at(tab, "added and normalized")
    back = {"key": "ArrowLeft", "altKey": True, "bubbles": True, "composed": True}
    held = {"key": " ", "repeat": True, "bubbles": True, "composed": True}
    for pressed in (back, held):  # the first is the browser's own
        moment.dispatch_event("keydown", pressed)
        assert "added and normalized" in tab.evaluate(STOP)[0]
        assert tab.get_by_role("button", name="Play").count()
    moment.press("End")
    stands_at(tab, "Softmax")
    tab.get_by_role("button", name="1 ×").dispatch_event("click")
    tab.get_by_role("button", name="2 ×").wait_for()
    moment.press(" ")
    tab.get_by_role("button", name="Pause").wait_for()
    for speed in ("2 ×", "0.5 ×", "1 ×"):
        tab.get_by_role("button", name=speed).dispatch_event("click")
    assert tab.evaluate(FRAMES) == 1
    tab.wait_for_function("time => Number(time.value) > 0", arg=moment.element_handle())
    assert "Softmax" in tab.locator(".told").text_content(), "it is told while it plays"
    wait_until_finished(tab)
    tab.locator(".way .wide [data-value=to-embedding]").click()
    tab.wait_for_url("**/subword_tokens?*part=input_stack*text=You+and+a+fish*stack_position=4")


def test_a_film_asks_the_server_for_nothing_while_it_plays_and_tells_where_it_stands(tab):
    sent = []  # messages
    tab.add_init_script(NOTE)
    tab.emulate_media(reduced_motion="no-preference")
    tab.on("websocket", lambda socket: socket.on("framesent", lambda one: sent.append(one)))
    for page, key, beside in (
        ("train_an_encoder", "at", "curves"),
        ("word_senses", "layer", "sentence"),
    ):
        tab.goto(f"/{page}")
        wait_until_finished(tab)
        if page == "word_senses":
            tab.wait_for_function(IS_WATCHED)
            assert "chart" not in tab.evaluate("window.moved"), "a map that opens stands still"
        beside = tab.locator(f".st-key-{page}_{beside}").first
        moment = tab.get_by_role("slider", name="Moment of the film")
        moment.press("Home")
        tab.wait_for_url(f"**{page}_{key}=0*")
        # The first time, the places of the map's points are sent; by then they have come.
        moment.press(" ")
        tab.wait_for_function("time => Number(time.value) > 1000", arg=moment.element_handle())
        moment.press("Home")
        wait_until_finished(tab, 500)  # longer than a film waits before it tells where it stands
        sent.clear()
        handles = [moment.element_handle(), beside.element_handle()]
        place, (looks, points) = beside.bounding_box()["y"], tab.evaluate(f"[{STOP}, {POINTS}]")
        moment.press(" ")
        paused = tab.wait_for_function(PAUSE, arg=[looks, points, *handles])
        is_map = page == "word_senses"  # whose star and dashed rings go through the layers, too
        film = {"star": "1", "rings": True, "trail": True} if is_map else None
        assert paused.json_value() == {"place": place, "film": film}
        tab.wait_for_url(re.compile(f"{page}_{key}=[1-9]"))
        wait_until_finished(tab)
        assert len(sent) == 1, "more than where it stands"
        stands_at(tab, rf"\D{tab.url.rpartition('=')[2]}\D")
    a_map_of_another_layer_moves_and_leaves_trails(tab, moment)


def a_map_of_another_layer_moves_and_leaves_trails(tab, moment) -> None:
    moment.press("End")
    tab.wait_for_url("**/word_senses")  # layer 12 is the one that the lesson begins with
    wait_until_finished(tab)
    moment.press("ArrowLeft")
    tab.wait_for_url("**word_senses_layer=11*")
    wait_until_finished(tab)
    tab.evaluate("window.moved = []")
    moment.press("ArrowRight")
    tab.wait_for_url("**/word_senses")
    wait_until_finished(tab)
    tab.wait_for_function("window.moved.filter((one) => one === 'chart').length > 50")
    trails = tab.locator(".st-key-word_senses_map path.trail")
    trails.nth(1).wait_for(state="attached")
    assert trails.count() == 2, "the chosen point's and the star's"
    tab.emulate_media(reduced_motion="reduce")
    tab.evaluate("window.moved = []")
    moment.press("ArrowLeft")
    tab.wait_for_url("**word_senses_layer=11*")
    wait_until_finished(tab)
    trails.first.wait_for(state="detached")
    assert tab.evaluate("window.moved") == []


STOP = "[...document.querySelectorAll('*')].map(one => one.shadowRoot?.querySelector('.film'))"
STOP += """.filter(Boolean).flatMap(film => [...film.querySelectorAll("li")])
  .filter(one => getComputedStyle(one).opacity === "1").map(one => one.textContent)"""
# Where ten of the map's points are.
POINTS = "[...document.querySelectorAll('.st-key-word_senses_map path.point')].slice(-20, -10)"
POINTS += ".map(one => one.getBoundingClientRect()).map(({ x, y }) => [x, y])"
# Pauses a film as soon as its caption and all points are others, however slow the machine is.
PAUSE = f"""([looks, points, moment, beside]) => {{
  const now = {POINTS};
  if (String({STOP}) === String(looks)) return;
  if (now.some((one, i) => String(one) === String(points[i]))) return;
  moment.dispatchEvent(new KeyboardEvent("keydown", {{ key: " ", bubbles: true }}));
  const map = document.querySelector(".st-key-word_senses_map .plot-container"), film = map && {{
    star: getComputedStyle([...map.querySelectorAll("path.point")].at(-1)).opacity,
    rings: map.querySelectorAll("path.scatterpts").length > 10,
    trail: [...map.querySelectorAll("path")].some((one) => one.getAnimations().some((move) =>
      move.effect.getKeyframes().some((frame) => frame.strokeDasharray))),
  }};
  return {{ place: beside.getBoundingClientRect().y, film }};
}}"""
# How often in one frame a film that plays asks for the next one.
FRAMES = """() => new Promise((tell) => {
  const request = window.requestAnimationFrame;
  let n = 0;
  window.requestAnimationFrame = (next) => { n += next.name === "follow"; return request(next); };
  request(() => {
    n = 0;
    request(() => { window.requestAnimationFrame = request; tell(n); });
  });
})"""


def test_the_arrow_keys_move_on_a_phones_board_and_a_switch_keeps_the_focus(tab):
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto("/inside_a_prediction?inside_a_prediction_part=break_it")
    wait_until_finished(tab)
    tab.locator('.narrow [data-value="0,0"]').focus()
    focus = tab.locator(".narrow :focus")
    for key, value in (("ArrowDown", "0,1"), ("ArrowRight", "1,1"), ("ArrowLeft", "0,1")):
        tab.keyboard.press(key)
        assert focus.get_attribute("data-value") == value
    tab.keyboard.press("Enter")
    tab.wait_for_url("**inside_a_prediction_off=2-1*")
    tab.locator('.narrow :focus[data-value="0,1"][aria-pressed=true]').wait_for()


def test_a_click_masks_a_written_word_again_and_the_film_goes_on_from_there(tab):
    tab.emulate_media(reduced_motion="no-preference")
    short = "prediction_and_loss_write_text=I&prediction_and_loss_write_length=2"
    tab.goto(f"/prediction_and_loss?prediction_and_loss_part=write&{short}")
    tab.locator(".unmasking [data-value]").last.click()
    tab.wait_for_url("**write_again=3*")
    wait_until_finished(tab)
    stands_at(tab, "^Masked again")


def test_a_film_with_a_drawing_that_scrolls_plays_and_its_cells_are_clicked(tab):
    """Its fade runs by the scroll position: the film's clock leaves it alone."""
    tab.emulate_media(reduced_motion="no-preference")
    tab.goto("/inside_a_prediction?inside_a_prediction_part=follow")
    wait_until_finished(tab)
    tab.locator('.film.patched [data-value="8,9"]').click()
    tab.wait_for_url("**inside_a_prediction_follow_state=8-9*")
    wait_until_finished(tab)
    tab.locator('.film.patched [data-value="8,9"]').press("ArrowDown")
    tab.locator('.film.patched [data-value="9,9"]').press("Enter")
    tab.wait_for_url("**inside_a_prediction_follow_state=9-9*")
