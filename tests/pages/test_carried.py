"""The learner's sentence, which other lessons offer where they open on their own example."""

import pytest

from mlm_core.text.words import with_blanks
from pages.server.course.lessons import BY_SLUG, LESSONS
from pages.server.frame import carried
from pages.server.link.controls import controls_of

SENTENCE = "My grandmother bakes bread at the river bank."
BLANK = "My grandmother bakes bread at the river [MASK]."
# By lesson: what the sentence sets there. Lesson 5 needs two sentences, lesson 6 has its own world.
SET = {
    "subword_tokens": {"text": SENTENCE},
    "attention_mask": {"first": SENTENCE, "second": "My grandmother bakes bread at."},
    "masking": {"text": SENTENCE},
    "prediction_and_loss": {"text": SENTENCE, "cloze": BLANK},
    "word_senses": {"word": "bank", "star_bank": SENTENCE},
    "isotropy": {"first": SENTENCE},
    "classification": {"ways_text": SENTENCE},
    "bio_tagging": {"marked_text": SENTENCE},
    "inside_a_prediction": {"text": BLANK},
    "encoders_today": {"own_query": SENTENCE},
}


def offered(app) -> bool:
    return any(one.key == "use_sentence" for one in app.button)


@pytest.fixture
def typed(open_warm_page):
    """Give home with a sentence of the learner's."""
    app = open_warm_page("app.py")
    app.text_input(key="home_text").set_value(SENTENCE).run()
    return app


def test_each_lesson_offers_the_sentence_as_it_needs_it(typed):
    for lesson in LESSONS:
        wanted = {f"{lesson.slug}_{name}": text for name, text in SET.get(lesson.slug, {}).items()}
        typed.switch_page(lesson.file).run()
        assert not typed.exception and offered(typed) == bool(wanted), lesson.slug
        if wanted:
            typed.button(key="use_sentence").click().run()
            shown = {key: typed.session_state[key] for key in wanted}
            assert (shown, offered(typed)) == (wanted, False), lesson.slug


def test_it_is_not_offered_where_the_learner_typed_or_reads_another_language(typed):
    typed.switch_page(BY_SLUG["masking"].file).run()
    typed.text_input(key="masking_text").set_value("Fish swim in cold water.").run()
    assert not offered(typed)
    typed.switch_page("app.py").run()
    typed.switch_page(BY_SLUG["masking"].file).run()
    assert not offered(typed)  # its own sentence is still there
    typed.switch_page(BY_SLUG["isotropy"].file).run()
    label = typed.button(key="use_sentence").label
    assert "Fish swim in cold water" in label  # what was typed last
    typed.selectbox(key="lang").set_value("de").run()
    assert not offered(typed)  # German examples are read now


def test_a_locked_control_is_not_offered(typed):
    typed.switch_page(BY_SLUG["masking"].file)
    typed.query_params["lock"] = "masking_text"
    assert not offered(typed.run())


@pytest.mark.parametrize(
    ("slug", "text", "fitted"),
    [
        ("masking", "We ate [MASK].", None),  # the word is not known
        ("attention_mask", "We ate.", None),
        ("sentence_pairs", SENTENCE, None),
        (
            "sentence_pairs",
            "A dog barks. It is loud.",
            {"opening_first": "A dog barks.", "opening_next": "It is loud."},
        ),
        ("word_senses", "A dog barks.", None),
        ("inside_a_prediction", "We ate [MASK].", {"text": "We ate [MASK]."}),
        ("inside_a_prediction", "It is so.", None),
        ("prediction_and_loss", "We ate [MASK].", {"cloze": "We ate [MASK]."}),
        ("prediction_and_loss", "It is so.", {"text": "It is so."}),
    ],
)
def test_what_a_sentence_sets_is_fitted_to_the_lesson(slug, text, fitted):
    wanted = {f"{slug}_{name}": value for name, value in (fitted or {}).items()}
    found = carried.fitted(slug, text)
    assert found == wanted
    assert not found.keys() - controls_of(slug).keys()


def test_parts_begin_with_the_sentence_of_the_opening(open_warm_page):
    slug = "prediction_and_loss"
    parts = {"blanks": with_blanks(SENTENCE, 2), "write": "My grandmother bakes bread at"}
    for part, text in parts.items():
        app = open_warm_page(BY_SLUG[slug].file, **{f"{slug}_part": part, f"{slug}_text": SENTENCE})
        name = {"write": "write_text"}.get(part, part)
        assert app.text_input(key=f"{slug}_{name}").value == text
    slug = "word_senses"
    app = open_warm_page(
        BY_SLUG[slug].file, **{f"{slug}_part": "disambiguate", f"{slug}_star_bank": SENTENCE}
    )
    assert app.text_input(key=f"{slug}_all_words").value == SENTENCE
    for slug, line, own in (
        ("classification", "ways_text", "take_home_sentiment_text"),
        ("bio_tagging", "marked_text", "take_home_entities_text"),
    ):
        asked = {f"{slug}_part": "take_home", f"{slug}_{line}": SENTENCE}
        app = open_warm_page(BY_SLUG[slug].file, **asked)
        assert app.text_input(key=f"{slug}_{own}").value == SENTENCE
