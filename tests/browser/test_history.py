"""Back and Forward bring back what a view had: texts, numbers, choices, drawings."""

from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from pages.shared.course.lessons import BY_SLUG, LESSONS
from pages.shared.course.words import read_words
from pages.shared.link.controls import OPENING, controls_of, part_key
from tests.browser.live import wait_until_finished

SENTENCE = "Two herons wait here."
# Numbers, in the opening and in a part: those of the other lessons come back below. That all
# controls of all lessons are in the link: tests/pages/test_every_view.py.
LINKS = {
    "attention_mask": {"attention_mask_query": "3", "attention_mask_layer": "3"},
    "bio_tagging": {"bio_tagging_part": "distribution", "bio_tagging_piece": "2"},
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


def text_of(slug: str, part: str) -> str | None:
    """Return the key of a field for a text that a view of a lesson draws, if it has one."""
    found = [
        key
        for key, control in controls_of(slug).items()
        if control.is_text and not control.when and {OPENING, part} & set(control.at)
    ]
    return found[0] if found else None


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
FOLD = ":is([data-testid=stPopover] button, [data-testid=stExpander] summary)"


def type_into(tab, key: str, text: str) -> None:
    """Type into the first field of a widget, or of the opening, where it may be folded."""
    field = tab.locator(f".st-key-{key} {FIELD}").first
    for fold in tab.locator(f".st-key-opening_figure {FOLD}").all():
        if field.count():
            break
        fold.click()
        wait_until_finished(tab)
        field = tab.locator(f":is(.st-key-{key}, [data-testid=stPopoverBody]) {FIELD}").first
    field.fill(text)
    field.press("Enter")
    wait_until_finished(tab)
    if tab.get_by_test_id("stPopoverBody").count():
        tab.keyboard.press("Escape")


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
        f"([slug, keys]) => keys.every((key) => key in ({SHOWN})(slug))", arg=[slug, list(view)]
    )
    assert shown(tab, slug) == view


@pytest.mark.parametrize("slug", LINKS)
def test_what_a_link_shows_comes_back_from_another_lesson(tab, slug):
    other, asked = "masking", dict(LINKS[slug])
    text = text_of(slug, asked.get(part_key(slug), BY_SLUG[slug].parts[0]))
    if text:
        asked[text] = SENTENCE
    tab.goto(f"/{slug}?{urlencode(asked)}")
    view, address = shown(tab, slug), tab.url
    assert asked.items() <= dict(parse_qsl(urlsplit(address).query)).items()
    assert text is None or view[text] == [SENTENCE]
    go_to(tab, other)
    tab.go_back()
    comes_back(tab, slug, view)
    tab.go_forward()
    is_at(tab, other)
    tab.go_back()
    comes_back(tab, slug, view)
    assert tab.url == address


def test_what_was_typed_comes_back_in_every_lesson(tab):
    tab.goto("/")
    wait_until_finished(tab)
    views, addresses = {}, {}
    for lesson in LESSONS:
        go_to(tab, lesson.slug)
        type_into(tab, "opening_figure", SENTENCE)
        change_a_number(tab)
        views[lesson.slug], addresses[lesson.slug] = shown(tab, lesson.slug), tab.url
        assert "herons" in tab.url  # also where the field is folded
    way = [lesson.slug for lesson in LESSONS]
    back, forward = way[-2::-1], way[1:3]
    for slugs, turn in ((back, tab.go_back), (forward, tab.go_forward)):
        for slug in slugs:
            turn()
            comes_back(tab, slug, views[slug])
            assert tab.url == addresses[slug]


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
    type_into(tab, "masking_seed", "55")
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


def test_a_model_that_was_chosen_later_is_not_that_of_the_view_before(tab):
    tab.goto("/masking?model=FacebookAI%2Froberta-base")
    wait_until_finished(tab)
    go_to(tab, "attention_mask")
    model = tab.locator(".st-key-model input")
    assert model.input_value() == "FacebookAI/roberta-base" and "roberta" in tab.url
    model.click()
    model.fill("mini-bert")
    tab.get_by_role("option", name="mini-bert").click()
    wait_until_finished(tab)
    assert "roberta" not in tab.url
    tab.go_back()
    is_at(tab, "masking")
    assert model.input_value() == "FacebookAI/roberta-base" and "roberta" in tab.url
    tab.go_forward()
    is_at(tab, "attention_mask")
    assert model.input_value() == "mini-bert" and "roberta" not in tab.url
