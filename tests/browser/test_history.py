"""Back and Forward bring back what a view had: texts, numbers, choices, drawings."""

from pages.server.course.words import read_words
from pages.server.link.controls import part_key
from tests.browser.live import draw_over, wait_until_finished

SENTENCE = "Two herons wait here."
# A folded field, a chart, and words that are marked, and what the field is folded under. A plain
# field: the test of parts below. That all controls of all lessons are in the link:
# tests/pages/test_every_view.py.
LESSONS_ON_THE_WAY = {
    "attention_mask": read_words("attention_mask").label("contrast_sentences"),
    "word_senses": "",
    "bio_tagging": "",
}
# What each widget of a lesson shows, by its key: texts, numbers, and the label that is chosen.
SHOWN = """(slug) => Object.fromEntries(
  [...document.querySelectorAll(`[data-testid=stMain] [class*="st-key-${slug}_"]`)]
    .filter((one) => one.matches('[data-testid=stElementContainer]'))
    .map((one) => [
      [...one.classList].find((name) => name.startsWith("st-key-")).slice(7),
      [...one.querySelectorAll('input, textarea')].map((field) => field.value)
        .concat([...one.querySelectorAll('[aria-checked=true]')].map((on) => on.textContent)),
    ])
    .filter(([, values]) => values.length))"""


def shown(tab, slug: str) -> dict[str, list[str]]:
    wait_until_finished(tab)
    return tab.evaluate(SHOWN, slug)


def go_to(tab, slug: str) -> None:
    """Follow the link of the sidebar."""
    tab.get_by_test_id("stSidebar").locator(f"a[href*='{slug}']").click()
    is_at(tab, slug)


def is_at(tab, slug: str) -> None:
    """Wait until a lesson is drawn."""
    tab.wait_for_url(f"**/{slug}*")
    tab.locator(f".st-key-{part_key(slug)}").wait_for()
    wait_until_finished(tab)


FIELD = ":is([data-testid=stTextInput], [data-testid=stNumberInput]) input:visible"


def type_into(tab, key: str, text: str, fold: str = "") -> None:
    """Type into the first field of a widget, or of the opening, which may be folded."""
    if fold:
        tab.locator(".st-key-opening_figure").get_by_text(fold, exact=True).click()
    field = tab.locator(f".st-key-{key} {FIELD}").first
    field.fill(text)
    field.press("Enter")
    wait_until_finished(tab)


def change_a_number(tab) -> None:
    """Change the first number that is drawn, if there is one."""
    field = tab.get_by_test_id("stMain").locator(
        ":is([data-testid=stNumberInput], [data-testid=stSlider]) input:visible"
    )
    if field.count():
        field.first.focus()
        for key in (
            ("Home",) if field.first.get_attribute("type") == "range" else ("ArrowUp", "Enter")
        ):
            field.first.press(key)
        wait_until_finished(tab)


def unfold(tab) -> None:
    wait_until_finished(tab)
    tab.get_by_role("button", name=read_words("frame").label("opening_show")).click()


def comes_back(tab, slug: str, view: dict[str, list[str]]) -> None:
    """Wait until a lesson's widgets show what they had, and stay so."""
    tab.wait_for_function(
        f"""([slug, was]) => {{
          const now = ({SHOWN})(slug);
          return Object.keys(was).every((key) => String(now[key]) === String(was[key]));
        }}""",
        arg=[slug, view],
    )
    assert shown(tab, slug) == view


def test_what_was_typed_comes_back_in_lessons_of_every_kind_with_the_model_of_each(tab):
    tab.goto("/attention_mask?model=FacebookAI%2Froberta-base")
    wait_until_finished(tab)
    model = tab.locator(".st-key-model input")
    views, addresses, models = {}, {}, {}
    for slug, fold in LESSONS_ON_THE_WAY.items():
        if views:
            go_to(tab, slug)
        if slug == "word_senses":
            assert model.input_value() == "FacebookAI/roberta-base" and "roberta" in tab.url
            model.click()
            model.fill("mini-bert")
            tab.get_by_role("option", name="mini-bert", exact=True).click()
            wait_until_finished(tab)
        type_into(tab, "opening_figure", SENTENCE, fold)
        change_a_number(tab)
        if slug == "bio_tagging":  # a name is marked by drawing the mouse over its words
            draw_over(tab, '[data-value="0"] .box', '[data-value="1"] .box')
            tab.wait_for_url("**PER%3A0-2**")
        views[slug], addresses[slug] = shown(tab, slug), tab.url
        models[slug] = model.input_value()
        assert "herons" in tab.url  # also where the field is folded
        assert ("roberta" in tab.url) == ("roberta" in models[slug]) == (len(views) == 1)
    back, forward = list(views)[-2::-1], list(views)[1:2]
    for slugs, turn in ((back, tab.go_back), (forward, tab.go_forward)):
        for slug in slugs:
            turn()
            comes_back(tab, slug, views[slug])
            assert tab.url == addresses[slug]
            assert model.input_value() == models[slug]


def test_back_from_home_and_from_another_part_shows_what_was_there_then(tab):
    tab.goto("/masking?masking_part=passes&masking_seed=7")
    unfold(tab)
    type_into(tab, "masking_text", SENTENCE)
    tab.locator(".st-key-masking_way button").last.click()
    view = shown(tab, "masking")
    tab.locator(".st-key-masking_part button").first.click()  # its address names no part
    tab.get_by_role("heading", name=read_words("masking").label("part_rule")).wait_for()
    unfold(tab)
    type_into(tab, "masking_text", "Later words stand.")
    type_into(tab, "masking_seed", "55", read_words("masking").label("seed"))
    tab.keyboard.press("Escape")
    tab.get_by_text(read_words("masking").label("rule_details")).click()
    tab.locator(".st-key-masking_unit button").first.click()
    later = shown(tab, "masking")
    tab.get_by_test_id("stSidebar").locator("a").first.click()
    tab.locator(".st-key-home_doors").wait_for()
    wait_until_finished(tab)
    type_into(tab, "home_text", SENTENCE)
    tab.go_back()
    comes_back(tab, "masking", later)
    tab.go_back()
    tab.get_by_role("heading", name=read_words("masking").label("part_passes")).wait_for()
    comes_back(tab, "masking", view)
    tab.go_forward()
    tab.get_by_role("heading", name=read_words("masking").label("part_rule")).wait_for()
    comes_back(tab, "masking", later)
    tab.go_forward()
    tab.locator(".st-key-home_doors").wait_for()
    assert shown(tab, "home")["home_text"] == [SENTENCE]
