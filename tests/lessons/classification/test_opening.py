"""The lesson "classification": its opening, one sentence step by step, errors, comparisons."""

import re
from functools import partial

import pytest

from mlm_core.evaluation.seeds import best_of, compare
from mlm_core.labelled.tables import stored_classes
from mlm_core.number_format import marks_of, written_with
from pages.lessons.classification import computed as classification_computed
from pages.server.caches import cache_finetuning
from pages.server.course.words import read_words
from tests import seen
from tests.browser.live import ROOT
from tests.lessons.german import example
from tests.seen import all_words_of as words_of
from tests.seen import html_of

FILE = "pages/9_classification.py"
SENTENCE = "classification_ways_sentence_differ"
EXAMPLES = "\n".join(
    f"{label}\t{verb} {thing} {when}."
    for label, verb in (("buy", "I want"), ("sell", "I offer"), ("ask", "Who has"), ("no", "Not"))
    for thing in ("a car", "a bike", "two chairs")
    for when in ("today", "soon")
)


open_part = partial(seen.open_part, "classification")


def charts_of(app) -> str:
    """Return what the charts were given, as one text."""
    return "".join(str(element.proto) for element in app.get("plotly_chart"))


def table_of(app, heading):
    """Return the rows of the table whose head has this word."""
    tables = [m.value.replace("\\", "") for m in app.markdown if m.value.startswith("|")]
    text = next(table for table in tables if heading in table.splitlines()[0])
    rows = [line.strip("|").split("|") for line in text.splitlines()]
    return [[entry.strip() for entry in row] for row in rows[2:]]


def number(text):
    return float(text.replace("−", "-"))


def test_the_opening_shows_three_ways_before_anyone_clicks(open_warm_page):
    app = open_warm_page(FILE)
    assert not app.exception and not app.error
    html, words = html_of(app), words_of(app)
    assert "Head alone predicts" in html and "All layers predicts" in html
    # A sentence that the head alone gets wrong and all layers right: a tick and a cross at least.
    assert "✓" in html and "✗" in html
    assert "The true class is" in words
    assert "ev part of 195 sentences" in words  # the curves
    assert re.search(r"accuracy on all \d+ test sentences", words)


# What is said of a way against the head alone: sentences that only the one gets right, points, p.
OF_TOP = {
    "en": ("ahead", 37, 20, 5.9, 0.7, 11.1, 0.033),
    "de": ("not_apart", 18, 24, -3.7, -11.7, 4.3, 0.441),
}
OF_ALL = {
    "en": ("not_apart", 39, 25, 4.8, -0.7, 10.4, 0.103),
    "de": ("behind", 16, 31, -9.3, -17.3, -1.2, 0.040),
}


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_opening_says_what_the_same_sentences_show_in_both_directions(open_warm_page, language):
    verdicts = (OF_TOP[language], OF_ALL[language])
    app, words = open_warm_page(FILE, lang=language), read_words("classification", language)
    assert not app.exception and not app.error
    told, marks = words_of(app), marks_of(read_words("frame", language).label("a_number"))
    with written_with(marks):
        assert (words.section("three_ways.no_gain") in told) == (language == "de")
        for way, (kind, n_way, n_head, *interval, p) in zip(("top", "all"), verdicts, strict=True):
            difference, low, high = (one / 100 for one in interval)
            section = words.section(
                f"three_ways.{kind}",
                way=words.plain(f"three_ways_{way}"),
                n_way=n_way,
                n_head=n_head,
                difference=difference,
                low=low,
                high=high,
                p=p,
            )
            assert section.replace("\\", "") in told


def test_in_german_it_opens_on_german_sentences_and_english_is_a_press_away(open_warm_page):
    app = open_warm_page(FILE, lang="de")
    assert not app.exception and not app.error
    model, chosen = (app.selectbox(key=key) for key in ("model", SENTENCE))
    assert model.value == "mini-bert-de-en" and app.query_params["reads"] == "de"
    judged = {one.text for one in stored_classes("sentiment_de").test}
    assert len(chosen.options) > 10 and judged.issuperset(chosen.options)
    html = html_of(app)
    assert "✓" in html and "✗" in html and "negativ" in html
    app.button(key="read_other").click().run()
    assert app.selectbox(key="model").value == "mini-bert"
    assert {one.text for one in stored_classes("sentiment").test}.issuperset(
        app.selectbox(key=SENTENCE).options
    )


def test_a_typed_sentence_takes_the_place_of_the_test_sentence_and_is_the_parts_own(
    open_warm_page,
):
    app = open_part(open_warm_page, "own_sentence")
    field = "classification_own_text_sentiment"
    usual = app.text_input(key=field).value
    app.text_input(key="classification_ways_text").set_value("What a dull evening.").run()
    assert "The true class is" not in words_of(app) and "All layers predicts" not in html_of(app)
    assert app.text_input(key=field).value == "What a dull evening." != usual
    app.text_input(key=field).set_value("A triumph.").run()
    assert app.text_input(key="classification_ways_text").value == "What a dull evening."


def test_the_word_that_made_the_verdict_has_the_longest_bar(open_warm_page):
    link = {"classification_own_text_sentiment": "The music ruined our evening."}
    app = open_part(open_warm_page, "own_sentence", **link)
    assert "the logit of negative; the most, “ruined”" in html_of(app)
    assert html_of(app).count(">ruined<") >= 1
    classes = app.selectbox(key="classification_own_class").options
    assert classes[0] == "the likeliest: negative" and len(classes) == 4
    app.selectbox(key="classification_own_class").set_value("2").run()
    assert "the logit of positive" in html_of(app)


def test_mistakes_are_listed_surest_first_and_a_cell_has_its_own_texts(open_warm_page):
    app = open_part(open_warm_page, "own_sentence")
    rows = table_of(app, "P(predicted)")
    sure = [number(row[-2]) for row in rows]
    assert sure == sorted(sure, reverse=True) and len(rows) > 1
    assert all(row[1] != row[2] for row in rows)
    app.selectbox(key="classification_errors_listed").set_value("0,0").run()
    rows = table_of(app, "P(predicted)")
    assert all(row[1] == row[2] for row in rows)
    assert all(row[-1] == row[-2] for row in rows)  # what is said is true


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_sentence_is_asked_for(open_warm_page, text):
    app = open_part(open_warm_page, "own_sentence")
    app.text_input(key="classification_own_text_sentiment").set_value(text).run()
    assert not app.exception and not app.error
    assert "Write at least one word" in words_of(app)


def test_a_run_on_pairs_asks_for_two_texts(open_warm_page):
    link = {"classification_own_run": "entailment_top"}
    app = open_part(open_warm_page, "own_sentence", **link)
    assert app.text_input(key="classification_own_second_entailment").value
    assert "segment 1" in html_of(app)


def test_the_comparison_waits_for_a_guess_and_then_says_which_differences_count(open_warm_page):
    app = open_part(open_warm_page, "compare")
    assert "one seed" not in charts_of(app)
    app.segmented_control(key="classification_compare_guess_sentiment").set_value("majority").run()
    assert not app.exception and not app.error
    assert "one seed" in charts_of(app) and "no encoder" in charts_of(app)
    rows = table_of(app, "shown to differ")
    assert len(rows) >= 5
    for _, points, margin, verdict in rows:
        is_beyond = abs(number(points)) > number(margin.strip("±"))
        assert verdict == ("yes" if is_beyond else "no")


@pytest.mark.parametrize(
    ("task", "alike"),
    [
        ("sentiment", "Layers 5 to 8, [CLS] vector; Layers 5 to 8, mean vector; All layers, mean"),
        ("entities", "Layers 5 to 8; Last eight layers."),
    ],
)
def test_the_comparison_names_what_is_not_shown_to_differ_from_the_best(
    open_warm_page, task, alike
):
    app = open_part(open_warm_page, "compare", classification_compare_task=task)
    app.segmented_control(key=f"classification_compare_guess_{task}").set_value("majority").run()
    assert not app.exception and not app.error
    assert f"Not shown to differ from it: {alike}" in words_of(app)


@pytest.mark.parametrize(
    ("text", "said"),
    [("\u200b", "empty"), (" ".join(["good"] * 50), "first_words")],
    ids=["nothing that is seen", "more words than are left out"],
)
def test_leaving_words_out_says_what_it_cannot_do(text: str, said: str, open_warm_page):
    app = open_part(open_warm_page, "own_sentence", classification_own_text_sentiment=text)
    assert not app.exception and not app.error
    wanted = read_words("classification").section(f"own_sentence.{said}", n=40)
    assert wanted in [one.value for one in (*app.info, *app.caption)]


def test_the_lessons_own_sentence_is_negative_by_its_last_word():
    text, run = example("classification", "own_text"), cache_finetuning.stored("sentiment_de_top")
    values = cache_finetuning.model(run).class_log_probabilities(text).exp().tolist()
    negative = run.data.classes.index("negativ")
    assert values[negative] == max(values) > 0.6
    found = classification_computed.words_left_out(run, text, None, 40)
    assert max(found, key=lambda one: one.moves[negative]).word == "schlecht"


def test_in_german_a_lead_of_pretraining_is_shown_that_in_english_is_larger():
    """pretraining.head_leads says so in words, and the model card."""
    leads = {}
    for task, way in (("sentiment_de", "top"), ("sentiment_de", "head"), ("sentiment", "top")):
        pretrained, *others = [
            classification_computed.variant(task, name) for name in (way, "random", "bag_of_words")
        ]
        leads[task, way] = compare(pretrained, best_of(others))
    of_layers, of_head, in_english = leads.values()
    assert of_layers.direction == of_head.direction == in_english.direction == 1
    assert in_english.difference > of_head.difference > of_layers.difference
    card = (ROOT / "docs" / "model_card_de_en.md").read_text(encoding="utf-8")
    for found in (of_head, of_layers):
        assert f"{100 * found.difference:.1f} (±{100 * found.margin:.1f})" in card.replace(
            " points", ""
        )
