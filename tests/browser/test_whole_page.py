"""A button in one part changes what stands outside of it, and the page follows."""

from playwright.sync_api import expect

from pages.shared.course.words import read_words
from tests.browser.live import wait_until_finished


def test_a_button_in_a_part_changes_what_stands_outside_of_it(tab):
    tab.goto("/attention_mask?attention_mask_part=compare")
    wait_until_finished(tab)
    tab.locator(".st-key-attention_mask_try_cost button").click()
    tab.wait_for_url("**part=cost*")


def test_a_sentence_of_the_opening_reaches_the_part_below(tab):
    tab.goto("/attention_mask")
    wait_until_finished(tab)
    mine = "The bank of our village lends books."
    tab.get_by_text(read_words("attention_mask").label("contrast_sentences")).click()
    tab.locator(".st-key-attention_mask_first input").fill(mine)
    below = tab.locator(".st-key-attention_mask_text input")
    expect(below).to_have_value(mine)
    assert "attention_mask_first=" in tab.url and "attention_mask_text=" not in tab.url
