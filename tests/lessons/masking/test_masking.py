"""The lesson "masking", run whole, without a browser."""

import re

import pytest

from pages.lessons.masking import computed as masking_computed
from pages.lessons.masking.setting import DEFAULT_SEED
from tests.lessons.german import MODEL
from tests.seen import html_of, words_of

FILE = "pages/3_masking.py"
MID_PLAY = {"masking_step": "2"}  # chosen, and one die has fallen


def press(app, name: str):
    return app.button(key=f"masking_do_{name}").click().run()


def has_button(app, name: str) -> bool:
    return any(button.key == f"masking_do_{name}" for button in app.button)


def test_the_opening_begins_unplayed_and_a_link_may_begin_in_mid_play(open_warm_page):
    app = open_warm_page(FILE)
    assert "Nothing is chosen yet" in words_of(app) and "Draws: " not in words_of(app)
    assert has_button(app, "choose")
    app = open_warm_page(FILE, **MID_PLAY)
    assert "The second draw of **missed** at position 2 is 0.164" in words_of(app)
    assert "2, 7 (2 of 10)" in words_of(app)
    assert not has_button(app, "choose") and has_button(app, "replace")


def test_the_buttons_step_through_each_token_and_two_default_draws_show_all_three_actions(
    open_warm_page,
):
    app = press(open_warm_page(FILE), "choose")
    assert "smallest are chosen, and their" in words_of(app)
    draws = [
        {
            "M": "now sees [MASK] instead of **missed** at position 2",
            "K": "**home** at position 7 is unchanged",
        },
        {
            "M": "now sees [MASK] instead of **train** at position 4",
            "R": "now sees **repeatedly** instead of **home** at position 7",
        },
    ]
    for played in draws:
        if played is draws[1]:
            press(press(app, "again"), "choose")
        for number, (zone, replaced) in enumerate(played.items(), start=1):
            assert not has_button(app, "next")
            press(app, "roll")
            assert f"in zone {zone}" in words_of(app)
            assert app.session_state["masking_step"] == str(2 * number)
            assert not has_button(app, "next"), "it is not replaced yet"
            press(app, "replace")
            assert replaced in words_of(app)
            if number < len(played):
                assert "press **Next token**" in words_of(app)
                press(app, "next")
                assert app.session_state["masking_step"] == str(2 * number + 1), "not drawn yet"
                assert "The next chosen token is" in words_of(app)
        assert "All chosen tokens are done" in words_of(app)
        assert not has_button(app, "next") and not has_button(app, "all")
    assert "Draws: 2 · [MASK] **2** · random **1** · kept **1**" in words_of(app)


def test_all_steps_can_be_shown_at_once_and_again_takes_new_draws(open_warm_page):
    app = press(open_warm_page(FILE, **MID_PLAY), "all")
    assert "All chosen tokens are done" in words_of(app)
    press(app, "again")
    assert "Nothing is chosen yet" in words_of(app)
    assert app.number_input(key="masking_seed").value == DEFAULT_SEED + 1


def test_the_count_over_draws_is_that_of_each_seed_and_in_the_link(open_warm_page):
    def counts(app) -> list[int]:
        found = re.search(r"\*\*(\d+)\*\* · random \*\*(\d+)\*\* · kept \*\*(\d+)", words_of(app))
        return [int(one) for one in found.groups()]

    each = [
        counts(press(open_warm_page(FILE, masking_seed=str(DEFAULT_SEED + n)), "all"))
        for n in range(11)
    ]
    app = press(press(open_warm_page(FILE), "ten"), "all")
    assert app.query_params["masking_draws"] in ("10", ["10"])
    assert counts(app) == [sum(column) for column in zip(*each, strict=True)]


def test_a_die_set_by_hand_changes_the_branch_and_goes_into_the_link(open_warm_page):
    app = open_warm_page(FILE, **MID_PLAY)
    app.slider(key="masking_hand_die_2").set_value(0.95).run()
    assert "is 0.950, in zone K: keep it" in words_of(app) and "kept **1**" in words_of(app)
    assert app.query_params["masking_dice"] in ("2d0.95", ["2d0.95"])
    press(app, "forget")
    assert "is 0.164" in words_of(app)


def test_broken_dice_in_a_link_are_told_and_left_out(open_warm_page):
    app = open_warm_page(FILE, **MID_PLAY, masking_dice="<b>_2d7")
    assert "could not be read" in app.warning[0].value
    assert "is 0.164" in words_of(app)


def test_a_text_without_words_asks_for_one(open_warm_page):
    app = open_warm_page(FILE, masking_text="[MASK] [SEP]", masking_part="rule")
    assert any("no word that can be chosen" in info.value for info in app.info)
    assert not app.error


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ({"masking_unit": "span"}, ", as in SpanBERT** (Joshi"),
        (
            {"masking_unit": "word", "masking_text": "We walked home through the snowstorm."},
            "1 word has more than 2 subwords here.",
        ),
        ({"masking_selection": "independent"}, "Each token independently, as in transformers"),
        ({"masking_words": "uniform"}, "BERT's own code and transformers do this"),
    ],
)
def test_a_rule_from_the_link_is_played(open_warm_page, link, words):
    app = open_warm_page(FILE, masking_part="rule", **link)
    assert words in words_of(app)


def test_any_three_rates_sum_to_one(open_warm_page):
    app = open_warm_page(FILE, masking_part="rule")
    app.slider(key="masking_zones").set_value((0, 0)).run()
    assert any("0/0/100" in caption.value.replace("\\", "") for caption in app.caption)
    app.slider(key="masking_zones").set_value((100, 100)).run()
    assert any("100/0/0" in caption.value.replace("\\", "") for caption in app.caption)
    assert not app.error and not app.exception


def how_many(open_page, **link):
    """Open the part with the guess made."""
    app = open_page(FILE, masking_part="how_many", **link)
    assert "37.7" not in words_of(app), "the answer waits for the guess"
    return app.segmented_control(key="masking_short_guess").set_value("5").run()


def test_no_token_chosen_is_guessed_before_it_is_shown(open_warm_page):
    shown = words_of(how_many(open_warm_page))
    assert "(1 − 0.15)⁶ = 37.7\u00a0%" in shown and "You guessed 5\u00a0%" in shown
    assert "of 8 tokens none at all in **27.2\u00a0%**" in shown  # 0.85 to the power of 8
    shown = words_of(how_many(open_warm_page, masking_selection="fixed_count"))
    assert "0.15 × 10 tokens = 1.50" in shown and "always **2** of the 8" in shown


@pytest.mark.parametrize("selection", ["fixed_count", "independent"])
@pytest.mark.parametrize("counted", ["positions", "actions"])
def test_thousands_of_draws_get_a_verdict_and_can_be_done_again(open_warm_page, counted, selection):
    link = {"masking_counted": counted, "masking_selection": selection}
    app = how_many(open_warm_page, **link)
    first = words_of(app)
    assert first.count("degrees of freedom") == 1
    app.button(key="masking_run_go").click().run()
    assert words_of(app) != first and words_of(app).count("degrees of freedom") == 1


def test_short_texts_are_rounded_separately_before_packing_and_once_after(open_warm_page):
    found = re.search(
        r"Of (\d+) tokens, \*\*(\d+)\*\* .* and \*\*(\d+)\*\*", words_of(how_many(open_warm_page))
    )
    n, before, after = map(int, found.groups())
    assert before > after == round(0.15 * (n + 9))  # with [CLS] and eight [SEP]


def test_the_model_is_asked_with_mask_random_word_and_word(open_warm_page):
    app = open_warm_page(FILE, masking_part="why")
    found = re.search(
        r"position: ([\d.]+) with \[MASK\], ([\d.]+) with .*?, ([\d.]+) with", words_of(app)
    )
    behind_mask, behind_random, in_sight = map(float, found.groups())
    assert in_sight > 0.5 > behind_mask and in_sight > behind_random


def test_one_sentence_can_not_be_put_in_another_order(open_warm_page):
    app = open_warm_page(
        FILE, masking_part="denoising", masking_noise="permutation", masking_noise_text="One."
    )
    assert any("only one sentence" in info.value for info in app.info)


def test_a_tiny_roll_stays_a_number_in_the_link(open_warm_page):
    app = open_warm_page(FILE, masking_dice="9s0.000001")
    assert not app.warning
    assert app.query_params["masking_dice"] in ("9s0.000001", ["9s0.000001"])


@pytest.mark.parametrize(
    ("way", "rows"),
    [
        ("once", ["passes 1 to 12"]),
        ("ten", ["pass 1, 11", "pass 2, 12", *(f"pass {n}" for n in range(3, 11))]),
        ("anew", [f"pass {n}" for n in range(1, 13)]),
    ],
)
def test_passes_with_the_same_mask_are_one_row(open_warm_page, way: str, rows: list[str]):
    app = open_warm_page(FILE, masking_part="passes", masking_way=way)
    assert re.findall(r'scope="row">(pass[^<]*)<', html_of(app)) == rows


def test_random_german_words_come_from_many_german_sentences():
    assert len(masking_computed.random_word_sampler(MODEL, False, "de").ids) > 1_500
