"""The lesson "attention mask", run whole, without a browser."""

import re

import pytest

from mlm_core.encoder.comparison import compare_word, shared_words
from mlm_core.encoder.language_model import OwnModel
from mlm_core.inside.head_patterns import N_PAIRS
from pages.kit.part import Part
from pages.lessons.attention_mask.one_head import N_DRAWN
from pages.server.caches import cache
from pages.server.process.model_choice import MODEL_LIST_VARIABLE
from tests.lessons.german import MODEL, example
from tests.reference.small_checkpoints import save_kind
from tests.seen import all_words_of, captions_of, html_of, metric, sent_to, words_of

FILE = "pages/2_attention_mask.py"


def test_the_opening_shows_the_phenomenon_before_anyone_clicks(open_warm_page):
    app = open_warm_page(FILE)
    assert metric(app, "Cosine") == "1.000"
    app.segmented_control(key="attention_mask_switch").set_value("bidirectional").run()
    assert float(metric(app, "Cosine")) < 0.95


def test_two_sentences_without_a_common_word_get_a_hint(open_warm_page):
    app = open_warm_page(FILE, attention_mask_first="Stop!", attention_mask_second="Go!")
    assert "share no word" in app.info[0].value


BATS = {
    "attention_mask_first": "The bat flew out of the cave.",
    "attention_mask_second": "The bat broke when he hit the ball.",
}


def test_the_word_that_is_compared_has_content(open_warm_page):
    app = open_warm_page(FILE, **BATS, attention_mask_part="flow")
    assert app.segmented_control(key="attention_mask_word").value == "bat"
    assert "“bat”" in " ".join(markdown.value for markdown in app.markdown)
    assert "“The”" not in " ".join(metric.label for metric in app.metric)


def test_the_words_that_both_sentences_have_can_be_clicked(open_warm_page):
    shown = sent_to(open_warm_page(FILE, **BATS))
    # The, bat and the, after [CLS]: in the first sentence, then in the second.
    assert re.findall(r"data-value=\W+(\d+)", shown)[:6] == "1 2 6 1 2 7".split()


def test_a_link_opens_its_very_view(open_warm_page):
    app = open_warm_page(
        FILE,
        attention_mask_part="flow",
        attention_mask_text="Dogs chase cats.",
        attention_mask_kind="bidirectional",
        attention_mask_layer="1",
        attention_mask_head="2",
        attention_mask_query="3",
    )
    assert app.text_input(key="attention_mask_text").value == "Dogs chase cats."
    assert app.selectbox(key="attention_mask_query").value == "3"
    assert any("Layer 1, head 2, Bidirectional" in caption.value for caption in app.caption)


def test_a_drawn_mask_can_be_undone(open_warm_page):
    app = open_warm_page(FILE, attention_mask_kind="drawn", attention_mask_text="One two.")
    causal = app.session_state["attention_mask_drawn"]
    assert causal == "80-c0-e0-f0-f8"
    app.button(key="attention_mask_drawn_start_nothing").click().run()
    assert app.session_state["attention_mask_drawn"] == "00-00-00-00-00"
    assert any("may look at nothing" in markdown.value for markdown in app.markdown)
    app.button(key="attention_mask_drawn_undo").click().run()
    assert app.session_state["attention_mask_drawn"] == causal
    assert app.button(key="attention_mask_drawn_undo").disabled


def test_a_broken_mask_in_a_link_is_told_and_replaced(open_warm_page):
    app = open_warm_page(FILE, attention_mask_kind="drawn", attention_mask_drawn="<b>")
    assert "could not be read" in app.warning[0].value


@pytest.mark.parametrize("cell", ["7,8", "9999,9999", "-1,0", "<b>", ""])
def test_a_cell_that_a_matrix_does_not_have_is_one_that_it_has(open_warm_page, cell):
    link = {"attention_mask_part": "worked", "attention_mask_cell": cell}
    app = open_warm_page(FILE, **link)
    assert not app.exception and not app.error
    row, column = map(int, app.session_state["attention_mask_cell"].split(","))
    assert row in range(3) and column in range(3)


def test_a_page_that_is_drawn_again_reads_none_of_its_texts_again(open_warm_page, monkeypatch):
    app = open_warm_page(FILE, attention_mask_part="three_masks")
    read = []
    monkeypatch.setattr(OwnModel, "encode", lambda *about, **more: read.append(about))
    assert not app.run().exception and not read


def test_a_text_that_fills_the_window_can_still_be_padded(open_warm_page):
    app = open_warm_page(FILE, attention_mask_part="three_masks", attention_mask_text="to be " * 90)
    assert not app.exception and not app.error
    assert metric(app, "with the padding mask") == "0.000"  # of 3 decimals as the one beside it
    assert re.fullmatch(r"\d+\.\d{3}", metric(app, "without it"))


def test_minus_infinity_and_the_constants_are_compared_in_half_precision(open_warm_page):
    app = open_warm_page(FILE, attention_mask_part="precision")  # an old link
    table = next(one.value for one in app.markdown if "NaN |" in one.value).replace("\\", "")
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    assert found[2:5] == [
        ["−∞", "clean", "clean", "NaN", "NaN"],
        ["−1,000,000,000", "refused", "clean", "refused", "NaN"],
        ["−65,504", "clean", "clean", "all equal", "all equal"],
    ]
    assert found[5][:4] == ["−10,000", "clean", "clean", "all equal"]


def test_all_heads_are_bidirectional_whatever_mask_an_old_link_names(open_warm_page):
    app = open_warm_page(FILE, attention_mask_part="heads", attention_mask_kind="drawn")
    assert not [one for one in app.get("button_group") if one.key == "attention_mask_kind"]
    assert not app.toast and not app.warning and not app.error and not app.exception


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "The bank of the river was steep.", "in 116 of 480 rows"),
        ("de", "Die Bank am Fluss war alt.", "in 135 von 432 Zeilen"),
    ],
)
def test_the_largest_weight_is_often_not_what_brings_most(language, text, said, open_warm_page):
    """The counts were made by transformers on the same weights, head by head."""
    link = {"attention_mask_part": "heads", "attention_mask_text": text}
    app = open_warm_page(FILE, **link, lang=language, reads=language)
    assert not app.error and said in words_of(app)


def test_a_sentence_of_the_opening_is_that_of_every_part_until_a_part_has_its_own(open_warm_page):
    mine, other = "The bank of our village lends books.", "We met at the bank of the river."
    app = open_warm_page("pages/2_attention_mask.py", attention_mask_part="flow")
    example = app.text_input(key="attention_mask_text").value
    app.text_input(key="attention_mask_first").set_value(mine).run()
    assert app.text_input(key="attention_mask_text").value == mine != example

    app.text_input(key="attention_mask_text").set_value(other).run()
    assert app.query_params["attention_mask_text"] == other
    assert "This part has a text of its own." in [one.value for one in app.caption]
    app.button(key="attention_mask_text_as_lesson").click().run()
    assert app.text_input(key="attention_mask_text").value == mine

    app.text_input(key="attention_mask_text").set_value(other).run()
    app.button(key="attention_mask_text_for_lesson").click().run()
    assert app.text_input(key="attention_mask_first").value == other
    assert app.text_input(key="attention_mask_text").value == other
    app.segmented_control(key="attention_mask_part").set_value("cost").run()
    assert app.text_input(key="attention_mask_text").value == other


def test_a_fixed_sentence_is_not_offered_for_the_whole_lesson(open_warm_page):
    for fix in ("lock", "hide"):
        link = {"attention_mask_part": "flow", "attention_mask_text": "A small bank."}
        app = open_warm_page("pages/2_attention_mask.py", **link, **{fix: "attention_mask_text"})
        assert not [one.key for one in app.button if "for_lesson" in one.key]


def test_while_presenting_a_part_has_the_openings_sentence_too(open_warm_page):
    mine = "The bank of our village lends books."
    link = {"attention_mask_part": "flow", "attention_mask_first": mine}
    app = open_warm_page("pages/2_attention_mask.py", present="1", **link)
    assert app.text_input(key="attention_mask_text").value == mine
    assert app.query_params["attention_mask_first"] == mine


def follow(open_page, **link: str):
    """Open the whole way."""
    return open_page(FILE, attention_mask_part="whole", **link)


def test_the_whole_way_ends_in_the_models_prediction_for_the_longest_word(open_warm_page):
    from pages.server.caches import cache_predictions

    app = follow(open_warm_page)
    (first, probability), *_ = cache_predictions.fillers(
        "mini-bert", "The old man [MASK] the river at night.", 4, 1
    )
    said = " ".join(text.value for text in app.markdown)
    assert f"“{first}” stands in the sentence" in said and f"{probability:.3f}" in said
    assert f"gets {probability:.2f}" in sent_to(app)
    way = next(one for one in html_of(app).split('<div class="film ') if one.startswith("way"))
    written = re.findall(rf'<text[^>]*class="([^"]*)"[^>]*>(?:<title>.*?</title>)?{first}', way)
    assert written and all("later" in one for one in written), "not seen before the film is there"


def test_a_blank_of_the_sentence_is_followed_before_any_word(open_warm_page):
    app = follow(open_warm_page, attention_mask_text="They walked to the [MASK].")
    assert app.selectbox(key="attention_mask_followed").value == "5"
    assert not any("stands in the sentence" in text.value for text in app.markdown)
    assert "has [MASK]" in sent_to(app)


def test_of_a_long_text_the_most_looked_at_tokens_are_drawn_with_the_rest_in_one_row(
    open_warm_page,
):
    app = follow(
        open_warm_page, attention_mask_text="to be or not " * 5, attention_mask_followed="2"
    )
    assert not app.exception and not app.error
    assert "11 others" in sent_to(app)  # 22 tokens in 12 rows


@pytest.mark.parametrize("text", ["", " ", "[CLS]"])
def test_a_text_without_words_has_no_way_to_follow(open_warm_page, text):
    app = follow(open_warm_page, attention_mask_text=text or " ")
    assert "at least one word" in app.info[0].value


def test_a_word_after_equal_beginnings_has_the_same_vectors_with_the_causal_mask_alone():
    cosines = {}
    for causal in (True, False):
        (first, one), (second, other) = (
            cache.encoding(MODEL, example("attention_mask", name), causal)
            for name in ("first", "second")
        )
        word = next(word for word in shared_words(first, second) if word.text == "Bank")
        cosines[causal] = compare_word(one, other, word).cosines[-1]
    assert cosines[True] > 0.9999 and cosines[False] < 0.9


HEAD = {"attention_mask_part": "one_head", "attention_mask_layer": "2", "attention_mask_head": "4"}


def test_a_head_has_a_page_with_its_proportions_and_what_is_lost_without_it(open_warm_page):
    app = open_warm_page(FILE, **HEAD)
    said = words_of(app)
    assert not app.error and not app.exception
    assert "is **previous token**, with **88%** of the weight" in said and "would give 4%" in said
    assert "changes by **+0.236** nats: rank 2 of 48 heads" in said
    assert html_of(app).count('class="looks"') == N_DRAWN < N_PAIRS
    other = words_of(open_warm_page(FILE, **HEAD | {"attention_mask_layer": "3"}))
    assert ("Without [CLS] and [SEP], it is" in other) and "Without [CLS] and" not in said
    app.button(key="attention_mask_one_head_flow").click().run()
    assert app.session_state["attention_mask_kind"] == "bidirectional"
    assert any("Layer 2, head 4, Bidirectional" in one.value for one in app.caption)


def test_our_sentences_are_searched_for_a_word_in_the_language_that_is_read(open_warm_page):
    app = open_warm_page(FILE, **HEAD, attention_mask_one_head_word="River")
    html = html_of(app)
    assert "5 sentences of ours have this word; 5 were read, from the first on" in captions_of(app)
    assert html.count('class="looks"') == 5 == html.count(">river</mark>")
    app.text_input(key="attention_mask_one_head_word").set_value("Katze").run()
    assert "None of our sentences has this word" in app.info[0].value
    german = open_warm_page(FILE, **HEAD, lang="de", attention_mask_one_head_word="wasser")
    assert ">Wasser</mark>" in html_of(german) and "gelesen, vom ersten an" in captions_of(german)


def test_of_another_model_a_head_is_shown_on_the_sentence_and_by_search(
    open_warm_page, tmp_path, monkeypatch
):
    save_kind("roberta", tmp_path / "small")
    monkeypatch.setenv(MODEL_LIST_VARIABLE, str(tmp_path / "small"))
    link = HEAD | {"attention_mask_head": "2", "attention_mask_one_head_word": "river"}
    app = open_warm_page(FILE, model="small", **link)
    assert "are stored for the bundled models only" in all_words_of(app)
    assert 'class="looks"' in html_of(app) and "On this sentence" in words_of(app)
    assert not app.error and not app.exception and not [*app.get("plotly_chart")]


def test_a_click_on_a_head_opens_its_page(open_warm_page, monkeypatch):
    clicks = {}
    figure = Part.figure

    def note(self, name, *about, on_click=None, **more):
        clicks[name] = on_click
        figure(self, name, *about, on_click=on_click, **more)

    monkeypatch.setattr(Part, "figure", note)
    app = open_warm_page(FILE, attention_mask_part="heads")
    chosen = {}
    monkeypatch.setattr(Part, "choose", lambda _, name, value, **more: chosen.update({name: value}))
    clicks["heads"]("2,6")
    assert chosen == {"layer": "7", "head": "3", "part": "one_head"} and not app.exception
