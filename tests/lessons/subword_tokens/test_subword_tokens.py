"""The lesson "subword tokens", run whole, without a browser."""

import re
import subprocess
import sys

import pytest

from mlm_core.text.size_curve import SIZES
from mlm_core.text.tokens import tokenize
from pages.lessons.subword_tokens import computed
from pages.server.caches import cache
from pages.server.course.lessons import BY_SLUG
from tests.caches import caches_that_take_more, own_caches
from tests.lessons.german import MODEL, example
from tests.seen import captions_of, html_of, words_of

FILE = "pages/1_subword_tokens.py"
PARTS = tuple(name for name in BY_SLUG["subword_tokens"].parts if name != "exercises")


def row_counts(app) -> dict[str, int]:
    """Return how many pieces the opening's rows say they have."""
    names = "WordPiece|BPE|Unigram|mini-bert"
    found = re.findall(rf"({names})</text><rect[^>]*/><text[^>]*>(\d+)<", html_of(app))
    return {name: int(n) for name, n in reversed(found)}


def test_the_opening_shows_the_phenomenon_before_anyone_clicks(open_warm_page):
    app = open_warm_page(FILE)
    assert not app.exception
    assert set(row_counts(app)) == {"WordPiece", "BPE", "Unigram", "mini-bert"}
    assert len(set(row_counts(app).values())) > 1, "the cuts should differ"
    assert "stroke-dasharray" in html_of(app), "the foreign word should be unknown somewhere"


def test_german_vocabularies_have_the_frequent_german_words_whole(open_warm_page):
    """Also where the words are English; a text in English is then the one that is split."""
    for language, name in (("de", r"14\D293 deutschen Wörtern"), ("en", "14,293 words of German")):
        app = open_warm_page(FILE, lang=language, reads="de", subword_tokens_text="Der alte Fluss.")
        assert row_counts(app)["WordPiece"] == row_counts(app)["BPE"] == 4
        assert re.search(name, captions_of(app))
    app.text_input(key="subword_tokens_text").set_value("The ancient river.").run()
    assert row_counts(app)["WordPiece"] > 4


def test_a_smaller_vocabulary_makes_more_pieces(open_warm_page):
    app = open_warm_page(FILE)
    large = row_counts(app)
    app.select_slider(key="subword_tokens_size").set_value("100").run()
    small = row_counts(app)
    assert all(small[name] > large[name] for name in ("WordPiece", "BPE", "Unigram"))
    assert small["mini-bert"] == large["mini-bert"]
    assert any("WordPiece 124" in c.value for c in app.caption), "the size reached is shown"


def test_the_slider_of_a_part_sets_the_size_of_the_opening(open_warm_page):
    app = open_warm_page(FILE, subword_tokens_part="algorithms")
    large = row_counts(app)
    app.select_slider(key="subword_tokens_size_here").set_value("100").run()
    assert app.select_slider(key="subword_tokens_size").value == "100"
    assert row_counts(app)["BPE"] > large["BPE"]
    fixed = open_warm_page(
        FILE,
        subword_tokens_part="algorithms",
        subword_tokens_size="400",
        lock="subword_tokens_size",
    )
    slider = fixed.select_slider(key="subword_tokens_size_here")
    assert slider.disabled and slider.value == "400"


def test_a_link_opens_its_very_view(open_warm_page):
    app = open_warm_page(
        FILE,
        subword_tokens_text="Reeds bend.",
        subword_tokens_size="400",
        subword_tokens_part="pieces",
        subword_tokens_tokenizer="Unigram",
        subword_tokens_position="2",
    )
    assert app.text_input(key="subword_tokens_text").value == "Reeds bend."
    assert app.select_slider(key="subword_tokens_size").value == "400"
    assert app.selectbox(key="subword_tokens_position").value == "2"
    assert any("Unigram, 400 entries" in c.value.replace("\\", "") for c in app.caption)


def test_the_answer_waits_for_the_guess(open_warm_page):
    app = open_warm_page(FILE, subword_tokens_surname="Kowalczyk")
    assert "You guessed" not in words_of(app)
    app.segmented_control(key="subword_tokens_surname_guess").set_value("1").run()
    assert re.search(r"You guessed 1, but \*\*Kowalczyk\*\* has \d", words_of(app))


@pytest.mark.parametrize("part", PARTS)
def test_a_text_without_words_gets_a_sentence_not_an_error(part, open_warm_page):
    app = open_warm_page(FILE, subword_tokens_part=part)
    for text in ("", "\u200b"):
        app.text_input(key="subword_tokens_text").set_value(text).run()
        assert not app.exception and not app.error


def test_the_pieces_part_opens_a_piece(open_warm_page):
    app = open_warm_page(FILE, subword_tokens_part="pieces", subword_tokens_text="The old river.")
    assert "of the word “The”, from characters 1 to 3: “The”" in words_of(app)
    app.selectbox(key="subword_tokens_position").set_value("0").run()
    assert "no characters in your text" in words_of(app)


def test_a_shorter_text_moves_the_chosen_piece_back_into_it(open_warm_page):
    app = open_warm_page(FILE, subword_tokens_part="pieces", subword_tokens_position="9")
    app.text_input(key="subword_tokens_text").set_value("a").run()
    assert not app.exception
    assert int(app.selectbox(key="subword_tokens_position").value) < 3


def test_training_on_a_short_text_is_refused_with_a_sentence(open_warm_page):
    app = open_warm_page(FILE, subword_tokens_part="vocabulary", subword_tokens_curve="own")
    assert "yours" in html_of(app)
    app.text_area(key="subword_tokens_own").set_value("too short").run()
    assert "2 words" in app.info[0].value


def test_a_second_text_is_segment_b(open_warm_page):
    app = open_warm_page(FILE, subword_tokens_part="input_stack", subword_tokens_text="One.")
    app.selectbox(key="subword_tokens_stack_position").set_value("4").run()
    assert "row B of the segment table" in words_of(app)


def test_the_opening_needs_no_torch():
    code = (
        "import sys, pages.lessons.subword_tokens.opening, pages.lessons.subword_tokens.vocabulary;"
        "print(*{'torch', 'transformers', 'umap', 'sklearn'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""


def test_frequent_words_are_whole_and_rare_ones_are_split():
    cut = tokenize(cache.model_tokenizer(MODEL), example("subword_tokens", "text"))
    split = [word.text for word in cut.words if len(word.positions) > 1]
    assert split == ["unermesslich", "flumpig", "gemütlich"] and "[UNK]" not in cut.texts


def test_as_many_of_the_largest_tokenizers_as_are_kept_fit():
    with own_caches():
        computed.trained_tokenizer("BPE", SIZES[-1], "en")
        assert not list(caches_that_take_more(()))
