"""A teacher's link fixes controls, locked or hidden, for a whole visit; and seeds of one's own."""

import re
from collections.abc import Callable, Iterator
from itertools import cycle

import pytest

from pages.lessons.masking.setting import DEFAULT_SEED
from pages.server import session
from pages.server.course.lessons import LESSONS
from pages.server.course.words import read_words
from pages.server.link.controls import controls_of, title_of
from pages.server.link.seeds import Seeds
from tests.hostile import LINK_VALUES, TEXTS

MASKING, ATTENTION, PAIRS = (
    "pages/3_masking.py",
    "pages/2_attention_mask.py",
    "pages/5_sentence_pairs.py",
)
BIO = "pages/10_bio_tagging.py"
FRAME = read_words("frame")
FIXED, OPEN = FRAME.section("fixed"), "open_locks"
RULE = {"masking_part": "rule"}
WIDGETS = (
    *("text_input", "text_area", "selectbox", "slider", "select_slider", "number_input"),
    *("button_group", "checkbox", "toggle", "multiselect"),
)


def control(app, key: str):
    """Return the widget with a key, or None if it isn't drawn."""
    found = [w for kind in WIDGETS for w in app.get(kind) if w.key == key]
    return found[0] if found else None


def in_link(app, key: str) -> str | None:
    """Return a parameter of the link as a browser shows it."""
    value = app.query_params.get(key)
    return value[-1] if isinstance(value, list) and len(value) == 1 else value


def troubles(app) -> list[str]:
    """Return what a page shows that it must not."""
    unexpected = FRAME.section("unexpected")
    return [
        *(exception.message for exception in app.exception),
        *(error.value for error in app.error if error.value == unexpected),
    ]


# Locked: shown with the link's value, without its use.


@pytest.mark.parametrize(
    ("file", "key", "link", "value"),
    [
        (MASKING, "masking_text", {"masking_text": "A cat sat."}, "A cat sat."),
        (MASKING, "masking_seed", {"masking_seed": "7"}, 7),
        (BIO, "bio_tagging_marked_text", {"bio_tagging_marked_text": "Ada met Bo"}, "Ada met Bo"),
        (MASKING, "masking_rate", RULE | {"masking_rate": "40"}, 40),
        (MASKING, "masking_zones", RULE | {"masking_zones": ["50", "60"]}, (50, 60)),
        (PAIRS, "sentence_pairs_alpha", {"sentence_pairs_part": "languages"}, 0.3),
        (PAIRS, "sentence_pairs_alpha",
         {"sentence_pairs_part": "languages", "sentence_pairs_alpha": "0.5"}, 0.5),
        ("pages/9_classification.py", "classification_set_epochs_head_few",
         {"classification_part": "train", "classification_set_trained": "head",
          "classification_set_examples": "10", "classification_set_epochs_head_few": "5"}, "5"),
        ("pages/6_train_an_encoder.py", "train_an_encoder_tied",
         {"train_an_encoder_part": "parameters", "train_an_encoder_tied": "false"}, False),
        ("pages/9_classification.py", "classification_answers_own_passage",
         {"classification_part": "answers", "classification_answers_source": "own",
          "classification_answers_own_passage": "Ada wrote it in 1843."}, "Ada wrote it in 1843."),
    ],
)  # fmt: skip
def test_each_kind_of_control_is_locked_with_its_value(
    file, key, link, value, open_warm_page: Callable
):
    app = open_warm_page(file, **link, lock=key)
    locked = control(app, key)
    assert locked.value == value and locked.disabled and not troubles(app)
    assert not app.warning, "no second source of the value, no complaint"
    if key in link:
        assert app.query_params[key] == link[key] or in_link(app, key) == link[key]
    app.run()
    assert control(app, key).value == value


GOLD = "O,O,B-PER,I-PER,O,B-ORG,I-ORG,I-ORG,O,O,O,B-LOC,O"
# What clicks and buttons change: page, key, value, the rest of the link, the buttons.
DRAWN = [
    (MASKING, "masking_dice", "2d0.95", {"masking_step": "2"},
     ("masking_do_forget", "masking_again_die")),
    (MASKING, "masking_step", "1", {}, ("masking_do_roll", "masking_do_all", "masking_do_again")),
    (MASKING, "masking_at", "1", {}, ()),
    (MASKING, "masking_run", "3", {"masking_part": "how_many"}, ("masking_run_go",)),
    (ATTENTION, "attention_mask_drawn", "00-00-00-00-00",
     {"attention_mask_kind": "drawn", "attention_mask_text": "One two."},
     ("attention_mask_drawn_start_causal", "attention_mask_drawn_undo")),
    (ATTENTION, "attention_mask_e", "2,0,0;0,1,0;0,0,1", {"attention_mask_part": "worked"},
     ("attention_mask_worked_reset",)),
    ("pages/4_prediction_and_loss.py", "prediction_and_loss_marks", "2m", {},
     tuple(f"prediction_and_loss_{name}" for name in ("draw", "clear", "figure"))),
    (BIO, "bio_tagging_marked_spans", "PER:0-1", {"bio_tagging_marked_text": "Ada met Bo"},
     tuple(f"bio_tagging_marked_button_{name}" for name in ("mark", "remove", "clear"))),
    (BIO, "bio_tagging_tags", f"jane/BIO/{GOLD}/{GOLD}", {"bio_tagging_part": "scores"},
     ("bio_tagging_scores_undo", "bio_tagging_scores_reset")),
]  # fmt: skip
EVERY_DRAWN = [pytest.param(*one, id=one[1]) for one in DRAWN]


@pytest.mark.parametrize("way", ["lock", "hide"])
def test_a_fixed_seed_fixes_the_dice(way: str, open_warm_page: Callable):
    app = open_warm_page(MASKING, **{way: "masking_seed"}, masking_dice="2d0.95")
    assert "masking_dice" in in_link(app, "lock")
    for name in ("masking_do_forget", "masking_again_die", "masking_do_again"):
        assert all(button.disabled for button in app.button if button.key.startswith(name))
    by_hand = [slider for slider in app.slider if slider.key.startswith("masking_hand")]
    assert all(slider.disabled for slider in by_hand)


def title_by_key(key: str) -> str:
    slug = next(lesson.slug for lesson in LESSONS if key.startswith(lesson.slug))
    return title_of(controls_of(slug)[key])


@pytest.mark.parametrize(("file", "key", "value", "link", "buttons"), EVERY_DRAWN)
def test_a_locked_drawing_shows_the_links_value_and_nothing_changes_it(
    file, key, value, link, buttons, open_warm_page: Callable
):
    app = open_warm_page(file, **link, **{key: value}, lock=key)
    assert str(app.session_state[key]) == value and not troubles(app) and not app.warning
    assert f"{title_by_key(key)} (fixed by the link)" in [caption.value for caption in app.caption]
    assert all(app.button(key=name).disabled for name in buttons)
    for name in buttons:  # as a browser can, whatever is shown
        app.button(key=name).proto.disabled = False
        app.button(key=name).click().run()
        assert str(app.session_state[key]) == value and in_link(app, key) == value
        assert not troubles(app)


@pytest.mark.parametrize(("file", "key", "value", "link", "buttons"), EVERY_DRAWN)
def test_a_hidden_drawing_has_no_buttons_and_its_value_counts(
    file, key, value, link, buttons, open_warm_page: Callable
):
    app = open_warm_page(file, **link, **{key: value}, hide=key)
    assert str(app.session_state[key]) == value and in_link(app, key) == value
    assert not troubles(app)
    assert not any(title_by_key(key) in caption.value for caption in app.caption)
    assert not {button.key for button in app.button} & set(buttons)


@pytest.mark.parametrize(("file", "key", "value", "link", "buttons"), EVERY_DRAWN)
def test_a_link_within_a_visit_brings_its_own_drawing(
    file, key, value, link, buttons, open_warm_page: Callable
):
    app = open_warm_page(file, **link)
    assert str(app.session_state[key]) != value
    for other, parameters in (("pages/14_teaching.py", {}), (file, link | {key: value})):
        app.query_params.clear()
        app.query_params.update(parameters)
        app.switch_page(other).run()
    assert str(app.session_state[key]) == value and in_link(app, key) == value


def test_the_fields_of_a_locked_matrix_and_of_locked_tags_are_off(open_warm_page: Callable):
    for file, key, value, link, _ in DRAWN:
        if key in ("attention_mask_e", "bio_tagging_tags"):
            fields = {}
            for how in ("lock", "hide", "free"):
                app = open_warm_page(file, **link, **{key: value}, **{how: key})
                shown = "".join(str(one.proto) for one in app.get("bidi_component"))
                fields[how] = len(re.findall(r"data-at=\W+[\d,]+\W+[^>]* disabled", shown))
                fields[how, "all"] = len(re.findall(r"data-at=\W+\d", shown))
            assert fields["lock"] == fields["free", "all"] - fields["hide", "all"] > 0
            assert fields["free"] == 0


def test_a_value_that_cannot_be_is_said_once_and_the_start_is_used(open_warm_page: Callable):
    app = open_warm_page(MASKING, **RULE, masking_rate="1e999", lock="masking_rate")
    assert control(app, "masking_rate").value == 15
    assert sum("1e999" in toast.value for toast in app.toast) == 1
    app.run()
    assert not app.toast and control(app, "masking_rate").value == 15


# Hidden: not drawn, the value counts.


def test_a_hidden_control_is_not_drawn_and_its_value_counts(open_warm_page: Callable):
    app = open_warm_page(MASKING, masking_text="A cat sat.", hide="masking_text,masking_seed")
    assert control(app, "masking_text") is None and control(app, "masking_seed") is None
    assert app.session_state["masking_text"] == "A cat sat."
    assert app.session_state["masking_seed"] == DEFAULT_SEED  # the link says nothing
    shown = open_warm_page(MASKING, masking_text="A cat sat.")
    assert app.get("caption")[-1].value == shown.get("caption")[-1].value
    assert not troubles(app)


def test_every_control_of_every_lesson_may_be_hidden_or_locked_at_once(open_warm_page: Callable):
    for lesson in LESSONS:
        for name in ("hide", "lock"):
            keys = ",".join(controls_of(lesson.slug))
            app = open_warm_page(lesson.file, **{name: keys})
            assert not troubles(app), (lesson.slug, name)
            loose = [
                widget.key
                for kind in WIDGETS
                for widget in app.get(kind)
                if widget.key in controls_of(lesson.slug) and not widget.disabled
            ]
            assert not loose, (lesson.slug, name)


# Parts and the model.


@pytest.mark.parametrize("name", ["lock", "hide"])
def test_a_fixed_part_is_the_only_one(name: str, open_warm_page: Callable):
    app = open_warm_page(MASKING, masking_part="why", **{name: "masking_part"})
    assert app.session_state["masking_part"] == "why"
    picker = control(app, "masking_part")
    assert picker is None if name == "hide" else (len(picker.options) == 1 and picker.disabled)
    assert not [button for button in app.button if button.key == "masking_part_next"]


def test_a_button_that_would_change_a_fixed_control_says_that_it_is_fixed(open_warm_page: Callable):
    app = open_warm_page(
        PAIRS, sentence_pairs_part="own", sentence_pairs_second="It is late.",
        lock="sentence_pairs_part,sentence_pairs_second",
    )  # fmt: skip
    app.button(key="sentence_pairs_own_stranger").click().run()
    assert control(app, "sentence_pairs_second").value == "It is late."
    assert any(FRAME.section("is_fixed") == toast.value for toast in app.toast)


def test_the_model_is_locked_or_hidden(open_warm_page: Callable):
    app = open_warm_page(MASKING, lock="model")
    assert app.selectbox(key="model").disabled and app.selectbox(key="model").value == "mini-bert"
    app = open_warm_page(MASKING, hide="model")
    assert control(app, "model") is None and not troubles(app)


def test_a_locked_model_that_is_unknown_is_said_and_the_bundled_one_used(open_warm_page: Callable):
    app = open_warm_page(MASKING, model="nobody/nothing", lock="model")
    assert any("not on this server" in warning.value for warning in app.warning)
    assert app.selectbox(key="model").value == "mini-bert" and not troubles(app)


# Locks last, and are opened by whoever likes.


def test_locks_last_through_other_controls_other_parts_and_other_pages(open_warm_page: Callable):
    app = open_warm_page(
        MASKING,
        **RULE,
        masking_selection="independent",
        lock="masking_selection",
        hide="masking_seed",
    )
    control(app, "masking_text").set_value("Two cats sat down.").run()
    app.segmented_control(key="masking_part").set_value("how_many").run()
    assert (
        control(app, "masking_selection").disabled
        and control(app, "masking_selection").value == "independent"
    )
    app.query_params.clear()
    app.switch_page(ATTENTION).run()
    assert "lock" not in app.query_params and not any(FIXED == c.value for c in app.caption)
    app.query_params.clear()
    app.switch_page(MASKING).run()
    assert (
        control(app, "masking_selection").disabled
        and control(app, "masking_selection").value == "independent"
    )
    assert control(app, "masking_seed") is None
    assert in_link(app, "lock") == "masking_dice,masking_selection"
    assert in_link(app, "hide") == "masking_seed"
    assert in_link(app, "masking_selection") == "independent"


def test_another_link_with_locks_takes_the_place_of_the_first(open_warm_page: Callable):
    app = open_warm_page(MASKING, **RULE, masking_unit="word", lock="masking_unit")
    app.query_params.clear()
    app.switch_page(ATTENTION).run()
    app.query_params.clear()
    app.query_params.update(RULE | {"masking_words": "uniform", "hide": "masking_words"})
    app.switch_page(MASKING).run()
    assert not control(app, "masking_unit").disabled and control(app, "masking_words") is None
    assert "lock" not in app.query_params


def test_whoever_opens_the_locks_keeps_the_values_and_may_change_them(open_warm_page: Callable):
    link = RULE | {"masking_unit": "word", "masking_rate": "40", "masking_text": "A cat sat."}
    app = open_warm_page(MASKING, **link, lock="masking_unit,masking_rate", hide="masking_text")
    app.button(key=OPEN).click().run()
    assert not troubles(app) and not app.warning
    unit, rate, text = (control(app, f"masking_{name}") for name in ("unit", "rate", "text"))
    assert (unit.value, rate.value, text.value) == ("word", 40, "A cat sat.")
    assert not (unit.disabled or rate.disabled or text.disabled)
    assert not {"lock", "hide"} & set(app.query_params)
    unit.set_value("token").run()
    rate.set_value(20).run()
    assert (
        control(app, "masking_unit").value == "token" and control(app, "masking_rate").value == 20
    )
    assert not any(FIXED == caption.value for caption in app.caption)


def test_a_link_in_another_language_is_followed_at_once_within_a_visit(open_warm_page: Callable):
    app = open_warm_page(MASKING)
    app.query_params.clear()
    app.query_params["lang"] = "de"
    app.switch_page(ATTENTION).run()
    assert app.title[0].value == "2 " + read_words("attention_mask", "de").label("title")


# Forged links.


def forged() -> Iterator[tuple[str, str]]:
    """Give what a link may say for `lock` or `hide`, with a name."""
    yield "ten thousand names", ",".join(f"masking_{i}" for i in range(10_000))
    yield "ten thousand times the same", ",".join(["masking_unit"] * 10_000)
    yield "keys of the session", f"{__name__},page_shown,lang,{Seeds.__module__}.Seeds"
    yield "keys of another lesson", "attention_mask_text,isotropy_seed"
    yield "buttons", "masking_do_all,masking_part_next,open_locks"
    texts = list((TEXTS | LINK_VALUES).values())
    yield from ((f"text {i} and more", ",".join(texts[i : i + 8])) for i in range(0, len(texts), 8))


def test_no_forged_names_break_a_page(open_warm_page: Callable):
    for what, value in forged():
        app = open_warm_page(MASKING, lock=value, hide=value)
        assert not troubles(app), what
        assert len(app.toast) <= 1, what
        known = "masking_unit" if what == "ten thousand times the same" else None
        assert in_link(app, "hide") == known and in_link(app, "lock") is None, what


def test_a_fixed_control_takes_every_hostile_value(open_warm_page: Callable):
    keys, values = [*controls_of("masking")], [*(TEXTS | LINK_VALUES).values()]
    for first in range(0, len(values), 5):  # each control meets a fifth, and all together each
        fixed = {("lock", "hide")[first % 2]: ",".join(keys)}
        asked = dict(zip(keys, cycle(values[first:] + values[:first]), strict=False))
        app = open_warm_page(MASKING, **asked, **fixed)
        assert not troubles(app), asked


def test_other_pages_know_no_locks(open_warm_page: Callable):
    for file in ("app.py", "pages/13_look_it_up.py", "pages/14_teaching.py"):
        app = open_warm_page(file, lock="look_it_up_part,model", hide="teaching_part")
        assert not troubles(app) and not app.toast
        assert not [w for kind in WIDGETS for w in app.get(kind) if w.disabled]


# Seeds.


def numbers(app) -> Seeds:
    return session.of(Seeds, app.session_state)


def seed_shown(app) -> int:
    """Return the learner's own number as the page says it."""
    pattern = re.escape(FRAME.section("own_seed", seed=12345)).replace("12345", r"(\d+)")
    found = [re.fullmatch(pattern, caption.value) for caption in app.caption]
    return int(next(match for match in found if match)[1])


def test_each_learner_draws_a_number_and_keeps_it_in_the_link(open_warm_page: Callable):
    learners = [open_warm_page(MASKING, seed="own") for _ in range(8)]
    numbers = [seed_shown(app) for app in learners]
    # Eight of nine thousand: all the same with a chance of 1e-27.
    assert len(set(numbers)) > 1
    for app, number in zip(learners, numbers, strict=True):
        assert in_link(app, "seed") == f"own-{number}"
        assert control(app, "masking_seed").value == number
    again = open_warm_page(MASKING, seed=in_link(learners[0], "seed"))
    assert control(again, "masking_seed").value == seed_shown(again) == numbers[0]


def test_the_own_number_goes_along_to_exercises_and_other_lessons(open_warm_page: Callable):
    app = open_warm_page(MASKING, seed="own", masking_part="exercises")
    number = seed_shown(app)
    assert numbers(app).exercises == number
    app.query_params.clear()
    app.query_params["sentence_pairs_part"] = "batch"
    app.switch_page(PAIRS).run()
    assert seed_shown(app) == number and in_link(app, "seed") == f"own-{number}"
    assert control(app, "sentence_pairs_seed").value == 1 + number % 100


def test_one_number_for_all_stays_as_it_is(open_warm_page: Callable):
    app = open_warm_page(MASKING, seed="4711", masking_part="exercises")
    assert numbers(app).exercises == 4711 and in_link(app, "seed") == "4711"
    assert control(app, "masking_seed").value == DEFAULT_SEED
    assert numbers(app).own is None


def test_a_seed_that_the_link_names_wins_over_the_own_number(open_warm_page: Callable):
    app = open_warm_page(MASKING, seed="own", masking_seed="7")
    assert control(app, "masking_seed").value == 7


def test_an_own_seed_replaces_what_was_chosen_before_in_the_visit(open_warm_page: Callable):
    app = open_warm_page(MASKING)
    control(app, "masking_seed").set_value(55).run()
    app.query_params.clear()
    app.switch_page(ATTENTION).run()
    app.query_params.clear()
    app.query_params["seed"] = "own"
    app.switch_page(MASKING).run()
    assert control(app, "masking_seed").value == seed_shown(app) != 55


@pytest.mark.parametrize("asked", ["own-", "own-x", "own-1234567890", "OWN", "own-١٢", "own,own"])
def test_a_forged_own_seed_is_no_seed(asked: str, open_warm_page: Callable):
    app = open_warm_page(MASKING, seed=asked, masking_part="exercises")
    assert not troubles(app) and numbers(app).own is None
