"""The lesson "word senses", run whole, without a browser."""

import json
import os
import re
import time
from dataclasses import replace
from functools import partial
from html import unescape
from importlib.util import find_spec
from types import SimpleNamespace

import pytest
import torch
from scipy.stats import binomtest

from mlm_core.embeddings.contextual import POOLINGS
from mlm_core.number_format import marks_of, written_with
from mlm_core.text.plain_text import decode_text
from pages.lessons.word_senses import computed as word_senses_computed
from pages.lessons.word_senses import own
from pages.server.caches import cache, cache_senses
from pages.server.course.words import read_words
from pages.server.figures.table import Table
from pages.server.link import whole_page
from pages.server.link.controls import controls_of
from pages.server.process import helper_process
from tests import seen
from tests.caches import own_caches
from tests.lessons.german import MODEL
from tests.seen import all_words_of as words_of
from tests.seen import captions_of, look_until
from tests.waiting import wait_for_the_helper

FILE = "pages/7_word_senses.py"


open_part = partial(seen.open_part, "word_senses")


def html_of(app):
    """Return what our drawings and charts were given, as one text."""
    shown = [*app.get("bidi_component"), *app.get("plotly_chart")]
    text = "".join(str(element.proto) for element in shown)
    return text.replace('\\"', '"').replace("\\", "")


def test_the_opening_shows_a_map_with_its_senses_before_anyone_clicks(open_warm_page):
    app = open_warm_page(FILE)
    html = html_of(app)
    assert not app.exception and not app.error
    assert all(sense in html for sense in ("money (27)", "river (27)", "store (27)"))
    assert any("stored with this app" in caption.value for caption in app.caption)


def test_a_link_opens_the_film_at_its_layer_and_each_layer_is_said(open_warm_page):
    for layer in ("0", "5"):
        html = html_of(open_warm_page(FILE, word_senses_layer=layer))
        assert f'data-stands="{layer}"' in html
        assert "Layer 0, before attention" in html and "Layer 5 of 12" in html


def test_the_places_of_all_layers_are_sent_once_the_film_is_played(open_warm_page):
    app = open_warm_page(FILE)
    assert 'data-places=""' in html_of(app)
    app.session_state["word_senses_film_opened"] = True
    shown = html_of(app.run())
    frames = json.loads(unescape(re.search(r'data-places="([^"]*)"', shown)[1]))
    assert len(frames) == 13 and all(len(frame["at"]) == 2 * 81 + 2 for frame in frames)
    chart = json.loads(app.get("plotly_chart")[0].proto.spec)
    (left, right), (bottom, top) = (chart["layout"][f"{axis}axis"]["range"] for axis in "xy")
    for frame in frames:  # each fills the one frame of all, from side to side or from top to bottom
        xs, ys = frame["at"][:-2:2], frame["at"][1:-2:2]
        assert left < min(xs) and max(xs) < right and bottom < min(ys) and max(ys) < top
        assert max(xs) - min(xs) > 0.85 * (right - left) or max(ys) - min(ys) > 0.7 * (top - bottom)
    # The map of the last layer is at least as wide as two thirds of its place on a laptop.
    assert max(xs) - min(xs) > 0.66 * (right - left) and right - left > 1.6 * (top - bottom)
    # The learner's star and the rings of each layer are there, too.
    star = next(trace for trace in chart["data"] if trace.get("meta") == "star")
    assert frames[-1]["at"][-2:] == [*star["x"], *star["y"]] != frames[0]["at"][-2:]
    assert len(frames[-1]["rings"]) == 13 and max(frames[-1]["rings"]) < 81
    assert f"map misleads ({len(frames[-1]['rings'])})" in shown


@pytest.mark.parametrize("way", ["lock", "hide"])
def test_a_layer_that_a_link_fixes_is_said_and_not_played(open_warm_page, way: str):
    app = open_warm_page(FILE, word_senses_layer="5", **{way: "word_senses_layer"})
    assert "Layer 5 of 12" in words_of(app) and "data-stands" not in html_of(app)


def test_what_other_parts_stand_by_draws_the_whole_page(open_warm_page, monkeypatch):
    wanted = []
    monkeypatch.setattr(whole_page, "want", lambda: wanted.append(True))
    app = open_warm_page(FILE)
    app.selectbox(key="word_senses_word").set_value("bat").run()
    assert wanted


def test_a_stored_map_needs_no_helper_and_the_part_with_own_sentences_begins_it(
    open_warm_page, monkeypatch
):
    begun = []
    monkeypatch.setattr(helper_process, "begin", lambda: begun.append(True))
    monkeypatch.setattr(helper_process, "_submit", lambda *_: begun.append(True))
    open_warm_page(FILE)
    assert not begun
    open_part(open_warm_page, "own")
    assert begun


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
    assert "your sentence" in html_of(app) and "Nearest sense: **money**" in words_of(app)
    app.text_input(key="word_senses_star_bank").set_value("The plane began to bank left.").run()
    assert "Nearest sense" not in words_of(app) and "No sense of the list fits:" in words_of(app)


def test_a_tie_of_two_senses_is_no_answer(open_warm_page):
    tie = "Der alte Mann saß auf der Bank und las die Zeitung."
    link = {"word_senses_star_bank_de": tie, "word_senses_try_bank_de": tie}
    link |= {"word_senses_word": "bank_de", "lang": "de", "reads": "de"}
    app = open_part(open_warm_page, "disambiguate", **link)
    assert words_of(app).count("**Unentschieden") == 2  # in the opening and in the part
    assert "Nächste Bedeutung" not in words_of(app) and "dann folgt" not in words_of(app)


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
    assert f"has the largest cosine, {cosine:.3f}" in words_of(app)


def test_an_example_never_judges_itself(open_warm_page):
    from mlm_core.embeddings.senses_data import stored_word

    text = stored_word("bank").sentences[0].text
    app = open_part(open_warm_page, "disambiguate", word_senses_try_bank=text)
    html = html_of(app)
    nearest = html[html.index("The nearest single examples") :].partition("</ol>")[0]
    assert "1.000" not in nearest
    assert any("80 sentences" in caption.value for caption in app.caption)


def test_the_layers_of_bank_are_compared_sentence_by_sentence(open_warm_page):
    said = words_of(open_part(open_warm_page, "by_layer"))
    [(top, n_worse, near)] = re.findall(
        r"highest is (\d+)\s%.* sentences, (\d+) layers? (?:is|are) clearly worse.*; (\d+) ", said
    )
    scores = cache_senses.sense_layer_scores("mini-bert", "bank", "mean", "centroids")
    accuracies = [one.accuracy for one in scores]
    best = max(scores, key=lambda one: one.accuracy)
    assert int(top) == round(100 * best.accuracy)
    pairs = [list(zip(best.right, one.right, strict=True)) for one in scores]
    differ = [(pair.count((True, False)), pair.count((False, True))) for pair in pairs]
    worse = [binomtest(a, a + b).pvalue < 0.05 if a + b else False for a, b in differ]
    assert int(n_worse) == sum(worse) and int(n_worse) + int(near) == 12
    # From layer 3 on all lie together, as the lesson's text once denied.
    assert min(accuracies[3:]) > best.accuracy - 0.08 and int(near) >= 9


def test_a_part_has_the_layer_of_the_map_until_it_has_its_own(open_warm_page):
    app = open_part(open_warm_page, "by_layer", word_senses_layer="5")
    own = "word_senses_own_layer"
    assert app.select_slider(key=own).value == "5" and own not in app.query_params
    app.session_state["word_senses_layer"] = "3"
    app.run()
    assert app.select_slider(key=own).value == "3"
    app.select_slider(key=own).set_value("7").run()
    app.session_state["word_senses_layer"] = "4"
    app.run()
    assert app.select_slider(key=own).value == "7"
    assert app.query_params[own] == "7"


def test_the_sentence_of_the_star_is_that_of_the_parts_until_they_have_their_own(open_warm_page):
    app = open_part(open_warm_page, "disambiguate")
    sentence = "He robbed the bank near the river."
    app.text_input(key="word_senses_star_bank").set_value(sentence).run()
    assert app.text_input(key="word_senses_try_bank").value == sentence
    app = open_part(open_warm_page, "static", word_senses_star_bank=sentence)
    assert any(sentence.removesuffix(".") in one.value for one in app.caption)
    assert "your sentence" in app.selectbox(key="word_senses_bank_a").options[-1]
    assert app.selectbox(key="word_senses_bank_a").value == "81"


@pytest.mark.parametrize(
    ("sentence", "is_refused"),
    [
        ("The plane began to bank to the left.", True),
        ("A bank of fog lay over the sea.", True),
        ("They had a picnic on the bank and fed the ducks.", False),
    ],
)
def test_a_sense_that_is_not_on_the_list_is_refused(open_warm_page, sentence, is_refused):
    app = open_part(open_warm_page, "disambiguate", word_senses_try_bank=sentence)
    said = words_of(app)
    assert ("No sense of the list fits" in said) == is_refused
    assert ("has the largest cosine" in said) != is_refused
    assert "95" in said and "development data" in said


def test_static_vectors_of_one_form_have_cosine_1_and_contextual_ones_less(open_warm_page):
    app = open_part(open_warm_page, "static")
    static, contextual = (float(metric.value) for metric in app.metric)
    assert static == 1 and contextual < 0.999


def test_the_default_text_has_a_use_that_the_vote_changes(open_warm_page):
    said = words_of(open_part(open_warm_page, "by_layer"))
    assert re.search(r"is \*\*river\*\*\. This changes [1-9] of 4", said)


def test_a_test_within_german_says_which_model_knows_german(open_warm_page):
    said = words_of(open_part(open_warm_page, "languages"))
    [(both, english, n_both, n_english, points, low)] = re.findall(
        r"\*\*(\d+)\s%\*\* with mini-bert-de-en, \*\*(\d+)\s%\*\* with mini-bert: (\d+) uses are"
        r" right only with mini-bert-de-en, (\d+) only.* is \+(\d+) points .*interval \+(\d+) to",
        said,
    )
    assert int(both) > int(english) + 15 and int(n_both) > int(n_english) + 5
    assert (
        0
        < int(low)
        < int(points)
        == int(both) - int(english)
        == round(100 * (int(n_both) - int(n_english)) / 42)
    )
    assert "**mini-bert-de-en is better**" in said


def test_both_languages_of_a_word_are_two_colours_and_their_accuracy_is_measured(open_warm_page):
    app = open_part(open_warm_page, "languages")
    html, said = html_of(app), words_of(app)
    assert "English (18)" in html and "German (18)" in html and "Layer 12, the last" in html
    assert "mini-bert-de-en, layer 12, 36 sentences · UMAP, stored with this app" in captions_of(
        app
    )
    [(accuracy, chance, low, high)] = re.findall(
        r"at layer 12: \*\*(\d+)\s%\*\*; always one language, (\d+)\s%.*: (\d+) to (\d+)\s%\.", said
    )
    assert 50 == int(chance) < int(low) <= int(accuracy) <= int(high)


def test_the_english_model_separates_the_languages_too_as_the_text_says(open_warm_page):
    link = {"word_senses_both_model": "mini-bert", "word_senses_both_word": "warm"}
    app = open_part(open_warm_page, "languages", word_senses_both_layer="0", **link)
    said = words_of(app)
    assert "mini-bert at layer 0" in said and "· UMAP, stored" in captions_of(app)
    [last] = re.findall(r"its accuracy at the last layer is (\d+)\s%", said)
    assert int(last) >= 90
    [pieces] = re.findall(r"German into ([\d.]+) tokens per word, English into ([\d.]+)", said)
    assert float(pieces[0]) > float(pieces[1]) + 0.5


def pasted(open_page, word, text):
    app = open_part(open_page, "own", word_senses_own_word=word, word_senses_own_from="paste")
    app.text_area(key="word_senses_own_text").set_value(text).run()
    assert not app.exception and not app.error
    return words_of(app)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A light room.", "One sentence is one point"),
        ("A light room.\nA light room.", "1 sentence occurs twice"),
        ("A dark room.\nA cold room.", "No line has “light”"),
        ("x\tA light room.\ny\tA light bag.\ny\tTurn on the light.\nno", "1 of 4 lines"),
        ("The light of light.\nA light room.", "more than once"),
        ("word " * 300 + "light\nA light room.\nSo light.", "longer than the model's window"),
    ],
)
def test_pasted_sentences_that_are_odd_are_told_and_lose_nothing(open_warm_page, text, said):
    assert said in pasted(open_warm_page, "light", text)


def test_the_word_itself_before_a_colon_is_no_name_of_a_sense(open_warm_page):
    said = pasted(open_warm_page, "light", "Light: wave or ray?\nlamp: The light.\nlamp: A lamp.")
    assert "1 of 3 lines" in said


def test_a_file_of_excels_is_read_as_it_was_written(open_warm_page):
    link = {"word_senses_own_word": "bank", "word_senses_own_from": "file"}
    app = open_part(open_warm_page, "own", **link)
    data = "We sat on the river’s bank – alone\nThe bank’s clerk was kind\n".encode("cp1252")
    app.file_uploader(key="word_senses_own_file").upload("a.txt", data, "text/plain").run()
    (choice,) = [one for one in app.get("button_group") if "decoded" in (one.key or "")]
    assert not app.exception and not app.error and choice.value == "windows-1252"
    assert "A map of 2 uses of the word" in html_of(app)


@pytest.mark.parametrize("marks", ["1,234.5", "1.234,5"])  # German: semicolons between the cells
def test_the_csv_of_a_classs_map_is_read_back_by_the_part_with_own_sentences(open_warm_page, marks):
    sent = [
        ("river, steep", 'The "bank"; it was wet, too.'),
        ("money", "A bank: closed."),
        ("-3", "=1+1 is in the bank,-so it said."),
    ]
    with written_with(marks_of(marks)):
        data = Table([{"sense": sense, "sentence": one} for sense, one in sent]).csv()
    text = own.lines_of_csv(decode_text(data).text)
    assert [own.split_label(line) for line in text.splitlines()] == sent
    assert own.lines_of_csv("a" * 200_000) == "a" * 200_000
    headless = "\n".join(f'"{sense}","A {sense} bank."' for sense in ("river", "money"))
    assert own.lines_of_csv(headless).splitlines()[0] == "river\tA river bank."
    link = {"word_senses_own_word": "bank", "word_senses_own_from": "file"}
    app = open_part(open_warm_page, "own", **link)
    app.file_uploader(key="word_senses_own_file").upload("map.csv", data, "text/csv").run()
    assert not app.exception and not app.error and "river, steep (1)" in html_of(app)


def test_the_example_of_a_classs_map_grows_and_says_who_is_nearest_to_another_sense(open_warm_page):
    app = open_part(open_warm_page, "class_map", word_senses_class_n="3")
    assert "No sentence can be judged yet" in words_of(app) and "river (1)" in html_of(app)
    app = open_part(open_warm_page, "class_map", word_senses_class_n="9")
    assert "of 9** sentences lie nearest" in words_of(app)
    assert "An interval is given from 10 sentences on" in words_of(app)
    app = open_part(open_warm_page, "class_map", word_senses_class_n="24", lang="de")
    assert "von 24** Sätzen liegen am nächsten" in words_of(app) and "(Wilson, 1927)" in words_of(
        app
    )


def test_a_link_to_pasted_sentences_says_that_it_does_not_have_them(open_warm_page):
    app = open_part(
        open_warm_page, "own", word_senses_own_word="match", word_senses_own_from="paste"
    )
    assert "but not the pasted sentences" in words_of(app)


def test_many_pasted_sentences_are_cut_to_what_is_drawn(open_warm_page, monkeypatch):
    monkeypatch.setattr(own, "MOST", 50)
    text = "\n".join(f"The light number {i} went out." for i in range(200))
    assert "200 sentences have the word; the first 50 are drawn" in pasted(
        open_warm_page, "light", text
    )


def test_a_word_of_many_pieces_says_so(open_warm_page):
    word = "antidisestablishmentarianism"
    text = "\n".join(f"{i} {word} grew." for i in range(4))
    assert re.search(r"up to [3-9] subwords", pasted(open_warm_page, word, text))


def test_points_without_labels_are_coloured_by_clusters_and_labelled_ones_by_labels(
    open_warm_page,
):
    app = open_part(open_warm_page, "own")
    assert "cluster 1 (" in html_of(app) and "cluster 3 (" not in html_of(app)
    app.button_group(key="word_senses_own_colour").set_value("3").run()
    assert "cluster 3 (" in html_of(app) and "unlabelled" not in html_of(app)
    app = open_part(open_warm_page, "own", word_senses_own_from="paste")
    assert "weight (4)" in html_of(app) and "lamp (4)" in html_of(app)


def test_a_warning_about_a_point_waits_for_a_click_on_it(open_warm_page):
    assert not open_warm_page(FILE).warning
    points, met = iter(range(27)), set()
    while len(met) < 2:  # until one has a warning and one has none
        met.add(bool(open_warm_page(FILE, word_senses_point=str(next(points))).warning))


# -- maps by UMAP: in the helper, or PCA in their place -------------------------------------------


EIGHT = "\n".join(f"The {kind} light shone." for kind in "red old dim far low sad new wet".split())


@pytest.fixture
def own_map(open_warm_page):
    """Give what opens the part "own" with a pasted text, by UMAP; no map is there of before."""
    word_senses_computed.umap_work.clear()

    def open_(text=EIGHT, **link):
        link = {"word_senses_own_from": "paste", "word_senses_own_kind": "umap", **link}
        app = open_part(open_warm_page, "own", word_senses_own_word="light", **link)
        app.text_area(key="word_senses_own_text").set_value(text).run()
        assert not app.exception
        return app

    return open_


def test_pca_stands_there_until_umap_learn_has_made_the_map(own_map, monkeypatch):
    monkeypatch.setattr(helper_process, "is_warm", lambda: False)
    app = own_map()
    assert "· PCA in place of UMAP" in captions_of(app)
    assert "helper process" in app.get("progress")[0].proto.text
    look_until(app, lambda: "UMAP by umap-learn" in captions_of(app), wait_for_the_helper)
    assert not app.get("progress") and "PCA in place" not in captions_of(app)


def test_neighbours_min_dist_and_seed_each_ask_for_another_map(open_warm_page, monkeypatch):
    def result(*patience):
        raise TimeoutError

    asked, never_done = [], SimpleNamespace(begun=time.monotonic(), result=result)
    monkeypatch.setattr(
        word_senses_computed, "umap_work", lambda one: asked.append(one) or never_done
    )
    app = open_warm_page(FILE, word_senses_kind="live")
    for key, value in (("seed", 5), ("neighbours", "3"), ("min_dist", "0.8")):
        kind = app.number_input if key == "seed" else app.select_slider
        kind(key=f"word_senses_umap_{key}").set_value(value).run()
    assert len({one.settings for one in asked}) == 4


def test_where_memory_is_short_the_map_is_pcas_and_the_number_is_told(own_map, monkeypatch):
    monkeypatch.setattr(helper_process, "is_warm", lambda: False)
    monkeypatch.setattr(helper_process, "free_bytes", lambda: 123_000_000)
    app, said = own_map(lang="de"), ("noch 123 MB Speicher", "brauchen 450 MB")
    assert "PCA anstelle von UMAP" in captions_of(app)
    assert all(part in words_of(app) for part in said)


def test_without_umap_learn_the_map_is_pcas_and_says_what_is_missing(own_map, monkeypatch):
    monkeypatch.setattr(
        helper_process, "find_spec", lambda name: None if name == "umap" else find_spec(name)
    )
    app = own_map()
    assert "· PCA in place of UMAP" in captions_of(app)
    assert "umap-learn is not installed" in words_of(app)
    assert not any(r"\\" in one.value for one in app.warning), "escaped twice, so it is seen"


def test_where_too_many_wait_the_map_is_pcas_and_says_so(own_map, monkeypatch):
    monkeypatch.setattr(helper_process, "MOST_WAITING", 0)
    app = own_map()
    assert "· PCA in place of UMAP" in captions_of(app)
    assert "Many visitors are waiting" in words_of(app)


def test_a_helper_killed_in_the_middle_of_a_fit_is_told_and_the_map_is_pcas(own_map, monkeypatch):
    said = "zweimal beendet"
    # A helper that is just about to end for want of work takes up a first one only with the next.
    helper_process.Work(os.getpid)
    killed = helper_process.Work(os._exit, 9)
    monkeypatch.setattr(word_senses_computed, "umap_work", lambda *_: killed)
    app = own_map(lang="de")
    look_until(app, lambda: said in words_of(app), wait_for_the_helper)
    assert not app.error
    assert "PCA anstelle von UMAP" in captions_of(app)


def test_four_points_and_equal_points_have_a_pca_map_and_a_sentence(own_map):
    app = own_map("\n".join(EIGHT.splitlines()[:4]))
    assert "4 sentences, but UMAP needs at least 5" in words_of(app) and not app.error
    app = own_map("\n".join(["A light room."] * 6))
    assert "All 6 vectors are equal" in words_of(app) and not app.error
    assert captions_of(app).count("· PCA ·") == 1


def test_vectors_with_nan_are_a_sentence_and_the_page_goes_on(open_page, monkeypatch):
    def broken(*arguments):
        uses = read(*arguments)
        return replace(uses, states=torch.full_like(uses.states, float("nan")))

    read = cache_senses.uses
    app = open_part(open_page, "own", word_senses_own_from="paste", lang="de")
    monkeypatch.setattr(cache_senses, "uses", broken)
    app.text_area(key="word_senses_own_text").set_value(EIGHT).run()
    said = "enthalten NaN oder unendliche"
    assert any(said in error.value for error in app.error) and not app.exception


@pytest.mark.parametrize(("name", "n_again"), [("mouse", 0), ("pitcher", 2)])
def test_for_the_first_piece_only_words_of_several_pieces_are_read_again(
    name, n_again, monkeypatch
):
    from mlm_core.embeddings import contextual

    def noted(model, sentences, **pooling):
        read.append(len(sentences))
        return all_layers(model, sentences, **pooling)

    read, all_layers = [], contextual.all_layers_word_vectors
    monkeypatch.setattr(contextual, "all_layers_word_vectors", noted)
    word = cache_senses.stored_word(name)
    with own_caches():
        uses = {
            pooling: cache_senses.stored_uses("mini-bert", name, pooling) for pooling in POOLINGS
        }
    assert read == [len(word.sentences), *[n_again][: bool(n_again)]]
    for pooling, found in uses.items():
        again = all_layers(cache.model("mini-bert"), word.sentences, pooling=pooling)
        torch.testing.assert_close(found.states, again.states, atol=1e-4, rtol=1e-3)  # 2 bytes
        assert torch.equal(found.static, again.static) and found.pooling == pooling


def test_a_word_without_an_example_gets_the_fallback_and_says_so(open_warm_page):
    app = open_part(open_warm_page, "inventory")  # an old link
    said = words_of(app)
    assert "“pitcher” has no example here" in said and "is taken: **jug**" in said
    assert re.search(r"\| bank \| river: [a-z ,-]+ \| nearest sense \|", said)


def test_english_definitions_are_named_so_among_german_words(open_warm_page):
    app = open_part(open_warm_page, "disambiguate", lang="de", reads="en")
    said = read_words("word_senses", "de").section("inventory.in_english")
    assert said in [one.value for one in app.caption]


def test_a_sentence_without_any_of_the_words_lists_them(open_warm_page):
    app = open_part(open_warm_page, "disambiguate", word_senses_all_words="No such one.")
    assert any("None of the inventory" in element.value for element in app.info)


def test_the_senses_of_the_first_word_are_told_apart_in_the_last_layer_and_not_before_the_first():
    name = controls_of("word_senses", "de")["word_senses_word"].start
    sizes = [len(sense.sentences) for sense in cache_senses.stored_word(name).senses]
    scores = cache_senses.sense_layer_scores(MODEL, name, "mean", "centroids")
    n, usual = sum(sizes), max(sizes) / sum(sizes)
    error = (usual * (1 - usual) / n) ** 0.5
    assert scores[0][0] < usual + error and scores[-1][0] > usual + 3 * error
