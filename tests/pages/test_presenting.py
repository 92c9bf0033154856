"""Presentation mode: by the link or the key, from page to page, with locks."""

from dataclasses import replace

from pages.server import session
from pages.server.course.lessons import BY_SLUG
from pages.server.figures.show import Presented
from pages.server.frame import presenting
from pages.server.record import evidence_card
from tests.pages.test_locks import in_link

MASKING, SENSES = "pages/3_masking.py", "pages/7_word_senses.py"


def test_a_link_presents_the_opening_and_the_part_and_locks_hold(open_page):
    app = open_page(MASKING, present="1", masking_part="rule", lock="masking_part")
    assert not app.exception and session.of(Presented, app.session_state).is_on
    assert in_link(app, "present") == "1"
    assert not any("After this lesson you can" in one.value for one in app.markdown)
    shown = " ".join(str(one.proto) for one in app.get("bidi_component"))
    assert "masking_play" in shown and "masking_rule_play" in shown
    assert any(one.key == "open_locks" for one in app.button)


def test_the_mode_goes_from_page_to_page_and_ends_with_the_link_s_word(open_page):
    app = open_page(MASKING, present="1")
    app.query_params.clear()
    app.switch_page(SENSES).run()
    assert session.of(Presented, app.session_state).is_on and in_link(app, "present") == "1"
    app.query_params["present"] = "0"
    app.switch_page(MASKING).run()
    assert in_link(app, "present") is None


def test_where_the_opening_has_no_figure_a_note_changes_the_kept_card_alone(open_warm_page):
    lesson, second = BY_SLUG["attention_mask"], "attention_mask_second"

    def note(app, name: str, text: str) -> dict:
        app.text_area(key=evidence_card.note_key(lesson.slug, name)).set_value(text).run()
        assert not app.exception
        return session.of(evidence_card.Cards, app.session_state).kept

    link = {"attention_mask_part": "in_short", second: "Herons wait."}
    app = open_warm_page(lesson.file, **link)
    assert app.button(key="attention_mask_card_keep").disabled, "the sentences share no word"
    assert lesson.slug not in note(app, "expected", "Both"), "nothing is seen yet"
    app.text_input(key=second).set_value("The old bank.").run()
    kept = note(app, "expected", "Both sides")[lesson.slug]
    assert kept.result and kept.expected == "Both sides"
    app.text_input(key=second).set_value("Herons wait.").run()
    changed = note(app, "failed", "The left")[lesson.slug]
    assert changed == replace(kept, failed="The left")


def test_the_smallest_text_of_charts_is_drawn_with_24_pixels_at_1920():
    # Our charts' smallest text has 13 pixels, a page's text 16.
    assert 13 * 1920 / presenting.WIDTH >= 24
    assert "[data-presenting]" in presenting.STYLE
