"""The lesson "inside a prediction", run whole, without a browser."""

import html
import json
import re

import pytest

from mlm_core.encoder import fetching
from mlm_core.encoder.fetching import ModelUnavailableError
from mlm_core.encoder.model_list import BUNDLED, MissingLensError, MissingWeightsError
from mlm_core.inside import attribution, lens
from pages.lessons.inside_a_prediction import computed as cache_inside
from pages.server.caches import cache
from pages.server.course.words import read_words
from pages.server.link.inputs import LONGEST_TEXT
from tests.lessons.german import MODEL, example
from tests.seen import words_of

FILE = "pages/11_inside_a_prediction.py"
WORDS = read_words("inside_a_prediction")


def drawing(app, kind: str) -> str:
    """Return the drawing of this kind as HTML; "" where there is none."""
    sent = (json.loads(each.proto.json or "null") for each in app.get("bidi_component"))
    drawn = (str(one.get("html", "")) for one in sent if isinstance(one, dict))
    return html.unescape(next((one for one in drawn if f'class="{kind}' in one), ""))


def notes(app) -> str:
    return re.sub(r"\\(.)", r"\1", " ".join(note.value for note in app.info))


def ranks(app) -> list[str]:
    return re.findall(r'class="rank lit"[^>]*>([\d,]+)<', drawing(app, "film lens"))


def test_the_rank_goes_from_thousands_to_one(open_warm_page):
    shown = ranks(open_warm_page(FILE))
    assert len(shown) == 13 and "," in shown[0] and shown[-1] == "1"


def test_another_word_of_the_rows_can_be_followed_and_no_other(open_warm_page):
    app = open_warm_page(FILE)
    usual = ranks(app)
    values = re.findall(r'data-value="([\d-]+)"', drawing(app, "film lens"))
    assert len(values) == len(set(values)) == 3 * 13, "a redraw would move the focus"
    ids = [value.partition("-")[2] for value in values]
    assert len(set(ids)) < len(ids)
    followed = open_warm_page(FILE, inside_a_prediction_followed=ids[0])
    assert ranks(followed)[0] == "1" and ranks(followed) != usual
    for nonsense in ("x", "-1", "99999999", ids[0] + "0" * 9):
        app = open_warm_page(FILE, inside_a_prediction_followed=nonsense)
        assert ranks(app) == usual and not app.error
        assert "inside_a_prediction_followed" not in app.query_params


@pytest.mark.parametrize(
    ("sentence", "note"),
    [
        ("He played in an orchestra.", "no_blank"),
        ("He [mask] it.", "no_blank"),
        ("", "no_blank"),
        ("He [MASK] the [MASK].", "too_many_blanks"),
        ("word " * 200 + "[MASK]", "no_blank"),
    ],
)
def test_a_sentence_that_asks_for_no_prediction_gets_its_sentence(sentence, note, open_warm_page):
    app = open_warm_page(FILE, inside_a_prediction_text=sentence)
    assert not app.error and not app.exception
    n = sentence.count("[MASK]")
    assert WORDS.section(note, n=n) in notes(app)
    shown = app.text_input(key="inside_a_prediction_text").value
    assert shown.strip() == sentence[:LONGEST_TEXT].strip()
    assert bool(app.warning) == (len(sentence) > LONGEST_TEXT), "what is cut is said"


def test_three_methods_stand_below_each_other_with_their_correlations(open_warm_page):
    app = open_warm_page(FILE)
    drawn = drawing(app, "attribution")
    assert drawn.count("<ul>") == 3 and drawn.count(">orchestra<") == 3
    assert [metric.label for metric in app.metric] == [
        WORDS.label(f"which_words_rank_{pair}")
        for pair in ("occlusion_gradients", "occlusion_attention", "gradients_attention")
    ]
    assert "Read them as estimates" not in words_of(app)
    assert "% goes to the blank itself and to the tokens at both ends" in words_of(app)
    other = open_warm_page(FILE, inside_a_prediction_layer="3")
    assert drawing(other, "attribution") != drawn
    assert other.metric[0].value == app.metric[0].value != "–"


def test_the_check_of_the_gradients_says_what_they_miss(open_warm_page, monkeypatch):
    monkeypatch.setattr(attribution, "FEWEST_STEPS", 1)
    monkeypatch.setattr(attribution, "MOST_STEPS", 2)
    app = open_warm_page(FILE, inside_a_prediction_text="They sold the [MASK] to a farmer.")
    assert "Read them as estimates" in words_of(app)


def test_a_model_without_weights_loses_a_line(open_warm_page, monkeypatch):
    def refuse(*_):
        raise MissingWeightsError("mini-bert")

    monkeypatch.setattr("pages.lessons.inside_a_prediction.which_words.attention_of", refuse)
    app = open_warm_page(FILE)
    assert drawing(app, "attribution").count("<ul>") == len(app.metric) + 1 == 2
    assert "mini-bert gives no attention weights" in notes(app) and not app.error


@pytest.mark.parametrize("part", ["which_words", "break_it"])
def test_a_model_without_a_lens_loses_the_lens_alone(open_warm_page, monkeypatch, part):
    def refuse(*_, **__):
        raise MissingLensError("mini-bert")

    monkeypatch.setattr(lens, "lens", refuse)
    text = f"They gave the [MASK] to a {part.partition('_')[0]}."
    app = open_warm_page(
        FILE, inside_a_prediction_text=text, inside_a_prediction_part=part, lang="de"
    )
    assert "Für mini-bert gibt es keine Logit Lens" in notes(app) and not app.error
    assert bool(drawing(app, "attribution")) == (part == "which_words")


@pytest.mark.parametrize(
    ("sentence", "note"),
    [
        ("The [MASK]", "Write at least two words"),
        ("He saw a [MASK] " + "and a dog " * 30, "shorten it to 64 tokens"),
    ],
)
def test_a_sentence_that_has_no_attribution_gets_its_sentence(sentence, note, open_warm_page):
    app = open_warm_page(FILE, inside_a_prediction_text=sentence)
    assert note in notes(app) and ranks(app) and not app.error


def test_one_pass_waits_for_no_long_work_and_gradients_need_memory(monkeypatch):
    monkeypatch.setattr(fetching, "available_bytes", lambda: 20_000_000)
    with pytest.raises(ModelUnavailableError, match="MB of memory and 20 MB are free here"):
        cache_inside.integrated_gradients(BUNDLED, "They sold the [MASK] to her.", 1)
    monkeypatch.delattr(cache_inside, "long_work_lock")
    text, word = "They sold the [MASK] to him.", 1_000
    whole = cache_inside.blank_without(BUNDLED, text, word, (), 32, 3)
    assert whole.rank > 3 and len(whole.top) == 3


def test_others_have_their_turn_between_the_steps_of_a_probe(monkeypatch):
    lock, told = cache.long_work_lock(), []

    def known(*_, language, on_progress):
        assert lock.locked()
        on_progress(1, 2)
        assert lock.locked()
        raise ZeroDivisionError

    def tell(n, of):
        assert not lock.locked()
        told.append((n, of))

    monkeypatch.setattr(cache_inside, "known_by_layer", known)
    with pytest.raises(ZeroDivisionError):
        cache_inside.probes(BUNDLED, "number", "word", "en", tell)
    assert told == [(1, 2)] and not lock.locked()


@pytest.mark.parametrize("layer", [0, 4])
def test_the_lens_finds_its_word_in_late_layers(layer: int):
    read = cache_inside.lens(MODEL, example("inside_a_prediction", "text"))
    assert read.answer.token == "Hauptstadt"
    assert read.ranks[layer] > 100 and max(read.ranks[-4:]) <= 2
