"""The first minute, the way between views, and what a reload keeps, in a real browser."""

from mlm_core.figures.theme import INK
from pages.server.course.lessons import BY_SLUG, LESSONS
from pages.server.course.words import read_words
from tests.browser.access import findings, go_on_a_phone
from tests.browser.live import wait_until_finished
from tests.browser.widths import WIDTHS, number_of_run, unreadable, views

LAPTOP = {"width": 1366, "height": 768}
LOW, PHONE = {"width": 1366, "height": 650}, {"width": 390, "height": 844}
# The menu slides in; until it stands, a tap meets what is behind it.
IS_OPEN = """() => {
  const menu = document.querySelector("[data-testid=stSidebar]");
  return !menu.getAnimations({ subtree: true }).length && menu.getBoundingClientRect().left >= 0;
}"""
# What a page says on paper: its words in the light theme's colour, and nothing to press.
ON_PAPER = """() => {
  const shown = (one) => one.checkVisibility();
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  return {
    pressed: all("[data-testid=stSidebar] *, [data-testid=stButton] button, summary + * button"),
    ink: getComputedStyle(document.querySelector("h1")).color,
    paper: getComputedStyle(document.body).backgroundColor,
    drawings: all(".stBidiComponent").length,
    cut: getComputedStyle(document.querySelector("[data-testid=stMain]")).overflowY,
  };
}"""
TOP = "element => element.getBoundingClientRect().top"


def wait_until_near_the_top(tab, heading, lowest: float = 0) -> None:
    """Wait until a heading stands below the steps: the page scrolls when all is drawn."""
    tab.wait_for_function(
        "([element, lowest]) => { const { top } = element.getBoundingClientRect();"
        " return lowest <= top && top < 250; }",
        arg=[heading.element_handle(), lowest],
    )


def is_in_view(tab, selector: str) -> bool:
    box = tab.locator(selector).first.bounding_box()
    return box is not None and 0 <= box["y"] and box["y"] + box["height"] <= LAPTOP["height"]


# Of the main part of the page: the words and the controls above the fold.
FIRST_SCREEN = """() => {
  const main = document.querySelector("[data-testid=stMain]");
  const isSeen = (one) => {
    const { top, bottom, width } = one.getBoundingClientRect();
    return width > 1 && bottom > 0 && top < innerHeight;
  };
  const isLeftOut = (one) => one.matches?.("style, [data-testid=stIconMaterial]");
  const words = (box) => [box.shadowRoot, ...box.childNodes].filter(Boolean).flatMap((one) => {
    if (one.nodeType !== 3) return isLeftOut(one) ? [] : words(one);
    return isSeen(one.parentElement) ? one.textContent.match(/\\S+/g) ?? [] : [];
  });
  const kinds = ["TextInput", "Button", "Selectbox", "PageLink", "Popover", "Expander"];
  const controls = main.querySelectorAll(kinds.map((kind) => `[data-testid=st${kind}]`).join());
  return [words(main).length, [...controls].filter(isSeen).map((one) => one.dataset.testid)];
}"""
SHIFTS = """window.shift = 0; new PerformanceObserver((seen) => {
  for (const { value } of seen.getEntries()) window.shift += value;
}).observe({ type: "layout-shift" });"""
PICTURES_END = """() => Math.max(...[...document.querySelectorAll(".st-key-course_map *")]
  .map((one) => one.shadowRoot?.querySelector(".lesson-picture").getBoundingClientRect())
  .map((box) => box?.bottom ?? 0))"""
OVER_THE_MENU = """() => {
  const menu = document.querySelector("[data-testid=stSidebar]");
  const { right } = menu.getBoundingClientRect();
  for (let y = 10; y < innerHeight; y += 10) {
    const one = document.elementFromPoint(right / 2, y);
    if (!menu.contains(one)) return one.outerHTML;
  }
  return null;
}"""
FOCUSED = """() => {
  let one = document.activeElement;
  while (one.shadowRoot) one = one.shadowRoot.activeElement;
  return one.dataset.value ?? one.closest("[class*=st-key]").className;
}"""


def test_home_asks_for_one_word_then_follows_each_click_with_bars_and_the_whole_way(tab):
    tab.emulate_media(reduced_motion="no-preference")
    tab.add_init_script(SHIFTS)
    for language in ("de", "en"):
        tab.set_viewport_size(LOW)
        tab.goto(f"/?lang={language}")
        wait_until_finished(tab)
        asks_for_one_word(tab, language)
        if language == "de":
            assert not unreadable(tab), "cut beside the menu"
        else:
            tab.mouse.move(900, 300)
            tab.mouse.wheel(0, 600)
            tab.wait_for_function(f"low => ({PICTURES_END})() <= low", arg=LOW["height"])
            tab.mouse.wheel(0, -600)
            tab.wait_for_function("!document.querySelector('[data-testid=stMain]').scrollTop")
        go_on_a_phone(tab)
        tab.set_viewport_size(PHONE)
        wait_until_finished(tab)
        asks_for_one_word(tab, language)
    its_bars_follow_each_press_and_nothing_else_moves(tab)
    tab.set_viewport_size(LOW)
    wait_until_finished(tab)
    # The film waits until it is in view.
    way = tab.locator(".way.film")
    assert "still" in way.get_attribute("class")
    tab.locator(".st-key-home_whole").scroll_into_view_if_needed()
    tab.locator(".way.film:not(.still)").wait_for()
    # A card of the course map is a link all over.
    for lesson in LESSONS:
        card = tab.locator(f".st-key-card_{lesson.slug}")
        card.scroll_into_view_if_needed()
        box = card.bounding_box()
        for x, y in ((8, 8), (box["width"] - 8, box["height"] - 8)):
            hit = tab.evaluate(
                "([x, y]) => document.elementFromPoint(x, y)?.closest('a')?.getAttribute('href')",
                [box["x"] + x, box["y"] + y],
            )
            assert hit and lesson.slug in hit
    assert not findings(tab)


def asks_for_one_word(tab, language: str) -> None:
    size = tab.viewport_size
    n_words, controls = tab.evaluate(FIRST_SCREEN)
    menu = tab.get_by_test_id("stMainMenuButton").bounding_box()
    assert menu["x"] + menu["width"] <= size["width"], "next to the logo"
    assert n_words <= 40 and controls == ["stTextInput", "stButton"], (language, size)


def its_bars_follow_each_press_and_nothing_else_moves(tab) -> None:
    def shift_of(press) -> float:
        tab.evaluate("window.shift = 0")
        press()
        wait_until_finished(tab)
        return tab.evaluate("window.shift")

    def write() -> None:
        tab.locator(".st-key-home_text input").fill("My grandmother bakes bread.")
        tab.wait_for_url("**home_text=My+grandmother*")

    assert shift_of(tab.locator(".st-key-home_reveal button").click) <= 0.02
    assert "home_reveal" in tab.evaluate(FOCUSED), "its successor has the focus"
    for n_bars, (word, number) in enumerate((("train", "6"), ("station", "4")), 2):
        assert shift_of(tab.locator("button.chip", has_text=word).click) <= 0.02
        assert tab.evaluate(FOCUSED) == number
        assert tab.locator(".bars").count() == n_bars
    assert shift_of(write) <= 0.03, "the field comes back into view"
    assert tab.locator(".chips.sentence").inner_text().split() == "My grandmother bakes ? .".split()


def test_in_german_nothing_is_cut_beside_the_menu_or_on_a_phone(tab, pytestconfig):
    links = [link for _, link in views()]
    other = links[number_of_run(pytestconfig) % len(links)]
    for link in ("/prediction_and_loss?", other):
        tab.set_viewport_size({"width": WIDTHS[0], "height": 900})
        tab.goto(f"{link}&lang=de")
        wait_until_finished(tab)
        assert not unreadable(tab), link


def test_next_lands_on_the_heading_of_the_part_and_folds_the_opening(tab):
    tab.set_viewport_size(LAPTOP)
    tab.emulate_media(color_scheme="dark")
    tab.goto("/attention_mask")
    wait_until_finished(tab)
    it_is_dark_on_white_on_paper_whatever_the_theme(tab)
    assert tab.locator(".st-key-opening_figure").is_visible()
    tab.locator(".st-key-attention_mask_part_next button").click()
    heading = tab.get_by_role("heading", name=read_words("attention_mask").label("part_worked"))
    heading.wait_for()
    wait_until_finished(tab)
    steps = tab.locator(".st-key-steps").bounding_box()
    wait_until_near_the_top(tab, heading, steps["y"] + steps["height"])
    assert not tab.locator(".st-key-opening_figure").is_visible()
    tab.get_by_role("button", name=read_words("frame").label("opening_show")).click()
    assert tab.locator(".st-key-opening_figure").is_visible()
    a_button_in_a_part_changes_what_stands_outside_of_it(tab)


def it_is_dark_on_white_on_paper_whatever_the_theme(tab) -> None:
    tab.emulate_media(media="print")
    page = tab.evaluate(ON_PAPER)
    red, green, blue = (int(INK[at : at + 2], 16) for at in (1, 3, 5))
    assert page["ink"] == f"rgb({red}, {green}, {blue})"
    assert page["paper"] == "rgba(0, 0, 0, 0)"
    assert page["pressed"] == []
    assert page["cut"] == "visible" and page["drawings"] >= 3
    tab.emulate_media(media="screen")


def a_button_in_a_part_changes_what_stands_outside_of_it(tab) -> None:
    name = read_words("attention_mask").label("part_heads")
    tab.locator(".st-key-attention_mask_part button").get_by_text(name, exact=True).click()
    tab.wait_for_url("**part=heads*")
    tab.locator('.st-key-attention_mask_heads [data-value="1,0"]').first.click()
    tab.wait_for_url("**attention_mask_head=2*")
    assert "part=heads" not in tab.url


def test_a_link_to_a_part_opens_at_its_heading_and_back_leads_out_of_one_that_is_gone(tab):
    tab.set_viewport_size(LAPTOP)
    tab.goto("/masking?masking_part=why")
    wait_until_finished(tab)
    heading = tab.get_by_role("heading", name=read_words("masking").label("part_why"))
    wait_until_near_the_top(tab, heading)
    tab.goto("/masking?masking_part=task")
    tab.wait_for_url("**/masking?masking_part=exercises*")
    wait_until_finished(tab)
    for _ in range(4):  # the browser keeps the old link and, on a slow server, what it led to
        if "part=why" not in tab.url:
            tab.go_back()
            wait_until_finished(tab)
    assert "part=why" in tab.url


def test_a_reload_keeps_record_and_pasted_text_until_they_are_forgotten(tab):
    tab.goto("/subword_tokens?subword_tokens_part=vocabulary&subword_tokens_curve=own")
    wait_until_finished(tab)
    field = tab.locator(".st-key-subword_tokens_own textarea")
    field.fill("Herons wait by the river. " * 20)
    field.press("Control+Enter")
    wait_until_finished(tab)
    tab.reload()
    wait_until_finished(tab)
    tab.wait_for_function(
        "() => document.querySelector('.st-key-subword_tokens_own textarea')"
        "?.value.startsWith('Herons')"
    )
    tab.goto("/?home_record=true")
    wait_until_finished(tab)
    progress = tab.locator(".st-key-progress_subword_tokens")
    one_part = f"1 of {len(BY_SLUG['subword_tokens'].parts)}"
    progress.get_by_text(one_part).wait_for()
    tab.locator(".st-key-home_record_forget button").click()
    wait_until_finished(tab)
    tab.wait_for_function("() => !Object.keys(sessionStorage).some((n) => n.startsWith('mlm_'))")
    tab.reload()
    wait_until_finished(tab)
    assert not progress.get_by_text(one_part).count()


def test_on_a_phone_a_choice_closes_the_menu_and_a_tap_beside_it_presses_nothing(phone, server):
    phone.goto("/")
    wait_until_finished(phone)
    door = phone.locator(".st-key-door_look_it_up")
    door.scroll_into_view_if_needed()
    beneath = door.bounding_box()["y"] + 20  # a tap there would follow the link
    menu = phone.locator("[data-testid=stSidebar]")
    opened = "[data-testid=stSidebar][data-collapsed='false']"
    phone.locator("[data-testid=stExpandSidebarButton]").tap()
    phone.wait_for_selector(opened)
    phone.wait_for_function(IS_OPEN)
    phone.touchscreen.tap(phone.viewport_size["width"] - 25, beneath)
    phone.wait_for_selector(opened, state="detached")
    assert phone.url.rstrip("/") == server.url
    phone.locator("[data-testid=stExpandSidebarButton]").tap()
    phone.wait_for_selector(opened)
    phone.wait_for_function(IS_OPEN)
    menu.get_by_role("link", name="Masking").tap()
    phone.wait_for_url("**/masking*")
    phone.wait_for_selector(opened, state="detached")
    phone.get_by_role("heading", name=read_words("masking").plain("title")).wait_for()
    phone.locator("[data-testid=stExpandSidebarButton]").tap()
    phone.wait_for_function(IS_OPEN)
    assert phone.evaluate(OVER_THE_MENU) is None, "the title of the lesson lies over the menu"
