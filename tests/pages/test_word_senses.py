"""The lesson "word senses", run whole, without a browser."""

import re
import subprocess
import sys
import time

import pytest
import torch

from pages.parts.word_senses.setting import JOINS
from pages.shared.caches import cache, cache_senses
from tests.browser.live import ROOT
from tests.caches import own_caches

FILE = "pages/7_word_senses.py"


def open_part(open_page, part, **link):
    app = open_page(FILE, word_senses_part=part, **link)
    assert not app.exception and not app.error
    return app


def words_of(app):
    return " ".join(
        element.value for element in (*app.markdown, *app.info, *app.warning, *app.caption)
    ).replace("\\", "")


def html_of(app):
    """Return what our drawings were given, as one text."""
    text = "".join(str(element.proto) for element in app.get("bidi_component"))
    return text.replace('\\"', '"').replace("\\", "")


def test_the_opening_shows_a_map_with_its_senses_before_anyone_clicks(open_warm_page):
    app = open_warm_page(FILE)
    html = html_of(app)
    assert not app.exception and not app.error
    assert all(sense in html for sense in ("money (27)", "river (27)", "store (27)"))
    assert any("stored with this app" in caption.value for caption in app.caption)


def test_layer_0_is_told_apart_from_the_others(open_warm_page):
    assert "before any layer" in words_of(open_warm_page(FILE, word_senses_layer="0"))
    assert "**Layer 5** of 12" in words_of(open_warm_page(FILE, word_senses_layer="5"))


def test_playing_moves_one_layer_a_second_and_ends_at_the_last(open_warm_page):
    app = open_warm_page(FILE, word_senses_layer="10")
    app.button(key="word_senses_play").click().run()
    for layer in ("11", "12"):
        app.session_state["word_senses_playing"] = time.monotonic() - 1
        app.run()
        assert app.select_slider(key="word_senses_layer").value == layer
    assert "word_senses_playing" not in app.session_state


def test_a_chosen_point_shows_its_sentence_and_both_kinds_of_neighbours(open_warm_page):
    html = html_of(open_warm_page(FILE, word_senses_point="30"))
    near = re.search(r"Nearest in all 256 dimensions.*?</ol>", html, re.DOTALL)[0]
    cosines = [float(number) for number in re.findall(r">(0\.\d{3})<", near)]
    assert len(cosines) == 5 and cosines == sorted(cosines, reverse=True)
    on_map = re.search(r"Nearest on the map.*?</ol>", html, re.DOTALL)[0]
    assert on_map.count('class="sign"') == 5


def test_another_word_begins_at_its_first_point(open_warm_page):
    app = open_warm_page(FILE, word_senses_word="washington", word_senses_point="100")
    app.selectbox(key="word_senses_word").set_value("bat").run()
    assert not app.exception and not app.error
    assert app.selectbox(key="word_senses_point").value == "0"


def test_a_sentence_of_ones_own_becomes_a_star_and_gets_a_verdict(open_warm_page):
    app = open_warm_page(FILE)
    app.text_input(key="word_senses_star_bank").set_value("The bank lent us money.").run()
    assert "your sentence" in html_of(app) and "nearest to **money**" in words_of(app)


def test_a_sentence_without_the_word_says_so_and_one_with_it_twice_asks_which(open_warm_page):
    app = open_warm_page(FILE)
    app.text_input(key="word_senses_star_bank").set_value("No such word.").run()
    assert "“bank” is not in this sentence" in words_of(app)
    app.text_input(key="word_senses_star_bank").set_value("A bank by the river bank.").run()
    assert len(app.selectbox(key="word_senses_star_place").options) == 2


def test_the_arithmetic_of_a_cosine_comes_out_as_the_bar(open_warm_page):
    app = open_part(open_warm_page, "disambiguate")
    line = app.latex[-1].value
    dot, first, second, cosine = map(
        float, re.search(r"frac\{([\d.]+)\}\{([\d.]+) .cdot ([\d.]+)\} = ([\d.]+)", line).groups()
    )
    assert dot / (first * second) == pytest.approx(cosine, abs=2e-4)  # three digits after the dot
    assert f"wins with {cosine:.3f}" in words_of(app)


def test_an_example_never_judges_itself(open_warm_page):
    from mlm_core.embeddings.senses_data import stored_word

    text = stored_word("bank").sentences[0].text
    app = open_part(open_warm_page, "disambiguate", word_senses_try_bank=text)
    html = html_of(app)
    nearest = html[html.index("The nearest single examples") :].partition("</ol>")[0]
    assert "1.000" not in nearest
    assert any("80 sentences" in caption.value for caption in app.caption)


def test_a_layer_of_the_curve_leads_to_its_map(open_warm_page):
    app = open_part(open_warm_page, "by_layer")
    best = re.search(r"at layer (\d+) most of all", words_of(app))[1]
    app.button(key="word_senses_to_map").click().run()
    assert app.select_slider(key="word_senses_layer").value == best


def test_static_vectors_of_one_form_have_cosine_1_and_contextual_ones_less(open_warm_page):
    app = open_part(open_warm_page, "static")
    static, contextual = (float(metric.value) for metric in app.metric)
    assert static == 1 and contextual < 0.999


def test_the_default_text_has_a_use_that_the_vote_changes(open_warm_page):
    said = words_of(open_part(open_warm_page, "discourse"))
    assert re.search(r"says \*\*river\*\*, which changes [1-9] of 4", said)


def test_die_of_both_languages_is_measured_with_the_model_in_use(open_warm_page):
    said = words_of(open_part(open_warm_page, "german"))
    rates = re.findall(r"\| (?:English|German) \| ([\d.]+) \|", said)
    assert float(rates[0]) < float(rates[1]) and "trained on English only" in said


def pasted(open_page, word, text):
    app = open_part(open_page, "own", word_senses_own_word=word, word_senses_own_from="paste")
    app.text_area(key="word_senses_own_text").set_value(text).run()
    assert not app.exception and not app.error
    return words_of(app)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A light room.", "One sentence is one point"),
        ("A light room.\nA light room.", "1 sentences stand here twice"),
        ("A dark room.\nA cold room.", "No line has “light”"),
        ("x\tA light room.\ny\tA light bag.\ny\tTurn on the light.\nno", "1 of 4 lines"),
        ("The light of light.\nA light room.", "more than once"),
        ("word " * 300 + "light\nA light room.\nSo light.", "longer than the model's window"),
    ],
)
def test_pasted_sentences_that_are_odd_are_told_and_lose_nothing(open_warm_page, text, said):
    assert said in pasted(open_warm_page, "light", text)


def test_two_thousand_pasted_sentences_are_cut_to_what_is_drawn(open_warm_page):
    text = "\n".join(f"The light number {i} went out." for i in range(2000))
    assert "2000 sentences have the word; the first 500 are drawn" in pasted(
        open_warm_page, "light", text
    )


def test_a_word_of_many_pieces_says_so(open_warm_page):
    word = "antidisestablishmentarianism"
    text = "\n".join(f"{i} {word} grew." for i in range(4))
    assert re.search(r"up to [3-9] pieces", pasted(open_warm_page, word, text))


FIRST_MAP = """
import sys
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("{root}/app.py", default_timeout=100)
app.switch_page("pages/7_word_senses.py")
app.run()
assert not app.exception and not app.error and app.get("bidi_component")
heavy = {{"umap", "sklearn", "transformers", "numba"}} & set(sys.modules)
assert not heavy, heavy
print("light")
"""

TWO_LEARNERS = """
import functools, threading, torch
from mlm_core.embeddings import umap_fit
from mlm_core.embeddings.senses_data import MarkedSentence
from pages.shared.caches import cache_senses
# Of 500 epochs: how good a map is isn't asked.
umap_fit.pull_and_push = functools.partial(umap_fit.pull_and_push, n_epochs=20)
started, fitted = threading.Barrier(2), []
def ask(learner):
    for turn in range(10):
        text = f"{learner} {turn}"
        uses = (MarkedSentence(text=text, start=0, end=1),)
        vectors = torch.randn(20, 7, generator=torch.Generator().manual_seed(turn))
        started.wait()
        fitted.append(cache_senses.umap_map("m", uses, "mean", 1, vectors, torch.zeros(20, 2)))
learners = [threading.Thread(target=ask, args=(name,)) for name in "ab"]
[learner.start() for learner in learners]
[learner.join() for learner in learners]
again = cache_senses.umap_map("m", (MarkedSentence(text="a 0", start=0, end=1),), "mean", 1,
    torch.zeros(1, 1), torch.zeros(1, 2))  # too few to fit: it can only come from the cache
assert any(again is one for one in fitted)
assert not {"umap", "sklearn", "numba"} & set(__import__("sys").modules)
print(len(fitted), "maps")
"""


def run_apart(script):
    """Run a script in a process of its own, where an abort is seen and nothing is imported yet."""
    return subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=150
    )


def test_the_first_map_imports_neither_umap_nor_scikit_learn():
    done = run_apart(FIRST_MAP.format(root=ROOT))
    assert done.returncode == 0 and "light" in done.stdout, done.stderr[-2000:]


def test_two_learners_who_ask_for_umap_at_once_ten_times_bring_nothing_down():
    done = run_apart(TWO_LEARNERS)
    assert done.returncode == 0 and "20 maps" in done.stdout, done.stderr[-2000:]


@pytest.mark.parametrize(("name", "n_again"), [("mouse", 0), ("pitcher", 2), ("crane", 54)])
def test_for_the_first_piece_only_words_of_several_pieces_are_read_again(
    name, n_again, monkeypatch
):
    from mlm_core.embeddings import contextual

    def noted(model, sentences, *, pooling):
        read.append(len(sentences))
        return all_layers(model, sentences, pooling=pooling)

    read, all_layers = [], contextual.all_layers_word_vectors
    monkeypatch.setattr(contextual, "all_layers_word_vectors", noted)
    word = cache_senses.stored_word(name)
    with own_caches():
        uses = {pooling: cache_senses.stored_uses("mini-bert", name, pooling) for pooling in JOINS}
    assert read == [len(word.sentences), *[n_again][: bool(n_again)]]
    for pooling, found in uses.items():
        again = all_layers(cache.model("mini-bert"), word.sentences, pooling=pooling)
        torch.testing.assert_close(found.states, again.states, atol=1e-4, rtol=1e-4)
        assert torch.equal(found.static, again.static) and found.pooling == pooling
