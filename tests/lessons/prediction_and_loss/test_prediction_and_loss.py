"""The lesson "prediction and loss", run whole, without a browser. No test knows the guesses."""

import math
import re
from dataclasses import replace

import pytest

from mlm_core.text.tokens import tokenize
from pages.lessons.prediction_and_loss import causal, marks
from pages.lessons.prediction_and_loss import computed as prediction_and_loss_computed
from pages.server.caches import cache
from pages.server.course.words import read_words
from tests.lessons.german import MODEL, example

FILE = "pages/4_prediction_and_loss.py"


def metric(app, words: str) -> float:
    """Return the value of the first metric whose label is these words."""
    value = next(metric.value for metric in app.metric if metric.label == words)
    return float(value.replace(",", "").replace("−", "-"))


def said(app) -> str:
    """Return all Markdown of the page."""
    return " ".join(markdown.value for markdown in app.markdown)


def machine(app) -> str:
    """Return the drawing of the machine."""
    drawings = [str(element.proto) for element in app.get("bidi_component")]
    return next(drawing for drawing in drawings if 'class=\\\\\\"machine' in drawing)


def test_the_opening_writes_out_the_mean_of_the_losses(open_warm_page):
    app = open_warm_page(FILE)
    arithmetic = app.latex[0].value
    terms = [float(term) for term in re.search(r"frac\{([^}]*)\}", arithmetic)[1].split("+")]
    assert len(terms) == 3  # the figure's long, thanks and the
    assert metric(app, "Loss") == pytest.approx(sum(terms) / 3, abs=0.01)
    assert metric(app, "Perplexity") == pytest.approx(math.exp(metric(app, "Loss")), rel=0.01)


def test_a_link_chooses_the_places(open_warm_page):
    app = open_warm_page(
        FILE, prediction_and_loss_text="The old man.", prediction_and_loss_marks="2m"
    )
    assert "{1}" in app.latex[0].value  # one term
    drawing = machine(app)
    assert drawing.count("slot chosen mask") == 1 and "was old" in drawing


def test_a_kept_token_counts_and_is_easier_than_a_hidden_one(open_warm_page):
    losses = {}
    for mark in "mk":
        app = open_warm_page(
            FILE,
            prediction_and_loss_text="The dog ran to the river.",
            prediction_and_loss_marks=f"6{mark}",
        )
        losses[mark] = metric(app, "Loss")
    assert losses["k"] < losses["m"]


def test_a_link_that_can_not_be_read_is_told(open_warm_page):
    app = open_warm_page(FILE, prediction_and_loss_marks="<b>")
    assert any("could not be read" in warning.value for warning in app.warning)
    assert any("No position is chosen" in info.value for info in app.info)


def test_buttons_choose_none_a_draw_and_the_figure_again(open_warm_page):
    app = open_warm_page(FILE)
    before = app.latex[0].value
    app.button(key="prediction_and_loss_clear").click().run()
    assert any("No position is chosen" in info.value for info in app.info)
    app.button(key="prediction_and_loss_draw").click().run()
    # 15 % of ten tokens, [CLS] and [SEP] counted in: 1.5, rounded to 2.
    assert "}{2}" in app.latex[0].value
    app.button(key="prediction_and_loss_figure").click().run()
    assert app.latex[0].value == before


def test_a_click_turns_a_place_from_plain_through_all_three_and_back():
    turns, chosen = [], {}
    for draw in range(4):
        chosen = marks.turn(5, chosen, draw)
        turns.append(chosen.get(5))
    assert turns == ["m", "r1", "k", None]
    assert marks.read(marks.write({7: "r3", 2: "m"})) == {2: "m", 7: "r3"}
    assert marks.read(marks.write({})) == {}


def test_an_empty_sentence_gets_a_hint_in_every_part(open_warm_page):
    for part in ("numbers", "surprise", "positions", "causal"):
        app = open_warm_page(FILE, prediction_and_loss_text=" ", prediction_and_loss_part=part)
        assert not app.exception and not app.error
        assert any("write at least one word" in info.value for info in app.info)


def test_the_models_guesses_stay_hidden_until_the_learner_has_typed_one(open_warm_page):
    app = open_warm_page(FILE)
    assert "has rank" not in said(app) and "first choice" not in said(app)
    app.text_input(key="prediction_and_loss_word").set_value("door").run()
    assert re.search(r"has rank \*\*\d|first choice", said(app))


@pytest.mark.parametrize(("word", "answer"), [("zxqvwyzz", "tokens in this"), ("🙂", "no token")])
def test_a_word_that_no_single_token_is_gets_the_reason(open_warm_page, word, answer):
    app = open_warm_page(FILE, prediction_and_loss_word=word)
    assert any(answer in info.value for info in app.info)


def test_two_blanks_are_filled_three_ways(open_warm_page):
    app = open_warm_page(FILE, prediction_and_loss_part="blanks")
    assert "The results differ" in said(app) or "get the same tokens in both ways" in said(app)
    app.text_input(key="prediction_and_loss_blanks").set_value("No blank.").run()
    assert any("at least twice" in info.value for info in app.info)
    app.text_input(key="prediction_and_loss_blanks").set_value("[MASK] " * 30).run()
    assert any("write at most" in info.value for info in app.info)


WRITE = "prediction_and_loss_write"


def perplexities(app) -> list[float]:
    """Return the pseudo-perplexity of each text that the part shows, in order."""
    found = re.findall(r"pseudo-perplexity \*\*([\d.]+)\*\*", said(app).replace("\\", ""))
    return [float(one) for one in found]


def test_a_text_of_more_steps_fits_together_better(open_warm_page):
    app = open_warm_page(FILE, prediction_and_loss_part="write")
    one_step, eight_steps = perplexities(app)
    assert one_step > 100 * eight_steps
    ours = re.search(r"we wrote\*\*, 40 .*?\*\*([\d.]+)\*\*, half of them from ([\d.]+)", said(app))
    assert ours and float(ours[1]) > float(ours[2]) > eight_steps  # and so lower isn't better
    assert "sat down with her back to the table" in said(app)
    app.slider(key=f"{WRITE}_steps").set_value(1).run()
    assert perplexities(app) == [one_step]
    app.slider(key=f"{WRITE}_length").set_value(3).run()
    app.button(key="prediction_and_loss_compare").click().run()
    assert not app.exception and not app.error
    assert any("T = 0.0" in one.value for one in app.caption)


def test_words_that_were_clicked_are_masked_again_and_what_a_link_makes_up_is_left_out(
    open_warm_page,
):
    link = {f"{WRITE}_again": "9 x 3 ² 9 -1 999", f"{WRITE}_steps": "1"}
    app = open_warm_page(FILE, prediction_and_loss_part="write", **link)
    assert not app.exception and "**After your clicks** (2)" in said(app)
    assert app.query_params[f"{WRITE}_again"] == "9 9"
    app.button(key="prediction_and_loss_forget").click().run()
    assert len(perplexities(app)) == 1


@pytest.mark.parametrize(
    ("text", "length", "note"),
    [
        ("", "0", "no blank yet"),
        ("No blank.", "0", "no blank yet"),
        ("[MASK] " * 40, "16", "at most 16"),
        ("to be or not " * 40, "8", "no blank yet"),
    ],
)
def test_a_text_that_cannot_be_written_gets_the_reason(open_warm_page, text, length, note):
    link = {f"{WRITE}_text": text or " ", f"{WRITE}_length": length}
    app = open_warm_page(FILE, prediction_and_loss_part="write", **link)
    assert not app.exception and any(note in info.value for info in app.info)


def test_words_drawn_at_random_are_those_of_their_seed(open_warm_page):
    link = {f"{WRITE}_temperature": "1.0", f"{WRITE}_order": "random", f"{WRITE}_text": "[MASK] a"}
    link |= {f"{WRITE}_length": "1"}
    app = open_warm_page(FILE, prediction_and_loss_part="write", **link)
    first = perplexities(app)
    app.slider(key=f"{WRITE}_seed").set_value(2).run()
    assert perplexities(app) != first
    app.slider(key=f"{WRITE}_seed").set_value(1).run()
    assert perplexities(app) == first
    app.button(key="prediction_and_loss_compare").click().run(timeout=60)
    assert not app.exception and not app.error


def test_the_stored_next_word_run_fills_the_same_blank_as_the_masked_one(open_warm_page):
    from mlm_core.stored.runs import stored_settings
    from pages.server.caches import cache_training

    settings = [stored_settings()[name] for name in causal.RUNS.values()]
    assert settings[0] == replace(settings[1], objective="next_word")
    app = open_warm_page(FILE, prediction_and_loss_part="causal")
    shown = "".join(str(element.proto) for element in app.get("bidi_component"))
    sentence = app.text_input(key="prediction_and_loss_left").value
    for name in causal.RUNS.values():
        run = cache_training.stored_run(name)
        best = cache_training.blank_guesses(run, sentence, 1).guesses[0]
        assert (best.token or "") in shown and run.settings.objective in ("next_word", "mlm")
    # Real numbers of the stored runs: the masked one knows of the river, the other does not.
    assert "accuracy of 60.0% (all words)" in said(app).replace("\\", "")
    assert [c.value for c in app.caption if c.value == "Stored run"]


def test_the_blank_of_the_guess_is_that_of_left_to_right(open_warm_page):
    mine = "The dog barked at the [MASK] of the house."
    app = open_warm_page(FILE, prediction_and_loss_part="causal", prediction_and_loss_cloze=mine)
    field = app.text_input(key="prediction_and_loss_left")
    assert field.value == mine
    field.set_value("No blank.").run()
    assert any("no blank yet" in info.value for info in app.info)
    # The blank is beyond the 32 tokens of the small encoders, but not beyond the model's.
    field.set_value("to be " * 30 + "[MASK].").run()
    assert not app.exception and any("first 32 tokens" in one.value for one in app.error)
    assert [c.value for c in app.caption if "computed now" in c.value]


def test_a_step_raises_the_probability_of_the_token_that_it_was_for(open_warm_page):
    app = open_warm_page(FILE, prediction_and_loss_part="step")
    assert not app.exception and not app.error
    assert "y − onehot" in said(app) and "Measured: **" in said(app)
    before, after = step_losses(app)
    assert after < before


def step_losses(app) -> tuple[float, float]:
    """Return -log P of the right token before and after the step."""
    shown = next(metric.value for metric in app.metric if metric.label == "−log P")
    before, after = (float(number) for number in shown.split(" → "))
    return before, after


def test_too_long_a_step_raises_the_loss_and_the_shared_model_stays(open_warm_page):
    app = open_warm_page(FILE, prediction_and_loss_part="step", prediction_and_loss_step_rate="3")
    loss = metric(app, "Loss")
    before, after = step_losses(app)
    assert after > before and "The loss rose" in said(app)
    again = open_warm_page(FILE, prediction_and_loss_part="step")
    assert metric(again, "Loss") == loss and step_losses(again)[0] == before


def test_another_token_can_be_the_right_one(open_warm_page):
    app = open_warm_page(
        FILE,
        prediction_and_loss_part="step",
        prediction_and_loss_step_word="house",
        prediction_and_loss_step_moves="bias",
    )
    plain = said(app).replace("\\", "")
    assert "“house”" in plain and "16,000 numbers" in plain
    # With b alone and the default rate of .003 log P moves by at most .003 · (1 + 1).
    before, after = step_losses(app)
    assert -0.011 <= after - before <= 0.011


def test_the_entropy_follows_the_temperature_which_opens_away_from_1(open_warm_page):
    def entropies(**link: str) -> list[float]:
        app = open_warm_page(FILE, prediction_and_loss_part="surprise", **link)
        assert not app.exception and not app.error
        return [float(m.value) for m in app.metric if m.label == "Entropy (nats)"]

    one, sharp = entropies()
    again, flat = entropies(prediction_and_loss_temperature="2.0")
    assert one == again and sharp < one < flat < math.log(16_000)


def test_a_split_word_gets_as_many_masks_as_it_has_subwords(open_warm_page):
    app = open_warm_page(
        FILE, prediction_and_loss_part="blanks", prediction_and_loss_blanks_kind="pieces"
    )
    assert not app.exception and not app.error
    assert "**3 masks.**" in said(app)
    at_once, in_turn, in_sight = (
        float(m.value.replace("−", "-"))
        for m in app.metric
        if m.label.startswith(("log P", "pseudo"))
    )
    assert at_once < in_turn < in_sight < 0
    field = app.text_input(key="prediction_and_loss_pieces_word")
    for word, answer in (
        ("dog", "is one token"),
        ("x" * 90, "At most 12"),
        (" ", "tokenizer splits"),
    ):
        field.set_value(word).run()
        assert not app.exception and not app.error
        assert any(answer.lower() in info.value.lower() for info in app.info), word
    app.text_input(key="prediction_and_loss_pieces_sentence").set_value("No blank.").run()
    assert any("exactly once" in info.value for info in app.info)


def test_the_model_names_the_hidden_words_of_the_loss_beside_a_random_one():
    words, tokenizer = read_words("prediction_and_loss", "de"), cache.model_tokenizer(MODEL)
    text = tokenize(tokenizer, example("prediction_and_loss", "text"))
    chosen = marks.of_figure(text, words.plain("figure_marks"))
    assert sorted(chosen.values()) == ["m", "m", "r0"]
    mask = tokenizer.token_to_id("[MASK]")
    new = marks.random_word(tokenizer, 2, 0, words.plain("figure_random").split(", "))
    replaced = tuple((at, mask if mark == "m" else new) for at, mark in chosen.items())
    _, found, _ = prediction_and_loss_computed.predictions(
        MODEL, text.text, replaced, tuple(sorted(chosen))
    )
    best = dict(zip(found.positions, found.probabilities.argmax(dim=-1).tolist(), strict=True))
    assert all(best[at] == text.ids[at] for at, mark in chosen.items() if mark == "m")


def test_two_blanks_filled_at_once_do_not_fit_together():
    text = example("prediction_and_loss", "blanks")
    at_once, in_turn = (
        [step.chosen.id for step in prediction_and_loss_computed.filled(MODEL, text, way)]
        for way in (None, "left_to_right")
    )
    assert at_once != in_turn
