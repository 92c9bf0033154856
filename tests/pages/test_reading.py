"""What a page reads: German with German words, English a press away, and what a link says."""

import pytest

from mlm_core.encoder.model_list import BUNDLED, READERS
from pages.beside.teaching.view import read_link
from pages.server.course.lessons import BY_SLUG
from pages.server.course.words import read_words

LESSON = BY_SLUG["attention_mask"]
FIRST = "attention_mask_first"
GERMAN = READERS["de"]


def shown(app) -> tuple[str, str, str | None]:
    """Return the model, the opening's first sentence, and what the link says is read."""
    told = app.query_params.get("reads")
    reads = told[-1] if isinstance(told, list) else told
    return app.selectbox(key="model").value, app.text_input(key=FIRST).value, reads


def example(language: str) -> str:
    return read_words("attention_mask", language).label("default_first")


def test_german_words_read_german_and_english_is_a_press_away_and_back(open_warm_page):
    app = open_warm_page(LESSON.file, lang="de")
    assert shown(app) == (GERMAN, example("de"), "de") and "model" not in app.query_params
    app.button(key="read_other").click().run()
    assert shown(app) == (BUNDLED, example("en"), "en") and "model" not in app.query_params
    app.switch_page("app.py").run()  # kept over the visit
    english = read_words("home", "en").label("default_sentence")
    assert app.text_input(key="home_text").value == english
    app.switch_page(LESSON.file).run()
    assert shown(app) == (BUNDLED, example("en"), "en")
    app.button(key="read_other").click().run()
    assert shown(app) == (GERMAN, example("de"), "de")


def test_english_words_read_english_and_nothing_is_offered(open_warm_page):
    app = open_warm_page(LESSON.file)
    assert shown(app) == (BUNDLED, example("en"), None) and not app.query_params
    assert not [one for one in app.button if one.key == "read_other"]
    app.selectbox(key="lang").set_value("de").run()
    assert shown(app) == (GERMAN, example("de"), "de")
    app.selectbox(key="lang").set_value("en").run()
    assert shown(app) == (BUNDLED, example("en"), None)


def test_a_lesson_without_german_examples_reads_english(open_warm_page):
    app = open_warm_page(LESSON.file, lang="de")
    app.switch_page(BY_SLUG["train_an_encoder"].file).run()
    assert app.selectbox(key="model").value == BUNDLED and "model" not in app.query_params
    app.switch_page(LESSON.file).run()
    assert shown(app) == (GERMAN, example("de"), "de")


def test_a_learners_own_text_stays_when_the_language_changes(open_warm_page):
    app = open_warm_page(LESSON.file, lang="de")
    app.text_input(key=FIRST).set_value("Die Bank ist neu.").run()
    app.button(key="read_other").click().run()
    assert shown(app) == (BUNDLED, "Die Bank ist neu.", "en")
    second = read_words("attention_mask", "en").label("default_second")
    assert app.text_input(key="attention_mask_second").value == second


def test_a_model_that_was_chosen_by_hand_or_by_a_link_stays(open_warm_page):
    app = open_warm_page(LESSON.file, lang="de")
    app.selectbox(key="model").set_value(BUNDLED).run()
    assert shown(app) == (BUNDLED, example("de"), "de")
    app.switch_page(BY_SLUG["train_an_encoder"].file).run()
    app.switch_page(LESSON.file).run()
    assert shown(app) == (BUNDLED, example("de"), "de")
    app = open_warm_page(BY_SLUG["train_an_encoder"].file, lang="de", model=GERMAN)
    assert app.selectbox(key="model").value == GERMAN


def test_a_model_that_is_not_on_the_list_was_not_chosen(open_warm_page):
    app = open_warm_page(LESSON.file, lang="de", model="nobodys-model")
    app.switch_page(BY_SLUG["train_an_encoder"].file).run()
    assert app.selectbox(key="model").value == BUNDLED


def test_texts_that_a_link_fixes_stay_in_their_language(open_warm_page):
    fixed = {FIRST: "Die Bank ist neu.", "lock": FIRST, "reads": "de"}
    app = open_warm_page(LESSON.file, lang="de", **fixed)
    assert app.button(key="read_other").disabled


def test_a_sample_that_was_not_changed_is_in_the_language_that_is_read(open_warm_page):
    link = {"sentence_pairs_part": "packing", "sentence_pairs_documents": "own"}
    app = open_warm_page(BY_SLUG["sentence_pairs"].file, lang="de", **link)
    german, english = (read_words("sentence_pairs", one) for one in ("de", "en"))
    own = "sentence_pairs_own"
    assert app.text_area(key=own).value == german.section("documents.sample")
    app.button(key="read_other").click().run()
    assert app.text_area(key=own).value == english.section("documents.sample")


@pytest.mark.parametrize(
    ("link", "read"),
    [
        ({FIRST: "The bank was steep."}, "en"),  # made when all examples were English
        ({"attention_mask_query": "5"}, "en"),
        ({"attention_mask_switch": "bidirectional"}, "de"),  # speaks of no sentence
        ({"attention_mask_part": "worked", "attention_mask_e": "1,0;0,1;1,1"}, "de"),  # numbers
        ({FIRST: "Die Bank ist neu.", "reads": "de"}, "de"),
        ({"reads": "en"}, "en"),
    ],
)
def test_a_link_says_what_is_read_and_an_old_one_reads_english(link, read, open_warm_page):
    model, first, told = shown(open_warm_page(LESSON.file, lang="de", **link))
    assert (model, first, told) == (READERS[read], link.get(FIRST, example(read)), read)


def test_a_choice_of_what_is_read_begins_with_the_language_and_anew_with_another(open_warm_page):
    lesson, word = BY_SLUG["word_senses"], "word_senses_word"
    app = open_warm_page(lesson.file, lang="de")
    assert app.selectbox(key=word).value == "bank_de" and word not in app.query_params
    app.button(key="read_other").click().run()
    assert app.selectbox(key=word).value == "bank" and word not in app.query_params
    assert app.selectbox(key="model").value == BUNDLED
    app = open_warm_page(lesson.file, lang="de", **{word: "bat"})  # made when all read English
    assert (app.selectbox(key=word).value, app.query_params["reads"]) == ("bat", "en")


def test_the_exercises_of_a_german_page_say_that_their_sentences_are_english(open_warm_page):
    app = open_warm_page(LESSON.file, lang="de", attention_mask_part="exercises")
    words = read_words("exercises", "de")
    told = f"{words.section('in_english')} {words.section('same_model', model=GERMAN)}"
    assert told in [one.value for one in app.caption]
    app.button(key="read_other").click().run()
    assert not [one for one in app.caption if "englisch, auch" in one.value]


def test_a_teachers_page_keeps_what_a_link_says_is_read():
    link = f"{LESSON.slug}?{FIRST}=Die%20Bank.&reads=de"
    assert read_link(link).link() == link
