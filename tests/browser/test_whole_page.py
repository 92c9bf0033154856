"""A button in one part changes what stands outside of it, and the page follows.

That a sentence of the opening reaches the part below: test_first_use.py.
"""

from tests.browser.live import wait_until_finished


def test_a_button_in_a_part_changes_what_stands_outside_of_it(tab):
    tab.goto("/attention_mask?attention_mask_part=compare")
    wait_until_finished(tab)
    tab.locator(".st-key-attention_mask_try_cost button").click()
    tab.wait_for_url("**part=cost*")
