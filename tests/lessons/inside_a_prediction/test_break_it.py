"""The part "break it" of the lesson "inside a prediction", run whole, without a browser."""

import re
from types import SimpleNamespace

import pytest

from mlm_core.encoder.model_list import UnknownHeadsError
from mlm_core.inside import switches
from mlm_core.inside.switches import Head
from pages.lessons.inside_a_prediction import break_it, off
from pages.lessons.inside_a_prediction import computed as cache_inside
from tests.lessons.inside_a_prediction.test_inside_a_prediction import FILE, drawing, notes
from tests.seen import words_of

KEY = "inside_a_prediction"
OPEN = {f"{KEY}_part": "break_it"}


def pressed(app) -> list[str]:
    """Return the values of the switches that are off, as the wide board writes them."""
    board = drawing(app, "two-widths").split('class="narrow"')[0]
    return re.findall(r'data-value="([^"]+)"[^>]*aria-pressed="true"', board)


def metrics(app) -> list[str]:
    return [metric.value for metric in app.metric]


def test_everything_is_on_and_then_what_a_link_says_is_off(open_warm_page):
    app = open_warm_page(FILE, **OPEN)
    assert pressed(app) == [] and "→" not in " ".join(metrics(app))
    whole = metrics(app)
    link = {f"{KEY}_off": "1-0 3-2 99-1 1-9 0-1 x 3-2", f"{KEY}_bits": "8"}
    app = open_warm_page(FILE, **OPEN, **link)
    assert app.query_params[f"{KEY}_off"] == "1-0 3-2"
    assert pressed(app) == ["-1,0", "1,2"]
    assert metrics(app)[0].startswith(f"{whole[0]} → ")
    # 8 bits are a quarter of 32, and the scales.
    before, after = map(float, metrics(app)[3].split(" → "))
    assert before / 4 < after < before / 3.8
    app.button(key=f"{KEY}_all_on").click().run()
    assert pressed(app) == [] and metrics(app)[1] == "1"
    app.button(key=f"{KEY}_undo").click().run()
    assert pressed(app) == ["-1,0", "1,2"]
    assert not app.error and not app.exception


def test_heads_that_are_drawn_over_become_as_the_first_of_them():
    seen = []
    p = SimpleNamespace(change=lambda name, now: seen.append(now))
    off.click(p, (), "1,2")
    off.click(p, (Head(3, 2),), "1,2 0,2 1,3")
    off.click(p, (Head(3, 2),), "0,2 1,2 -1,0")
    assert seen == ["3-2", "", "1-0 3-1 3-2"]


def test_all_heads_are_measured_unasked_and_go_one_after_another(open_warm_page, monkeypatch):
    def loss(name, sentences, heads, bits):
        """Head 1 of a layer costs a tenth, the others nothing."""
        assert len(sentences) == 10 and bits == 32
        return 2 + sum(one.head == 1 for one in heads) / 10

    monkeypatch.setattr(cache_inside, "loss_without", loss)
    app = open_warm_page(FILE, **OPEN)
    board = drawing(app, "two-widths")
    assert board.count(">+0.10<") == 2 * 12 and board.count(">+0.00<") == 2 * 36
    # An edit changes nothing in the ten sentences.
    app.text_input(key=f"{KEY}_sentence").set_value("She sold the [MASK] to him.").run()
    assert drawing(app, "two-widths").count(">+0.10<") == 2 * 12
    app.button(key=f"{KEY}_in_turn").click().run()
    film = drawing(app, "film heads-in-turn")
    assert "48 off, the last one head 1 of layer 12: loss 3.20." in film
    assert film.count('class="in"') == 2 * 48
    # 36 cost nothing, and the next costs a tenth.
    assert "With 37 of 48 heads off" in words_of(app)
    assert not app.error and not app.exception


def test_a_model_of_an_unknown_architecture_gets_its_sentence(open_warm_page, monkeypatch):
    def refuse(*_):
        raise UnknownHeadsError("mini-bert")

    monkeypatch.setattr(switches, "_hide_heads", refuse)
    monkeypatch.setattr(
        cache_inside, "stored_losses", lambda name: ((), {})
    )  # as of any other model
    # No other test has measured this blank.
    new = {f"{KEY}_measured": "blank", f"{KEY}_sentence": "No test has this [MASK] yet."}
    app = open_warm_page(FILE, **OPEN, **new, inside_a_prediction_off="1-1")
    assert "keeps its heads in an unknown place" in notes(app) and not app.error
    assert pressed(app) == ["0,0"]
    app.button(key=f"{KEY}_all_on").click().run()
    assert pressed(app) == [] and len(app.metric) == 4
    assert "keeps its heads" in notes(app), "its heads can't be measured, either"


def test_many_heads_are_measured_for_a_blank_when_it_is_asked_for(open_warm_page, monkeypatch):
    asked = []

    def blank(name, text, word, heads, bits, n):
        """Head 1 of a layer halves P."""
        asked.append(heads)
        p = 0.5 ** sum(one.head == 1 for one in heads)
        return cache_inside.AtBlank(top=(("a", p),), probability=p, rank=1)

    monkeypatch.setattr(cache_inside, "blank_without", blank)
    monkeypatch.setattr(break_it, "MOST_UNASKED", 47)
    app = open_warm_page(FILE, **OPEN, inside_a_prediction_measured="blank")
    app.button(key=f"{KEY}_measure").click().run()
    assert drawing(app, "two-widths").count(">+0.69<") == 2 * 12
    assert "your word becomes less likely" in " ".join(one.value for one in app.caption)
    asked.clear()
    app.text_input(key=f"{KEY}_sentence").set_value("She sold the [MASK] to him.").run()
    assert ">+0.69<" not in drawing(app, "two-widths") and set(asked) == {()}
    app.button(key=f"{KEY}_measure").click().run()
    assert drawing(app, "two-widths").count(">+0.69<") == 2 * 12


@pytest.mark.parametrize(
    ("sentence", "note"), [("No blank.", "There is no blank"), ("[MASK] [MASK]", "has 2 blanks")]
)
def test_a_sentence_without_one_blank_gets_its_sentence(sentence, note, open_warm_page):
    app = open_warm_page(FILE, **OPEN, inside_a_prediction_sentence=sentence)
    assert note in notes(app) and not app.metric and not app.error
