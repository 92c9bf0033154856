"""Charts in a browser: what a click chooses, whose script draws, the colour of ink."""

from mlm_core.figures.theme import INK
from pages.server.course.words import read_words
from tests.browser.live import wait_until_finished

POINTS = ".stPlotlyChart .trace.scatter .points path.point"


def open_map(tab):
    tab.goto("/word_senses?lang=en")
    wait_until_finished(tab)
    tab.locator(POINTS).first.wait_for(state="attached")


def test_a_click_chooses_a_point_for_the_list_and_the_link(tab):
    asked = []
    tab.on("request", lambda request: asked.append(request.url))
    open_map(tab)
    of_map = tab.locator(f".st-key-opening_figure {POINTS}")
    of_map.nth(-2).click(force=True)  # the last is the star
    tab.wait_for_url("**word_senses_point=80*")
    wait_until_finished(tab)
    sentence = tab.locator(".st-key-word_senses_sentence .uses").inner_text()
    assert sentence.startswith("store")
    assert tab.locator(".st-key-opening_figure .modebar-btn").count() == 1, (
        "the tool bar saves the picture"
    )
    its_menu_saves_the_picture(tab)
    its_ink_is_the_pages_text_in_both_themes(tab)
    on_paper_its_legend_is_above_it_and_no_link_folds_the_opening(tab)
    while_presenting_it_fits_its_place_and_its_points_answer_the_pointer(tab)
    scripts = [url for url in asked if "plotly" in url.lower()]
    own = tab.url.partition("/word_senses")[0]
    assert len(scripts) == 1, "the script of charts is ours, and there is one"
    assert all(url.startswith((own, "blob:", "data:")) for url in asked)


def its_menu_saves_the_picture(tab) -> None:
    tab.get_by_role("button", name=read_words("frame").label("numbers")).first.press("Enter")
    with tab.expect_download() as saved:
        tab.locator("[data-saves=word_senses_map]").click()
    assert saved.value.suggested_filename == "word_senses_map.svg"
    tab.keyboard.press("Escape")
    tab.locator("[data-saves]").wait_for(state="detached")


def test_a_finger_opens_the_menu_below_a_drawing_and_its_legend(phone):
    phone.goto("/masking?masking_part=rule&lang=en")
    wait_until_finished(phone)
    phone.locator(".st-key-masking_rule_play_numbers button").tap()
    phone.get_by_role("button", name=read_words("frame").label("save_csv")).wait_for()


def its_ink_is_the_pages_text_in_both_themes(tab) -> None:
    ink = """() => getComputedStyle(
      document.querySelector('.stPlotlyChart path[style*="stroke: rgb(28, 36, 48)"]')).stroke"""
    text = "() => getComputedStyle(document.querySelector('.stPlotlyChart')).color"
    scheme = "getComputedStyle(document.querySelector('.stApp')).colorScheme"
    seen = set()
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)
        same = f"theme => {scheme} === theme && ({ink})() === ({text})()"
        tab.wait_for_function(same, arg=theme)
        seen.add(tab.evaluate(ink))
    assert INK == "#1c2430" and "rgb(28, 36, 48)" in seen and len(seen) == 2


def on_paper_its_legend_is_above_it_and_no_link_folds_the_opening(tab) -> None:
    # Paper has no sidebar, so the legend takes fewer rows than on the screen.
    wide = "document.querySelector('.js-plotly-plot')._fullLayout.width"
    before = tab.evaluate(wide)
    fold = tab.locator(".st-key-fold_opening")
    assert fold.is_visible()
    tab.emulate_media(media="print")
    tab.wait_for_function(f"before => {wide} > before + 100", arg=before)
    bottom, top = tab.evaluate(
        """[...document.querySelectorAll('.js-plotly-plot')].map((chart) =>
        [chart.querySelector(".legend").getBoundingClientRect().bottom,
         chart.querySelector(".nsewdrag").getBoundingClientRect().top])[0]"""
    )
    assert bottom <= top and not fold.is_visible()
    tab.emulate_media(media="screen")
    tab.wait_for_function(f"before => {wide} === before", arg=before)


def while_presenting_it_fits_its_place_and_its_points_answer_the_pointer(tab) -> None:
    tab.set_viewport_size({"width": 1920, "height": 1080})
    name = read_words("word_senses").label("part_by_layer")
    tab.locator(".st-key-word_senses_part button").get_by_text(name, exact=True).click()
    tab.wait_for_url("**word_senses_part=by_layer*")
    wait_until_finished(tab)
    tab.keyboard.press("p")
    tab.locator("#leave-presenting").wait_for()
    wait_until_finished(tab)
    width = "one => one.getBoundingClientRect().width"
    place = tab.locator(".stPlotlyChart:visible").first
    drawn = place.locator(".main-svg").first
    tab.wait_for_function(
        "([place, drawn]) => Math.abs(drawn.getBoundingClientRect().width"
        " - place.getBoundingClientRect().width) < 2",
        arg=[place.element_handle(), drawn.element_handle()],
    )
    assert place.evaluate(width) > 1_500
    label = place.locator(".xtick text").first
    assert float(label.evaluate("one => getComputedStyle(one).fontSize").removesuffix("px")) >= 24
    point = place.locator(".points path.point").nth(5)
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    tab.mouse.move(box["x"] - 30, box["y"] - 30)
    tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    place.locator(".hovertext").first.wait_for()


def test_a_curve_of_a_run_keeps_its_width_beside_own_data_and_on_a_tablet(tab):
    tab.set_viewport_size({"width": 1366, "height": 768})
    slug = "classification"
    tab.goto(f"/{slug}?{slug}_part=train&{slug}_set_data=own_classes&lang=en")
    wait_until_finished(tab)
    tab.locator(f".st-key-{slug}_sample_use button").click()
    tab.locator(f".st-key-{slug}_start button:not(:disabled)").wait_for()
    wait_until_finished(tab)
    curve = tab.locator(f".st-key-{slug}_curves")
    start, door = (tab.locator(f".st-key-{one}") for one in (f"{slug}_start", "training_examples"))
    assert curve.bounding_box()["width"] > 420 and door.bounding_box()["width"] > 800
    table = tab.locator(".st-key-training_settings table").bounding_box()
    below = start.bounding_box()["y"] - table["y"]
    assert table["x"] < start.bounding_box()["x"] and below < 500, "not with what was understood"
    tab.set_viewport_size({"width": 820, "height": 1000})
    tab.wait_for_function("one => one.clientWidth > 420", arg=curve.element_handle())


def test_a_fingers_first_tap_chooses_a_point(phone):
    phone.set_viewport_size({"width": 1280, "height": 720})
    open_map(phone)
    point = phone.locator(f".st-key-opening_figure {POINTS}").nth(-2)
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    phone.wait_for_url("**word_senses_point=80*")
