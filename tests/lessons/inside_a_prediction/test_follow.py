"""The part "follow" of the lesson "inside a prediction", run whole, without a browser."""

import re

import pytest

from mlm_core.encoder.model_list import UnknownLayersError
from pages.lessons.inside_a_prediction import computed, follow
from tests.lessons.inside_a_prediction.test_inside_a_prediction import FILE, drawing, notes
from tests.seen import words_of

KEY = "inside_a_prediction"
OPEN = {f"{KEY}_part": "follow"}


def test_the_answer_goes_from_the_word_to_the_blank_and_a_click_exchanges_a_state(open_warm_page):
    app = open_warm_page(FILE, **OPEN)
    grid = drawing(app, "film patched")
    assert re.findall(r'data-value="(\d+,\d+)"', grid).count("6,4") == 1 == grid.count('"12,11"')
    assert "After layer 6, the state of “France” closes most: 0.87" in grid
    assert "Up to layer 6" in words_of(app) and "20 of 20" in words_of(app)
    assert "**0.87** of the gap between “Madrid” and “Paris” is closed" in words_of(app)
    runs = drawing(app, "three-runs")
    other = open_warm_page(FILE, **OPEN, **{f"{KEY}_follow_state": "12-9"})
    assert "**1.00** of the gap" in words_of(other) and drawing(other, "three-runs") != runs
    for nonsense in ("x", "13-1", "1-99", "-"):
        app = open_warm_page(FILE, **OPEN, **{f"{KEY}_follow_state": nonsense})
        assert drawing(app, "three-runs") == runs and not app.exception


@pytest.mark.parametrize(
    ("other", "answers", "note"),
    [
        ("The capital of France is the city of [MASK].", "", "the same to this model"),
        ("The capital of Spain was the city of [MASK].", "", "more than one word differs"),
        ("The capital of Liechtenstein is the city of [MASK].", "", "write a word of 1"),
        ("The capital of Spain is the city.", "", "0 blanks"),
        ("", "Rome", "Write exactly two answers"),
        ("", "Rome, Rome", "the same answer"),
    ],
)
def test_what_cannot_be_followed_gets_its_sentence(other, answers, note, open_warm_page):
    typed = {f"{KEY}_follow_answers": answers} | ({f"{KEY}_follow_other": other} if other else {})
    app = open_warm_page(FILE, **OPEN, **typed)
    assert note in notes(app) and not app.error and not app.exception
    assert not drawing(app, "film patched")


def test_a_model_whose_layers_are_not_found_gets_its_sentence(open_warm_page, monkeypatch):
    def refuse(*_):
        raise UnknownLayersError("mini-bert")

    monkeypatch.setattr(computed, "followed", refuse)
    app = open_warm_page(FILE, **OPEN, lang="de")
    assert "hat seine Schichten an einem unbekannten Ort" in notes(app) and not app.error


@pytest.mark.parametrize(
    ("closed", "place"),
    [([0, 0.9, 0.1], "word"), ([0, 0.1, 0.9], "blank"), ([0, 0.4, 0.5], "both")],
)
def test_the_class_is_told_where_the_answer_is(closed, place):
    pair = type("P", (), {"word": (1,), "blank": 2})
    assert follow._place(closed, pair) == place
    assert follow._place([0.7, 0.2, 0.1], pair) == "other"
