"""A term is explained where a text has it: to the mouse, to the keyboard, and to touch."""

from pages.server.course.terms import TERMS_FILE, first_sentence, read_table, terms_in, view_of
from pages.server.course.words import read_words
from tests.browser.live import wait_until_finished

TERM, _meaning = terms_in("en")["Surprisal"]
DEFINITION = first_sentence(_meaning)
PLACES = next(row[-1] for row in read_table(TERMS_FILE) if row[0] == TERM)
NOTE = "#mlm-term-note"


def term_of(tab):
    return tab.get_by_test_id("stMarkdownContainer").get_by_role("link", name="surprisal").first


def test_the_mouse_and_the_keyboard_show_a_definition_and_its_note_leads_further(tab):
    tab.goto("/prediction_and_loss?lang=en")
    wait_until_finished(tab)
    note, term = tab.locator(NOTE), term_of(tab)
    assert not note.is_visible()
    term.hover()
    note.wait_for()
    assert note.inner_text().startswith(DEFINITION)
    note.hover()  # the mouse can go to the note, which has a link
    tab.wait_for_timeout(400)
    assert note.is_visible()
    tab.keyboard.press("Escape")
    note.wait_for(state="hidden")
    term.focus()
    note.wait_for()
    assert note.get_attribute("id") == term.get_attribute("aria-describedby")
    tab.keyboard.press("Escape")
    note.wait_for(state="hidden")

    tab.mouse.move(0, 0)
    term.hover()
    view, more = (note.get_by_role("link").nth(i) for i in (0, -1))
    assert view.inner_text() == read_words("frame", "en").plain("term_view")
    assert more.inner_text() == read_words("frame", "en").plain("term_more")
    assert view.get_attribute("href").endswith(view_of(PLACES, {}))
    with tab.expect_popup() as beside:
        more.click()
    wait_until_finished(beside.value)
    assert DEFINITION in beside.value.get_by_test_id("stMain").inner_text()
    assert "/prediction_and_loss" in tab.url
    beside.value.close()


def test_a_tap_shows_the_definition_and_goes_nowhere(phone):
    phone.goto("/prediction_and_loss?lang=en")
    wait_until_finished(phone)
    n_pages = len(phone.context.pages)
    term_of(phone).tap()
    note = phone.locator(NOTE)
    note.wait_for()
    assert note.inner_text().startswith(DEFINITION) and len(phone.context.pages) == n_pages
    box = note.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    phone.get_by_role("heading", level=1).tap()
    note.wait_for(state="hidden")
