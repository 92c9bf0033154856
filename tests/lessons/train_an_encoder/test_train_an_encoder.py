"""The lesson "train an encoder": its opening, runs of one's own, and runs side by side.

The pages run in-process and the trainer is the real one, a thread of the service; the runs are
so small that they end within seconds.
"""

import json
import re
from functools import partial

import pytest
import streamlit as st

from mlm_core.small_runs.settings import LONGEST_OWN_TEXT, SmallRunSettings
from pages.kit.part import Part
from pages.kit.training import runs as own_runs
from pages.lessons.train_an_encoder import nsp, run, runs, take_home
from pages.lessons.train_an_encoder.settings import PASSES, work_of
from pages.server.caches import cache_training
from pages.server.course.lessons import BY_SLUG
from pages.server.course.words import read_words
from pages.server.frame.page_frame import Page
from tests.caches import let_the_trainer_work, wait_for_the_trainer
from tests.pages.test_locks import in_link
from tests.seen import all_words_of as words_of
from tests.seen import draw_until, html_of, look_until, progress

FILE = "pages/6_train_an_encoder.py"
AT, OWN_TEXT, OWN_FILE, SENTENCE = (
    f"train_an_encoder_{name}" for name in ("at", "own_text", "own_file", "sentence")
)
# As small as the widgets allow: a run of seconds.
TINY = {
    "train_an_encoder_set_width": "8",
    "train_an_encoder_set_layers": "1",
    "train_an_encoder_set_heads": "1",
    "train_an_encoder_set_window": "16",
    "train_an_encoder_set_steps": "20",
    "train_an_encoder_set_batch": "4",
    "train_an_encoder_set_vocabulary": "300",
    "train_an_encoder_set_objective": "mlm",
}
MANY = "\n\n".join(
    f"{one} sees the cat. {one} feeds {other}. Then {other} runs to the {place}."
    for one in ("Ada", "Bo", "Cy", "Di")
    for other in ("Ed", "Flo", "Gus")
    for place in ("sea", "hill")
)


def start(app):
    app.button(key="train_an_encoder_start").click().run()
    assert not app.exception
    return app


def run_until(app, wanted):
    return draw_until(app, wanted, lambda: progress(app) + words_of(app))


def drawn(part):
    """Return what a part of the lesson draws with."""
    words = read_words("train_an_encoder")
    return Part(Page(lesson=BY_SLUG["train_an_encoder"], words=words, model_name=""), part)


def link_of(app):
    return parameter(app, runs.LINK)


def parameter(app, name):
    """Return what the link says: a list where it was opened so, a text where the page wrote it."""
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def disabled(app, name="start"):
    return app.button(key=f"train_an_encoder_{name}").disabled


def test_it_opens_on_the_stored_run_with_a_blank_and_its_curve(open_warm_page):
    app = open_warm_page(FILE)
    assert not app.exception and not app.error
    assert "polyline" in html_of(app) and "Stored: default settings, held out" in html_of(app)
    assert app.session_state[AT] == "1600" and AT not in app.query_params
    assert re.search(r"After step 1,600 the first prediction is \S*bank", html_of(app))
    assert not app.get("progress")


def test_the_film_begins_with_noise_and_a_link_says_where_it_stands(open_warm_page):
    app = open_warm_page(FILE)
    said = r"After step 0 the first prediction is \S+, P = ([\d.]+)"
    p = float(re.search(said, html_of(app))[1])
    assert p < 0.02  # 1 / 1,200 entries is 0.0008; untrained logits differ a little
    app.session_state[AT] = "0"
    app.run()
    assert parameter(app, AT) == "0" and 'data-stands="0"' in html_of(app)


@pytest.mark.parametrize("way", ["lock", "hide"])
def test_a_step_that_a_link_fixes_is_shown_and_not_played(open_warm_page, way: str):
    html = html_of(open_warm_page(FILE, **{AT: "553", way: AT}))
    assert "After step 553" in html
    assert "After step 0" not in html and "data-stands" not in html


def test_a_sentence_without_a_blank_or_with_one_beyond_the_window_is_said(open_warm_page):
    app = open_warm_page(FILE, train_an_encoder_sentence="no blank here")
    assert "Write [MASK]" in words_of(app)
    app.text_input(key="train_an_encoder_sentence").set_value("bank " * 40 + "[MASK]").run()
    assert not app.exception and not app.error
    assert "among the first 32 tokens" in words_of(app)


def test_words_that_the_vocabulary_lacks_are_said(open_warm_page):
    app = open_warm_page(FILE, train_an_encoder_sentence="The xylophone 漢 [MASK].")
    assert re.search(r"split into subwords: xylophone", words_of(app))
    assert re.search(r"read as \[UNK\]: 漢", words_of(app))


def test_the_start_values_are_the_cores_own(open_page):
    app = open_page(FILE)
    expected = SmallRunSettings()
    assert f"{expected.parameter_count:,} [parameters]" in words_of(app)
    start(app)
    assert app.session_state[runs.RUNS][0].settings == expected


def test_one_click_changes_one_thing_and_start_says_what(open_warm_page):
    app = open_warm_page(FILE)
    assert "Change one thing first" in words_of(app)
    changes = {"no_layer": "layers 1", "mask_only": "100/0/0", "short": "400 steps"}
    changes |= {"all_chosen": "50\u00a0% chosen"}
    for name, what in changes.items():
        app.button(key=f"train_an_encoder_change_{name}").click().run()
        assert f"Changed: {what}." in words_of(app) and not disabled(app)
    app.button(key="train_an_encoder_change_nothing").click().run()
    assert "Change one thing first" in words_of(app)


def test_a_run_of_ones_own_is_trained_found_again_and_forgotten(open_page):
    app = start(open_page(FILE, **TINY))
    run_until(app, r"Finished: 20 steps")
    text = words_of(app)
    assert re.search(r"held-out loss \*\*\d", text) and "tokens a second" in text
    assert "Run 1: vocabulary 300" in html_of(app)
    assert app.session_state[AT] == "20"
    assert not any(button.key == "train_an_encoder_pause" for button in app.button)

    again = open_page(FILE, **{runs.LINK: link_of(app)})
    assert not again.exception and "Finished: 20" in progress(again)
    assert not again.toast
    cache_training.training_service().leave(app.session_state[runs.RUNS][0].ticket)
    app.run()
    assert not app.exception and "no longer on the server" in words_of(app)


def test_a_run_rests_steps_once_goes_on_and_is_taken_off(open_page, monkeypatch):
    monkeypatch.setattr(own_runs, "STEP_SECONDS", 60.0)  # on a busy machine, too
    app = start(open_page(FILE, **{**TINY, "train_an_encoder_set_steps": "5000"}))
    run_until(app, r"Step \d+ of 5,000")
    app.button(key="train_an_encoder_pause").click().run()
    run_until(app, r"Paused at step")
    wait_for_the_trainer()
    app.run()
    before = int(re.search(r"step ([\d,]+) of", progress(app))[1].replace(",", ""))
    app.button(key="train_an_encoder_step").click().run()
    run_until(app, rf"Paused at step {before + 1:,} of")
    app.button(key="train_an_encoder_resume").click().run()
    run_until(app, rf"Step (?!{before + 1:,} )[\d,]+ of 5,000")
    app.button(key="train_an_encoder_reset").click().run()
    assert not app.get("progress") and runs.LINK not in app.query_params


def test_the_film_moves_on_with_a_run_whose_steps_grow(open_page):
    link = {**TINY, "train_an_encoder_set_steps": "5000"}
    app, ends = start(open_page(FILE, **link)), set()

    def has_moved_twice() -> bool:
        assert not app.error
        if AT in app.session_state:
            ends.add(app.session_state[AT])
        return len(ends) == 3

    look_until(app, has_moved_twice, partial(let_the_trainer_work, 0.1))


def test_while_a_run_trains_its_sentence_and_the_stored_film_are_hidden(open_page):
    app = open_page(FILE, **{**TINY, "train_an_encoder_set_steps": "5000"})
    assert app.text_input(key=SENTENCE).value and "data-stands" in html_of(app)
    app.session_state[SENTENCE] = "The cat sees the [MASK]."
    start(app)
    assert not [field for field in app.text_input if field.key == SENTENCE]
    assert "After step 1,600" not in html_of(app)
    run_until(app, r"Step \d+ of 5,000")
    app.button(key="train_an_encoder_pause").click().run()
    run_until(app, "Paused at step")
    assert app.text_input(key=SENTENCE).value == "The cat sees the [MASK]."


def test_a_second_run_is_shown_as_soon_as_it_starts(open_page):
    app = start(open_page(FILE, **TINY))
    run_until(app, r"Finished: 20")
    app.slider(key="train_an_encoder_set_seed").set_value(2).run()
    start(app)
    assert not app.error and app.segmented_control(key="train_an_encoder_shown").value == "run-2"
    run_until(app, r"Finished: 20")
    assert "seed 2" in html_of(app)


def test_a_width_that_the_heads_do_not_divide_is_said_and_start_is_off(open_warm_page):
    app = open_warm_page(FILE, train_an_encoder_set_width="40", train_an_encoder_set_heads="3")
    assert "does not divide into 3 heads" in words_of(app) and disabled(app)
    app.slider(key="train_an_encoder_set_heads").set_value(4).run()
    assert not app.error and not disabled(app)


def test_a_learning_rate_of_ten_is_refused_and_one_harms_nobody(open_page):
    app = open_page(FILE, **TINY, train_an_encoder_set_rate="10")
    assert "peak_learning_rate is 10" in words_of(app) and disabled(app)
    app.select_slider(key="train_an_encoder_set_rate").set_value("1").run()
    start(app)
    run_until(app, r"Finished: 20|Change what the message names")
    app.select_slider(key="train_an_encoder_set_rate").set_value("0.004").run()
    start(app)
    run_until(app, r"Finished: 20")


def test_two_visits_with_equal_settings_share_one_run(open_page):
    first, second = start(start(open_page(FILE, **TINY))), open_page(FILE, **TINY)
    assert len(first.session_state[runs.RUNS]) == 1
    start(second)
    assert "Another visitor had already started this run" in words_of(second)
    assert link_of(first) == link_of(second)
    tickets = {app.session_state[runs.RUNS][0].ticket for app in (first, second)}
    assert len(tickets) == 2 and link_of(first) not in tickets
    for app in (first, second):
        run_until(app, r"Finished: 20")


@pytest.mark.parametrize("ticket", ["", "x", "0" * 5_000, "<b>", "GQv4OoWW1wfP2GB7w9tHKQ"])
def test_an_unknown_ticket_in_the_link_is_dropped_with_a_word(open_warm_page, ticket: str):
    app = open_warm_page(FILE, **{runs.LINK: ticket})
    assert not app.exception and not app.error and not app.get("progress")
    if ticket:
        assert runs.LINK not in app.query_params
        assert "no longer on the server" in app.toast[0].value


def open_with_text(open_page, text, **link):
    app = open_page(FILE, **TINY, train_an_encoder_set_corpus="own", **link)
    if text is not None:
        app.text_area(key=OWN_TEXT).set_value(text).run()
    assert not app.exception
    return app


@pytest.mark.parametrize("text", ["One sentence only.", "Same. Same. Same. Same. Same."])
def test_too_little_text_is_said_before_a_run_begins(open_warm_page, text: str):
    app = open_with_text(open_warm_page, text)
    assert "the text has" in words_of(app) and disabled(app)


def test_own_text_is_learnt_and_a_vocabulary_that_came_out_smaller_is_said(open_page):
    app = open_with_text(open_page, MANY, train_an_encoder_curves_measure="loss")
    assert re.search(r"sentences in \d+ documents for training", words_of(app))
    start(app)
    run_until(app, r"Finished: 20")
    assert re.search(
        r"You asked for 300 vocabulary entries, but only \d+ can be learned", words_of(app)
    )
    assert "Run 1: own text" in html_of(app)


def upload(app, name, data):
    app.file_uploader(key=OWN_FILE).upload(name, data, "text/plain").run()
    assert not app.exception
    return app


def test_an_uploaded_text_fills_the_field(open_warm_page):
    app = upload(open_with_text(open_warm_page, None), "a.txt", MANY.encode())
    assert app.text_area(key=OWN_TEXT).value == MANY
    assert not disabled(app)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (bytes(range(256)) * 40, "no plain text"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 400, "no plain text"),
        (b"x" * (4 * LONGEST_OWN_TEXT + 1), "bytes, and"),
        (b"x" * (LONGEST_OWN_TEXT + 1), "characters, and"),
    ],
    ids=["binary", "picture", "too many bytes", "too many characters"],
)
def test_a_file_that_is_no_text_or_too_long_is_said_and_the_field_keeps_its_text(
    open_warm_page, data: bytes, said: str
):
    app = upload(open_with_text(open_warm_page, MANY), "a.txt", data)
    assert said in words_of(app)
    assert app.text_area(key=OWN_TEXT).value == MANY


EXPERIMENTS = {"train_an_encoder_part": "experiments"}
COMPARED = "train_an_encoder_compared"


def guess(app, name="no_nsp", value="same"):
    return app.button_group(key=f"train_an_encoder_guess_{name}").set_value(value).run()


def test_the_table_has_every_stored_run_and_says_what_cannot_be_compared(open_warm_page):
    app = open_warm_page(FILE, **EXPERIMENTS)
    text = words_of(app)
    for what in ("default settings", "MLM alone", "always [MASK]", "next word", "half the width"):
        assert f"Stored: {what}" in text
    assert "| Seconds |" not in text  # of another machine
    assert not app.warning
    app.multiselect(key=COMPARED).set_value(["default", "next_word"]).run()
    assert "The losses of “next word” and of the other runs cannot be compared" in words_of(app)
    app.multiselect(key=COMPARED).set_value([]).run()
    assert "at least one run" in words_of(app) and not app.exception


def test_the_changed_run_is_drawn_after_the_guess_and_an_own_run_at_once(open_page):
    app = open_page(FILE, **TINY, **EXPERIMENTS)
    assert app.multiselect(key=COMPARED).value == ["default"]
    guess(app)
    assert app.multiselect(key=COMPARED).value == ["default", "no_nsp"]
    assert in_link(app, COMPARED) is None
    run_until(start(app), r"Finished: 20")
    assert app.multiselect(key=COMPARED).value == ["run-1", "default", "no_nsp"]
    assert in_link(app, COMPARED) is None
    assert "vocabularies of different sizes" in words_of(app)
    app.multiselect(key=COMPARED).set_value(["half_width"]).run()
    app.slider(key="train_an_encoder_set_seed").set_value(2).run()
    run_until(start(app), r"Finished: 20")
    assert app.multiselect(key=COMPARED).value == ["half_width"]
    assert in_link(app, COMPARED) == "half_width"
    assert "| Run 2:" in words_of(app) and "| Seconds |" in words_of(app)
    app.button(key="train_an_encoder_remove_2").click().run()
    assert not app.exception and "| Run 2:" not in words_of(app)


def test_runs_that_a_link_names_stay_the_compared_ones(open_page):
    link = EXPERIMENTS | {COMPARED: "default,no_nsp"}
    app = run_until(start(open_page(FILE, **TINY, **link)), r"Finished: 20")
    assert app.multiselect(key=COMPARED).value == ["default", "no_nsp"]
    assert in_link(app, COMPARED) == "default,no_nsp"


def test_the_result_of_a_guess_is_that_of_the_stored_runs(open_warm_page):
    app = guess(open_warm_page(FILE, **EXPERIMENTS))
    assert "Right: **no clear difference**" in words_of(app)
    link = EXPERIMENTS | {"train_an_encoder_experiment": "random_heads"}
    app = guess(open_warm_page(FILE, **link), "random_heads", "lower")
    assert "Right: **lower**" in words_of(app)


def test_the_question_of_the_seminar_has_the_stored_runs_numbers():
    from mlm_core.stored.runs import read_stored

    asked = read_words("overview/train_an_encoder").section("question_2")
    for name in ("default", "no_nsp"):
        assert f"{100 * read_stored(name).held_out[-1].accuracy:.1f}\u00a0%" in asked


def test_cls_is_judged_on_pairs_when_asked(open_page, monkeypatch):
    monkeypatch.setattr(nsp, "N_TRAIN", 64)
    monkeypatch.setattr(nsp, "N_HELD_OUT", 32)
    app = guess(open_page(FILE, **EXPERIMENTS))
    assert "From [CLS]" not in words_of(app)
    assert len(re.findall(r"With 512 labels: \d+\s% with NSP", words_of(app))) == 2
    app.button(key="train_an_encoder_pair_measure").click().run()
    assert not app.exception and not app.error
    assert re.search(r"From \[CLS\], the accuracy is \*\*\d+", words_of(app))


@pytest.mark.parametrize("run", ["default", "next_word"])
def test_the_lengths_of_a_block_end_with_the_layers_own_state(
    open_warm_page, run: str, monkeypatch
):
    monkeypatch.setattr(runs, "choose_snapshot", lambda p: (run, cache_training.stored_run(run)))
    link = {"train_an_encoder_part": "block", "train_an_encoder_block_layer": "2"}
    app = open_warm_page(FILE, **link)
    assert not app.exception and not app.error
    from mlm_core.text.tokens import tokenize

    model = cache_training.model_at(cache_training.stored_run(run))
    text = tokenize(model.tokenizer, app.text_input(key="train_an_encoder_inside_text").value)
    own = model.encode(text, causal=run == "next_word").last[0]
    position = int(app.selectbox(key="train_an_encoder_inside_token").value)
    bars = json.loads(app.get("plotly_chart")[0].proto.spec)["data"][0]
    assert bars["x"][-1] == pytest.approx(own[position].norm().item(), rel=1e-4)


def test_the_work_of_a_run_is_counted_by_hand():
    one = SmallRunSettings(
        **dict(hidden_size=8, n_heads=2, n_layers=1, length=16, vocabulary_size=100),
        **dict(batch_size=2, n_steps=3, objective="next_word"),
    )
    layer = 2 * 16**2 * 8 + 4 * 16 * 8**2 + 2 * 16 * 8 * 32
    assert work_of(one) == PASSES * 3 * 2 * (layer + 16 * 8 * (8 + 100))


def test_the_readme_of_what_is_taken_home_has_the_settings():
    from types import SimpleNamespace

    from mlm_core.finetuning.take_home import pins

    snapshot = SimpleNamespace(
        settings=SimpleNamespace(n_layers=3, own_text="long"),
        held_out=(),
        checkpoints=(SimpleNamespace(step=7),),
        best_checkpoint=0,
        n_steps=9,
    )
    about = take_home._about(drawn("take_home"), "Run 1", snapshot)
    assert "- n_layers: 3" in about and "long" not in about
    assert f"`pip install {pins()}`" in about, "as a shell reads it"


@pytest.mark.parametrize(
    ("losses", "step"), [((5, 3, 3.5), 1), ((5, 3, 3.05), None), ((5, 4, 3), None)]
)
def test_a_held_out_loss_that_has_risen_is_said_and_the_best_step_is_used(
    losses, step, monkeypatch
):
    from types import SimpleNamespace

    points = tuple(SimpleNamespace(step=i, loss=loss) for i, loss in enumerate(losses))
    snapshot = SimpleNamespace(
        held_out=points,
        checkpoints=points,
        best_checkpoint=min(range(len(points)), key=lambda i: points[i].loss),
    )
    told = []
    monkeypatch.setattr(st, "warning", lambda text, icon: told.append(text))
    monkeypatch.setattr(st, "info", lambda text, icon: told.append(text))
    run._say_overfitting(drawn("run"), snapshot)
    assert bool(told) == (step is not None)
    told = [one.replace("\\", "") for one in told]
    assert all(f"step {step}: 3.000" in one and "3.500" in one for one in told)
    take_home._say_which(drawn("take_home"), snapshot)
    is_last = snapshot.best_checkpoint == len(points) - 1
    assert is_last or f"after step {snapshot.best_checkpoint}" in told[-1]


OPTIMIZER = {"train_an_encoder_part": "optimizer"}


def test_the_schedule_marks_the_end_of_the_warm_up_and_the_runs_step(open_warm_page):
    app = open_warm_page(FILE, **OPTIMIZER)
    assert not app.exception and not app.error
    said = words_of(app)
    assert "Over the first 160 of 1,600 steps (10\u00a0%)" in said and "to 0.004" in said
    chart = app.get("plotly_chart")[0].proto.spec
    assert "warm-up ends, step 160" in chart and "the run is here, step 1,600" in chart


def test_a_steady_gradient_moves_a_weight_by_a_learning_rate_and_a_turning_one_by_little(
    open_warm_page,
):
    # By hand: m' of 1, -1, ... is (1 - b) / (1 + b) after an even number of steps, b = 0.9.
    assert f"by 1.00 if the gradient has stayed the same, and by {0.1 / 1.9:.2f}" in words_of(
        open_warm_page(FILE, **OPTIMIZER)
    )


@pytest.mark.parametrize(
    ("experiment", "right", "said", "n"),
    [("static_masking", "higher", "higher", 4), ("mask_rates", "same", "no clear difference", 3)],
)
def test_runs_of_several_seeds_are_guessed_first_and_their_interval_follows(
    experiment, right, said, n, open_warm_page
):
    app = open_warm_page(FILE, **EXPERIMENTS, train_an_encoder_experiment=experiment)
    assert not app.exception and not app.get("plotly_chart")
    app.button_group(key=f"train_an_encoder_guess_{experiment}").set_value(right).run()
    assert not app.exception
    assert re.search(rf"Right: \*\*.*{said}\*\*.*{n} seeds", words_of(app))
    assert "error_y" in app.get("plotly_chart")[0].proto.spec
