"""Presentation mode: by the link or the key, from page to page, with locks."""

from dataclasses import replace

import pytest

from pages.shared.course.lessons import BY_SLUG, LESSONS
from pages.shared.frame import presenting
from pages.shared.frame.page_style import STYLE
from pages.shared.record import evidence_card
from tests.pages.test_locks import control, in_link

MASKING, SENSES = "pages/3_masking.py", "pages/7_word_senses.py"


def opening(app):
    """Return the switch that unfolds the opening, or None."""
    return control(app, presenting.OPENING_SHOWN)


def shows_goals(app):
    return any("After this lesson you can" in one.value for one in app.markdown)


def test_a_link_presents_with_the_opening_folded_and_locks_hold(open_page):
    app = open_page(MASKING, present="1", masking_part="rule", lock="masking_part")
    assert not app.exception and presenting.PRESENTING in app.session_state
    assert not shows_goals(app)
    n_folded = len(app.get("bidi_component"))
    assert opening(app).value is False and in_link(app, "present") == "1"
    opening(app).set_value(True).run()
    assert not app.exception and len(app.get("bidi_component")) > n_folded
    assert any(one.key == "open_locks" for one in app.button)


def test_the_mode_goes_from_page_to_page_and_ends_with_the_link_s_word(open_page):
    app = open_page(MASKING, present="1")
    app.query_params.clear()
    app.switch_page(SENSES).run()
    assert opening(app) is not None and in_link(app, "present") == "1"
    app.query_params["present"] = "0"
    app.switch_page(MASKING).run()
    assert opening(app) is None and in_link(app, "present") is None


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_in_short_is_drawn_where_the_opening_is_folded_and_its_card_cannot_be_kept(
    lesson, open_warm_page
):
    in_short = {f"{lesson.slug}_part": "in_short"}
    app = open_warm_page(lesson.file, present="1", **in_short)
    assert not app.exception and not app.error
    assert app.button(key=f"{lesson.slug}_card_keep").disabled


def test_where_the_opening_is_folded_a_note_changes_the_kept_card_alone(open_warm_page):
    lesson = BY_SLUG["attention_mask"]

    def note(app, name: str, text: str) -> dict:
        app.text_area(key=evidence_card.note_key(lesson.slug, name)).set_value(text).run()
        assert not app.exception
        has_any = evidence_card.CARDS in app.session_state
        return app.session_state[evidence_card.CARDS] if has_any else {}

    in_short = {"attention_mask_part": "in_short"}
    app = open_warm_page(lesson.file, present="1", **in_short)
    assert lesson.slug not in note(app, "expected", "Both"), "nothing is seen yet"
    opening(app).set_value(True).run()
    kept = note(app, "expected", "Both sides")[lesson.slug]
    assert kept.result and kept.expected == "Both sides"
    opening(app).set_value(False).run()
    changed = note(app, "failed", "The left")[lesson.slug]
    assert changed == replace(kept, failed="The left")


def test_the_smallest_text_of_charts_is_drawn_with_24_pixels_at_1920():
    # Our charts' smallest text has 13 pixels, a page's text 16.
    assert 13 * 1920 / presenting.WIDTH >= 24
    assert "[data-presenting]" in STYLE
