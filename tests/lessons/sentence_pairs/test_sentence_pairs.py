"""The lesson "sentence pairs", run whole, without a browser."""

import re
from functools import partial
from pathlib import Path

import pytest

from pages.lessons.sentence_pairs import batch
from pages.lessons.sentence_pairs import computed as sentence_pairs_computed
from pages.server.course.words import read_words
from tests import seen
from tests.lessons.german import MODEL, example
from tests.seen import captions_of, guess, metric, sent_to, words_of

FILE = "pages/5_sentence_pairs.py"


open_part = partial(seen.open_part, "sentence_pairs")


def test_the_opening_scores_a_true_and_a_random_pair_before_anyone_clicks(open_warm_page):
    app = open_warm_page(FILE)
    html = sent_to(app)
    assert html.count("segment 0") >= 2 and html.count("segment 1") >= 2
    follows, elsewhere = map(
        float, re.search(r"A: ([\d.]+) for the true .* sentence, ([\d.]+) for", html).groups()
    )
    assert follows > elsewhere


def test_one_click_gives_a_random_b_that_the_model_accepts(open_warm_page):
    app = open_warm_page(FILE)
    assert "separates these two" in words_of(app)
    app.button(key="sentence_pairs_same_words").click().run()
    assert "finds the random B at least as probable" in words_of(app)
    app.button(key="sentence_pairs_other_topic").click().run()
    assert "separates these two" in words_of(app)


def open_own(open_page, **link):
    """Open the learner's own pair with its guess made."""
    app = open_part(open_page, "own", **link)
    return guess(app, "sentence_pairs_own_guess", "follows")


def test_the_prediction_waits_for_a_guess_and_a_new_pair_asks_again(open_warm_page):
    app = open_part(open_warm_page, "own")
    assert not app.latex
    guess(app, "sentence_pairs_own_guess", "follows")
    assert app.latex
    app.button(key="sentence_pairs_own_swap").click().run()
    assert app.text_input(key="sentence_pairs_first").value == "He bought a gallon of milk."
    assert app.segmented_control(key="sentence_pairs_own_guess").value is None
    assert not app.latex


def test_the_head_says_not_sure_where_it_is_less_sure_than_dev_allows(open_warm_page):
    sure = open_own(open_warm_page)
    assert not sure.warning and "on 600 pairs drawn from half of our documents" in words_of(sure)
    assert (
        "sure *and wrong* for 21\u00a0% of swapped pairs, and for 12\u00a0% of other"
        in words_of(sure)
    )
    words = {"sentence_pairs_first": "Dog", "sentence_pairs_second": "Cat"}
    (refused,) = open_own(open_warm_page, **words).warning
    assert refused.value.startswith("**Not sure.**")
    words = {"sentence_pairs_first": "Hund", "sentence_pairs_second": "Katze"}
    german = open_own(open_warm_page, **words, lang="de", reads="de")
    (refused,) = german.warning
    assert refused.value.startswith("**Nicht sicher.**")
    assert "Sicher *und falsch* ist er bei 25" in words_of(german)
    assert "Dieser Kopf hält 56" in captions_of(german)


def test_the_openings_pair_is_the_parts_own_until_it_has_another(open_warm_page):
    link = {"sentence_pairs_opening_first": "Salt is white.", "sentence_pairs_part": "own"}
    app = open_warm_page(FILE, **link)
    assert app.text_input(key="sentence_pairs_first").value == "Salt is white."
    app.text_input(key="sentence_pairs_first").set_value("Snow is white.").run()
    assert app.text_input(key="sentence_pairs_opening_first").value == "Salt is white."
    assert app.text_input(key="sentence_pairs_first").value == "Snow is white."


def test_segment_numbers_alone_change_the_prediction(open_warm_page):
    said = " ".join(caption.value for caption in open_own(open_warm_page).caption)
    two, one = re.search(r"P\(IsNext\) = ([\d.]+); the same words, .* 0: ([\d.]+)", said).groups()
    assert two != one


def test_one_document_is_not_enough_and_the_page_says_so(open_warm_page):
    app = open_warm_page(FILE, sentence_pairs_part="batch", sentence_pairs_documents="own")
    app.text_area(key="sentence_pairs_own").set_value("Only one. Document here.").run()
    assert not app.exception
    assert "two such documents" in app.error[0].value.replace("\\", "")


def test_swapped_pairs_are_accepted_like_true_ones_and_other_documents_are_not(
    open_page, monkeypatch
):
    monkeypatch.setattr(batch, "N_TESTED", 25)
    app = open_part(open_page, "batch")
    assert "swapped pairs and" not in words_of(app)
    app.button(key="sentence_pairs_measure").click().run()
    found = re.search(
        r"accepts ([\d.]+)\s% of the swapped pairs and ([\d.]+)\s% of the true ones.*"
        r"\(([\d.]+)\s%\) than those of another \(([\d.]+)\s%\)",
        words_of(app),
    )
    swapped, true, same_document, other_document = map(float, found.groups())
    # What the lesson says. 25 pairs of a kind: the error of a difference is at most 14 points.
    assert abs(swapped - true) < 20 and same_document - other_document > 20


def open_truncation(open_page, **link):
    link = {"sentence_pairs_window": "12"} | link
    return open_part(open_page, "packing", **link)


def test_truncation_goes_token_by_token_to_its_end(open_warm_page):
    app = open_truncation(open_warm_page)
    assert "only 9 fit" in words_of(app)
    app.button(key="sentence_pairs_next_step").click().run()
    assert re.search("Token 1: [AB] had", words_of(app))
    slider = app.select_slider(key="sentence_pairs_step")
    slider.set_value(slider.options[-1]).run()
    assert app.button(key="sentence_pairs_next_step").disabled
    first, second = map(
        int, re.search(r"hatched: (\d+) tokens of A and (\d+) of B", sent_to(app)).groups()
    )
    assert first + second == 9


def test_packing_waits_for_a_guess_and_full_sentences_waste_less(open_warm_page):
    app = open_part(open_warm_page, "packing")
    assert "Padding" not in [metric.label for metric in app.metric]
    guess(app, "sentence_pairs_packing_guess", "low")
    share = {}
    for layout in ("pairs", "full", "stream"):
        app.segmented_control(key="sentence_pairs_layout").set_value(layout).run()
        share[layout] = float(metric(app, "Padding").removesuffix(" %"))
    assert share["pairs"] > share["full"] > share["stream"]


def test_the_numbers_of_the_stored_encoders_follow_alpha(open_warm_page):
    app = open_part(open_warm_page, "languages", sentence_pairs_effect="encoder")
    accents = []
    for alpha, stored in ((0.0, "0.0"), (0.6, "0.5"), (1.0, "1.0")):  # the nearest is named
        app.slider(key="sentence_pairs_alpha").set_value(alpha).run()
        at, accent = re.search(r"α = ([\d.]+)\*\*, rel.*Accent: (\d+) ±", words_of(app)).groups()
        assert at == stored
        accents.append(int(accent))
    assert accents[0] < accents[2] and len(app.get("plotly_chart")) == 2


def test_the_numbers_of_the_stored_vocabularies_follow_alpha(open_warm_page):
    app = open_part(open_warm_page, "languages", sentence_pairs_effect="large")
    found = []
    for alpha, stored, q in ((0.0, "0.0", "50.0"), (0.7, "0.7", "7.1"), (1.0, "1.0", "2.5")):
        app.slider(key="sentence_pairs_alpha").set_value(alpha).run()
        numbers = r"α = ([\d.]+)\*\*: ([\d.]+)\W%.*?\*\*([\d.]+)\Wsub.*?\*\*([\d.]+)\*\*"
        at, share, *cuts = re.search(numbers, words_of(app)).groups()
        assert (at, share) == (stored, q)  # by hand: 1 / (1 + 39 ** alpha)
        found.append([float(value) for value in cuts])
    german, english = zip(*found, strict=True)
    assert german[0] < german[1] < german[2] and english[0] > english[1] > english[2]
    assert len(app.get("plotly_chart")) == 2


@pytest.fixture(scope="module")
def headless(tmp_path_factory) -> Path:
    """Give the folder of a BERT that was saved without a next-sentence head."""
    import transformers

    from mlm_core.encoder.model_list import BUNDLED_FOLDER

    folder = tmp_path_factory.mktemp("models") / "headless"
    transformers.BertForMaskedLM.from_pretrained(BUNDLED_FOLDER).save_pretrained(folder)
    (folder / "tokenizer.json").write_bytes((BUNDLED_FOLDER / "tokenizer.json").read_bytes())
    return folder


@pytest.fixture
def no_head(open_page, headless, monkeypatch):
    """Give what opens a part with the model that has no next-sentence head."""
    monkeypatch.setenv("MLM_MODELS", str(headless))

    def open_(part):
        return open_page(FILE, model="headless", sentence_pairs_part=part)

    return open_


def test_a_model_without_the_head_is_said_and_the_bundled_one_offered(no_head):
    app = no_head("own")
    assert not app.exception and not app.error
    assert "no next-sentence head" in app.info[0].value
    app.button(key="sentence_pairs_bundled_own").click().run()
    assert app.selectbox(key="model").value == "mini-bert"
    assert not app.info


@pytest.mark.parametrize("part", ["packing", "languages"])
def test_what_needs_no_head_works_without_it(no_head, part):
    app = no_head(part)
    assert not app.exception and not app.error
    assert len(app.info) == 1  # the opening's


def test_the_next_sentence_is_told_from_a_random_one_but_not_from_one_with_the_same_words():
    first, following, other = (
        example("sentence_pairs", f"opening_{name}") for name in ("first", "next", "random")
    )
    with_words = read_words("sentence_pairs", "de").plain("opening_with_words")
    p_next, p_other, p_fooled = (
        sentence_pairs_computed.next_sentence(MODEL, first, second)[1].p_follows
        for second in (following, other, with_words)
    )
    assert p_next > 0.9 and p_other < 0.3 and p_fooled > 0.5
