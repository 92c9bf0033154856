"""A button in one part changes what stands outside of it, and the page follows."""

import pytest
from playwright.sync_api import expect

from pages.shared.course.words import read_words
from tests.browser.live import wait_until_finished


@pytest.mark.parametrize(
    ("path", "pressed", "then_in_link"),
    [
        ("attention_mask?attention_mask_part=compare", "attention_mask_try_cost", "part=cost"),
        ("masking?masking_seed=4", "masking_do_again", "masking_seed=5"),
    ],
)
def test_a_button_in_a_part_changes_what_stands_outside_of_it(tab, path, pressed, then_in_link):
    tab.goto(f"/{path}")
    wait_until_finished(tab)
    assert then_in_link not in tab.url
    tab.locator(f".st-key-{pressed} button").click()
    tab.wait_for_url(f"**{then_in_link}*")


def test_a_sentence_of_the_opening_reaches_the_part_below(tab):
    tab.goto("/attention_mask")
    wait_until_finished(tab)
    mine = "The bank of our village lends books."
    tab.get_by_text(read_words("attention_mask").label("contrast_sentences")).click()
    tab.locator(".st-key-attention_mask_first input").fill(mine)
    below = tab.locator(".st-key-attention_mask_text input")
    expect(below).to_have_value(mine)
    assert "attention_mask_first=" in tab.url and "attention_mask_text=" not in tab.url
