"""What a layer knows, and whom a model expects: stored and measured, and what is refused."""

from functools import partial

import pytest

from mlm_core.inside import known_by_layer
from pages.server import session
from pages.server.caches.own_models import PREFIX, OwnModels
from tests.finetuning.small_models import small_encoder

PAGE = "pages/11_inside_a_prediction.py"
KNOWS = {"inside_a_prediction_part": "knows"}
EXPECTS = {"inside_a_prediction_part": "expects"}
NAME = PREFIX + "0123456789"


def said(app, beginning: str) -> str:
    (text,) = (one.value for one in app.markdown if one.value.startswith(beginning))
    return text


def notes(app) -> list[str]:
    return [one.value for one in app.info]


def test_the_bundled_models_layers_are_read_from_store_and_at_the_learners_blank(open_warm_page):
    app = open_warm_page(PAGE, **KNOWS)
    assert not app.exception and not app.error
    assert any("Stored result" in one.value for one in app.caption)
    assert "**92%**" in said(app, "At layer 0") and "not shown" not in said(app, "At layer 0")
    # Words that were also learned from: 81 of 195; of all words it is 143 of 390.
    assert "37% (95\u00a0% interval 32% to 42%; a guess: 33%)" in said(app, "And the **random")
    assert "42% of words that were also learned from (35% to 49%)" in said(app, "And the **random")
    assert said(app, "Only for words that were also learned from")
    assert "**noun**" in said(app, "After the last layer")
    app.text_input(key="inside_a_prediction_sentence").set_value("He [MASK] the ball.").run()
    assert "**verb**" in said(app, "After the last layer")
    app.button_group(key="inside_a_prediction_knows_task").set_value("number").run()
    app.text_input(key="inside_a_prediction_sentence").set_value("They saw two [MASK] there.").run()
    assert "**plural**" in said(app, "After the last layer")
    app.text_input(key="inside_a_prediction_sentence").set_value("No blank.").run()
    assert any(note.startswith("There is no blank") for note in notes(app))
    assert said(app, "At layer 0"), "the accuracies stay"
    assert said(app, "Neither is shown to differ"), "of singular and plural"
    app.button_group(key="inside_a_prediction_knows_read_at").set_value("word").run()
    assert "98%" in said(app, "Already at layer 0")
    assert "So the word alone shows its class." in said(app, "Already at layer 0")


def test_german_layers_are_read_at_a_german_blank(open_warm_page):
    app = open_warm_page(PAGE, lang="de", **KNOWS)
    assert not app.exception and not app.error
    assert any("Gespeichertes Ergebnis" in one.value for one in app.caption)
    assert "deutschen Wörter" in said(app, "Eine **")
    assert said(app, "Das sind 6 Prozentpunkte mehr als Raten")  # 117 of 300 against a third
    line = app.text_input(key="inside_a_prediction_sentence")
    for sentence, named in (("Sie [MASK] den Ball.", "Verb"), ("Der [MASK] ist alt.", "Nomen")):
        line.set_value(sentence).run()
        assert f"**{named}**" in said(app, "Nach der letzten Schicht")
    app.button_group(key="inside_a_prediction_knows_read_at").set_value("word").run()
    assert said(app, "Im Deutschen beginnt jedes Nomen mit einem Großbuchstaben")


def test_another_model_is_probed_when_it_is_asked_for(open_warm_page, monkeypatch):
    fewer = partial(known_by_layer.known_by_layer, n_examples=90)
    monkeypatch.setattr("pages.lessons.inside_a_prediction.computed.known_by_layer", fewer)
    app = open_warm_page()
    session.of(OwnModels, app.session_state).kept = {NAME: small_encoder()}
    app.session_state["model"] = NAME
    app.session_state["inside_a_prediction_part"] = "knows"
    app.switch_page(PAGE).run()
    assert any("has not been probed yet" in note for note in notes(app))
    app.button(key="inside_a_prediction_knows_measure").click().run()
    assert not app.exception and not app.error
    assert "no clear sign of the context" in said(app, "At layer 0")
    assert said(app, "After the last layer")
    # Its random embedding shows nothing of words that were not learned from.
    app.button_group(key="inside_a_prediction_knows_read_at").set_value("word").run()
    assert "no clear sign of the class" in said(app, "At layer 0")


@pytest.mark.parametrize(
    "link, beginning",
    [
        ({"words": ","}, "Write at least one word"),
        ({"answers": "he"}, "Write exactly two answers"),
        ({"answers": "he, anticonstitutional"}, "Each answer must be one token"),
        ({"answers": "he, 犬"}, "Each answer must be one token"),
        ({"words": "nurse, 犬"}, "Each answer must be one token"),
        ({"word_first": "The ___ went home."}, "1 slots (___) and 0 [MASK]: write one ___"),
        ({"words": "nurse, [MASK]"}, "2 blanks are read of"),
    ],
)
def test_a_template_that_cannot_be_read_has_its_reason(open_warm_page, link, beginning):
    named = {f"inside_a_prediction_expects_{name}": text for name, text in link.items()}
    app = open_warm_page(PAGE, **EXPECTS, **named)
    assert not app.exception and not app.error
    assert any(note.replace("\\", "").startswith(beginning) for note in notes(app)), notes(app)
    assert not any(one.value.startswith("The ratio of") for one in app.markdown)


def test_ones_own_template_words_and_answers_are_compared(open_warm_page):
    app = open_warm_page(
        PAGE,
        **EXPECTS,
        inside_a_prediction_expects_words="dog, bird, dog",
        inside_a_prediction_expects_answers="ran, flew",
        inside_a_prediction_expects_word_first="The _____ [MASK] away.",
        inside_a_prediction_expects_blank_first="Away [MASK] the ___.",
    )
    text = said(app, "The ratio of “flew” to “ran”")
    assert "“bird” and" in text and "with “dog”" in text and "of 2 words" in text
