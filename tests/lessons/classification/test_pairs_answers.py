"""The lesson "classification": why pretrain, two sentences, answers in a passage."""

import json
import re
from functools import partial
from statistics import mean

import pytest

from mlm_core.classification import few_labels
from mlm_core.stored.finetune_figures import read_figures
from mlm_core.stored.finetunes import read_dataset, read_stored
from pages.server.course.language import languages
from tests import seen
from tests.caches import let_the_trainer_work
from tests.seen import all_words_of, guess, look_until, sent_to, words_of
from tests.waiting import wait_for_the_helper

COMPARED = ("top", "random", "bag_of_words")  # in "Why pretrain?"


open_part = partial(seen.open_part, "classification")


def reached(way, n_examples):
    """Return the stored accuracy of a way on sentiment in per cent, the mean over its seeds."""
    return round(
        100
        * mean(
            figure.proportion_right
            for figure in read_figures()
            if (figure.task, figure.variant, figure.part) == ("sentiment", way, "test")
            and figure.n_examples == n_examples
        )
    )


def test_why_pretrain_waits_for_a_guess_and_then_says_it_in_numbers(open_warm_page):
    app = open_part(open_warm_page, "pretraining")
    assert "always the most frequent class" not in sent_to(app)
    app = guess(app, "classification_pretraining_guess", "10")
    assert not app.exception and not app.error
    assert "always the most frequent class 0.33" in sent_to(app)
    text = words_of(app).replace("\u00a0", " ")
    for n, n_examples in (("10", 10), ("100", 100), ("1,107", None)):
        pretrained, random, bag = (reached(way, n_examples) for way in COMPARED)
        assert (
            f"{n} sentences:** pretrained {pretrained} %, without pretraining {random} %, bag of"
            f" words {bag} %."
        ) in text
    assert re.search(r"standard error is \d\.\d points", text)
    # A hundred sentences with pretraining against all without: three seeds and one test part.
    assert "the better of them is +5.5 points (±8.6): not shown to differ" in text


def test_why_pretrain_draws_the_bag_of_words_beside_both_encoders(open_warm_page):
    app = guess(open_part(open_warm_page, "pretraining"), "classification_pretraining_guess", "10")
    charts = [json.loads(chart.proto.spec)["data"] for chart in app.get("plotly_chart")]
    lines = next(chart for chart in charts if chart[0]["name"] == "pretrained encoder")
    names = [line["name"] for line in lines]
    layers = read_stored("sentiment_random").settings.n_read_layers
    assert names == [
        "pretrained encoder",
        f"encoder without pretraining, {layers} layers",
        "bag of words, no encoder",
    ]
    for line, way in zip(lines, COMPARED, strict=True):
        shown = [round(100 * share) for share in line["y"]]
        assert shown == [reached(way, n) for n in (10, 100, None)]


@pytest.mark.parametrize("language", languages())
def test_the_number_to_remember_is_that_of_the_stored_results(open_warm_page, language):
    app = open_part(open_warm_page, "in_short", lang=language)
    told = [re.findall(r"(\d+)(?:\*\*)?\s%", one.value) for one in app.markdown]
    assert [str(reached(way, None)) for way in COMPARED] in told


def test_the_guess_about_pretraining_is_checked_against_the_runs(open_warm_page):
    enough = [n for n in (10, 100, None) if reached("random", n) > reached("top", 100)]
    truth = str(enough[0] or 1107) if enough else "more"
    app = guess(open_part(open_warm_page, "pretraining"), "classification_pretraining_guess", truth)
    assert "These runs agree" in words_of(app)


def test_a_pair_is_scored_in_both_orders(open_warm_page):
    app = open_part(open_warm_page, "pairs")
    assert sent_to(app).count("entailment") >= 2
    before = re.search(r"As written, the likeliest class is \*\*(\w+)", words_of(app))
    assert before and before[1] == "entailment"  # which is right, and false when swapped
    assert "the model is right here" in words_of(app)
    app.button(key="classification_pairs_put_contradiction").click().run()
    assert "swimming" in app.text_input(key="classification_pairs_second").value
    app.text_input(key="classification_pairs_second").set_value(" ").run()
    assert "Write two sentences" in app.info[0].value and not app.exception


def test_pairs_are_compared_with_a_bag_that_never_reads_the_first_sentence(open_warm_page):
    app = open_part(open_warm_page, "pairs")
    assert "words of second only" not in sent_to(app)
    guess(app, "classification_pairs_guess", "some")
    look_until(app, lambda: "words of second only" in sent_to(app), wait_for_the_helper)
    assert not app.error
    text = words_of(app)
    assert re.search(
        r"second sentence alone give \d+\s%, always predicting one class gives 33\s%", text
    )
    assert ("does not show that the model uses the first sentence" in text) != (
        "these results do not show that" in text
    )


def test_a_paraphrase_is_graded_and_its_test_part_divided_by_shared_words(open_warm_page):
    app = open_part(open_warm_page, "pairs", classification_pairs_run="paraphrase_top")
    app.button(key="classification_pairs_put_related").click().run()
    texts = [f"classification_pairs_{name}_paraphrase" for name in ("first", "second")]
    pair = read_dataset("paraphrase").test[1]
    assert [app.text_input(key=key).value for key in texts] == [pair.text, pair.pair]
    assert "We wrote this pair as related" in words_of(app)
    assert "The grades do not depend on the order" in words_of(app)
    guess(app, "classification_pairs_guess", "some")
    look_until(app, lambda: "shared words only" in sent_to(app), wait_for_the_helper)
    assert not app.error
    text, run = words_of(app), read_stored("paraphrase_top")
    share = re.search(r"The model is right in (\d+)\s% of the pairs \(95\s% interval: ±\d", text)
    assert int(share[1]) == round(100 * run.result.proportion_right)
    cells = [(int(n), int(of)) for n, of in re.findall(r"\b(\d+) of (\d+) right", text)]
    n_pairs = len(run.dataset.test)
    assert len(cells) == 6 and sum(of for _, of in cells) == n_pairs
    assert all(abs(of - n_pairs / 6) <= 1 for _, of in cells)
    assert sum(n for n, _ in cells) == round(n_pairs * run.result.proportion_right)
    assert "Control." in text and "On the same pairs, the model leads by" in text


def test_an_answer_is_drawn_and_scored_before_anyone_clicks(open_warm_page):
    app = open_part(open_warm_page, "answers")
    html = sent_to(app)
    assert html.count("letters") > 40 and "given first" in html
    text = words_of(app)
    assert "The model's answer: **" in text and "exact match" in app.latex[0].value
    row = re.search(r"\| 1 \| .*? \| (\S+) \| (\S+) \| (\S+) \|", text.replace("−", "-"))
    start, end, both = map(float, row.groups())
    assert both == pytest.approx(start + end, abs=0.02)  # each rounded to three digits


def test_the_whole_test_part_is_shown_beside_a_rule_and_a_random_start(open_warm_page):
    app = guess(open_part(open_warm_page, "answers"), "classification_answers_guess", "1")
    assert not app.exception and not app.error
    html = sent_to(app)
    for row in ("this model", "no pretraining", "rule: words that follow"):
        assert row in html
    text, n = words_of(app), len(read_dataset("passages").test)
    assert f"of {n}." in text and "different answers" in text


def test_ones_own_passage_may_be_too_long_and_the_page_says_what_is_cut(open_warm_page):
    passage = "The cat slept on the warm stove. " * 24 + "It woke at noon."
    link = {
        "classification_answers_source": "own",
        "classification_answers_own_passage": passage,
        "classification_answers_own_answer": "noon",
    }
    app = open_part(open_warm_page, "answers", **link)
    said = " ".join(warning.value for warning in app.warning)
    assert (
        "tokens at the end of the passage are left out" in said
        and "is in the part that was left out" in said
    )
    assert re.search(r"<p class=.{1,4}unread", sent_to(app))


def test_a_question_that_fills_the_window_is_refused_with_its_length(open_warm_page):
    link = {
        "classification_answers_source": "own",
        "classification_answers_own_question": "why " * 140,
    }
    app = open_part(open_warm_page, "answers", **link)
    assert re.search(r"the question has \d+ tokens", app.warning[0].value.replace("\\", ""))


def test_what_is_missing_is_said(open_warm_page):
    app = open_part(open_warm_page, "answers", classification_answers_source="own")
    app.text_input(key="classification_answers_own_answer").set_value("a blue whale").run()
    assert "word for word" in app.info[0].value
    app.text_area(key="classification_answers_own_passage").set_value(" ").run()
    assert "Write a passage" in app.info[0].value
    assert not app.exception and not app.error


def test_few_labels_are_stored_and_compared_on_own_examples(open_page, monkeypatch):
    monkeypatch.setattr(few_labels, "SEEDS", (1,))
    monkeypatch.setattr(few_labels, "N_EPOCHS", 1)
    app = open_part(open_page, "few_labels", classification_few_data="own")
    assert "Stored results: means of 3 draws" in all_words_of(app)
    assert "no way is shown to be the best" in all_words_of(app)
    start, words = "classification_start", "classification_few_words_own"
    assert app.button(key=start).disabled, "no example yet"
    app.session_state["classification_own_text"] = "\n".join(
        f"{('good', 'bad')[i % 2]}\tThe {noun} was {('fine', 'cold')[i % 2]} on day {i}."
        for i, noun in enumerate(["soup", "room", "bed", "tea"] * 15)
    )
    app.run()
    assert app.text_input(key=words).value == "bad, good"
    app.text_input(key=words).set_value("cold").run()
    app.button(key=start).click().run()
    assert "1 words for 2 classes" in app.error[0].value
    app.text_input(key=words).set_value("cold, fine").run()
    app.button(key=start).click().run()
    let_the_trainer_work(120.0)
    app.run()
    assert not app.exception and "Your comparison" in all_words_of(app)
    assert "Stored results" not in all_words_of(app)
    app.button(key="classification_reset").click().run()
    assert "Stored results" in all_words_of(app), "removed"
