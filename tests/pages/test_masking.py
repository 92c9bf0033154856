"""The lesson "masking", run whole, without a browser."""

import re

import pytest

from pages.parts.masking.setting import DEFAULT_SEED

FILE = "pages/3_masking.py"
MID_PLAY = {"masking_step": "2"}  # chosen, and one die has fallen


def text_of(app) -> str:
    """Return all Markdown of the page without the marks that keep learners' text plain."""
    return re.sub(r"\\(.)", r"\1", " ".join(element.value for element in app.markdown))


def drawings(app) -> str:
    """Return what our drawings were given, as one text."""
    return "".join(str(element.proto) for element in app.get("bidi_component"))


def press(app, name: str):
    return app.button(key=f"masking_do_{name}").click().run()


def test_the_opening_begins_unplayed_and_a_link_may_begin_in_mid_play(open_warm_page):
    app = open_warm_page(FILE)
    assert "Nothing is chosen yet" in text_of(app)
    assert not app.button(key="masking_do_choose").disabled
    app = open_warm_page(FILE, **MID_PLAY)
    assert "The second draw of **last** at position 4 is 0.715" in text_of(app)
    assert "4, 5, 8 (3 of 17)" in text_of(app)
    assert app.button(key="masking_do_choose").disabled
    assert not app.button(key="masking_do_replace").disabled


def test_the_buttons_step_through_each_token_and_the_default_shows_all_three_actions(
    open_warm_page,
):
    app = press(open_warm_page(FILE), "choose")
    assert "smallest are chosen, and their" in text_of(app)
    played = {
        "M": "now sees [MASK] instead of **last** at position 4",
        "K": "**train** at position 5 is unchanged",
        "R": "now sees **noon** instead of **home** at position 8",
    }
    for number, (zone, replaced) in enumerate(played.items(), start=1):
        assert app.button(key="masking_do_next").disabled
        press(app, "roll")
        assert f"in zone {zone}" in text_of(app) and app.session_state["masking_step"] == str(
            2 * number
        )
        assert app.button(key="masking_do_next").disabled, "it is not replaced yet"
        press(app, "replace")
        assert replaced in text_of(app)
        if number < len(played):
            assert "press **Next token**" in text_of(app)
            press(app, "next")
            assert app.session_state["masking_step"] == str(2 * number + 1), "nothing is drawn yet"
            assert "The next chosen token is" in text_of(app)
    assert "All chosen tokens are done" in text_of(app)
    assert app.button(key="masking_do_next").disabled and app.button(key="masking_do_all").disabled


def test_all_steps_can_be_shown_at_once_and_again_takes_new_draws(open_warm_page):
    app = press(open_warm_page(FILE, **MID_PLAY), "all")
    assert "All chosen tokens are done" in text_of(app)
    assert app.button(key="masking_do_all").disabled
    press(app, "again")
    assert "Nothing is chosen yet" in text_of(app)
    assert app.number_input(key="masking_seed").value == DEFAULT_SEED + 1


def test_a_die_set_by_hand_changes_the_branch_and_goes_into_the_link(open_warm_page):
    app = open_warm_page(FILE, **MID_PLAY)
    app.slider(key="masking_hand_die_4").set_value(0.95).run()
    assert "is 0.950, in zone K: keep it" in text_of(app)
    assert app.query_params["masking_dice"] in ("4d0.95", ["4d0.95"])
    press(app, "forget")
    assert "is 0.715" in text_of(app)


def test_a_draw_set_by_hand_changes_the_choice(open_warm_page):
    app = open_warm_page(FILE, masking_dice="9s0", masking_step="1")
    assert "4, 8, 9 (3 of 17)" in text_of(app)


def test_broken_dice_in_a_link_are_told_and_left_out(open_warm_page):
    app = open_warm_page(FILE, **MID_PLAY, masking_dice="<b>_2d7")
    assert "could not be read" in app.warning[0].value
    assert "is 0.715" in text_of(app)


def test_a_special_token_says_why_it_is_never_chosen(open_warm_page):
    app = open_warm_page(FILE, **MID_PLAY, masking_at="0")
    assert "**[CLS]** at position 0 is a special token" in text_of(app)


def test_a_text_without_words_asks_for_one(open_warm_page):
    app = open_warm_page(FILE, masking_text="[MASK] [SEP]", masking_part="rule")
    assert any("no word that can be chosen" in info.value for info in app.info)
    assert not app.error


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ({"masking_unit": "span"}, ", as in SpanBERT.**"),
        (
            {"masking_unit": "word", "masking_text": "We walked home through the snowstorm."},
            "Words of more than 2 subwords here: 1.",
        ),
        ({"masking_selection": "independent"}, "Each token independently, as in transformers"),
        ({"masking_words": "uniform"}, "BERT's own code and transformers do this"),
    ],
)
def test_a_rule_from_the_link_is_played(open_warm_page, link, words):
    app = open_warm_page(FILE, masking_part="rule", **link)
    assert words in text_of(app)


def test_any_three_rates_sum_to_one(open_warm_page):
    app = open_warm_page(FILE, masking_part="rule")
    app.slider(key="masking_zones").set_value((0, 0)).run()
    assert any("0/0/100" in caption.value.replace("\\", "") for caption in app.caption)
    app.slider(key="masking_zones").set_value((100, 100)).run()
    assert any("100/0/0" in caption.value.replace("\\", "") for caption in app.caption)
    assert not app.error and not app.exception


def test_thousands_of_draws_get_a_verdict_and_can_be_done_again(open_warm_page):
    app = open_warm_page(FILE, masking_part="how_often")
    first = text_of(app)
    assert "The actions of 3,000 draws" in first and first.count("degrees of freedom") == 2
    app.button(key="masking_run_go").click().run()
    assert text_of(app) != first and text_of(app).count("degrees of freedom") == 2


@pytest.mark.parametrize(
    ("unit", "words"), [("span", "no expected line"), ("word", "no expected line")]
)
def test_where_no_formula_gives_a_chance_it_says_so(open_warm_page, unit, words):
    app = open_warm_page(FILE, masking_part="how_often", masking_unit=unit)
    assert words in text_of(app)


def test_short_sentences_are_guessed_before_they_are_shown(open_warm_page):
    app = open_warm_page(FILE, masking_part="short")
    assert "37.7" not in text_of(app)
    app.segmented_control(key="masking_short_guess").set_value("5").run()
    shown = text_of(app)
    assert "(1 − 0.15)⁶ = 37.7\u00a0%" in shown and "You guessed 5\u00a0%" in shown
    assert "none at all in 37.7\u00a0% of cases by the formula" in shown  # six tokens by default


def test_the_model_is_asked_with_mask_random_word_and_word(open_warm_page):
    app = open_warm_page(FILE, masking_part="why")
    found = re.search(
        r"position: ([\d.]+) with \[MASK\], ([\d.]+) with .*?, ([\d.]+) with", text_of(app)
    )
    behind_mask, behind_random, in_sight = map(float, found.groups())
    assert in_sight > 0.5 > behind_mask and in_sight > behind_random


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("masking", "[MASK]"),
        ("infilling", "<extra_id_0>"),
        ("deletion", "Nothing marks the missing words"),
        ("insertion", "Extra words"),
        ("substitution", "Nothing marks the wrong words"),
        ("permutation", "order of the sentences"),
    ],
)
def test_every_noise_shows_text_and_target(open_warm_page, kind, words):
    app = open_warm_page(FILE, masking_part="denoising", masking_noise=kind)
    assert words in text_of(app) + drawings(app).replace("&lt;", "<").replace("&gt;", ">")
    assert not app.error and not app.exception


def test_one_sentence_can_not_be_put_in_another_order(open_warm_page):
    app = open_warm_page(
        FILE, masking_part="denoising", masking_noise="permutation", masking_noise_text="One."
    )
    assert any("only one sentence" in info.value for info in app.info)


def test_a_tiny_roll_stays_a_number_in_the_link(open_warm_page):
    app = open_warm_page(FILE, masking_dice="9s0.000001")
    assert not app.warning
    assert app.query_params["masking_dice"] in ("9s0.000001", ["9s0.000001"])
