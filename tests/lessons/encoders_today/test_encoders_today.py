"""The opening of lesson 12: a search, a training run to its end, and what is taken home."""

import io
import json
import unicodedata
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from mlm_core.encoder.bert import Bert
from mlm_core.encoder.checkpoints import save_bert
from mlm_core.figures.embeddings.search_hits import LONGEST_HIT
from mlm_core.labelled.tables import stored_paraphrases
from mlm_core.search.graded_pairs import labelled_pairs, search_task
from mlm_core.search.ranking import rank_candidates, right_ranks
from mlm_core.search.reranking import K
from mlm_core.search.tf_idf import tf_idf_cosines
from mlm_core.stored.search_results import read_results
from mlm_core.text.tokens import tokenize
from pages.kit import files
from pages.lessons.encoders_today import computed as encoders_today_computed
from pages.lessons.encoders_today.search_ways import MINE
from pages.server import session
from pages.server.course.language import Reads, languages
from pages.server.course.words import as_text, read_words
from pages.server.link.controls import controls_of
from tests.caches import let_the_trainer_work
from tests.lessons.german import MODEL
from tests.search.test_recipe import TOKENIZER, publish
from tests.seen import captions_of, html_of, sent_to
from tests.small_bert import small_config

FILE = "pages/12_encoders_today.py"
LEADS_TO_HITS = "st-key-encoders_today_hits"
PATIENCE = 60  # seconds, on a machine that does much else
WORDS = read_words("encoders_today")
PAIRS = stored_paraphrases()
FEW = [one for one in PAIRS if one.part == "train"][:9]
FIRST = [one for one in PAIRS if one.part == "test"][:141]  # the usual query is among them


def words_of(app) -> str:
    assert not app.exception and not app.error
    return "\n".join(one.value for one in [*app.markdown, *app.info, *app.warning, *app.caption])


def test_a_run_is_trained_searched_with_scored_and_taken_home(open_page, monkeypatch):
    tasks, packs = {"dev": search_task(FEW), "test": search_task(FIRST)}, []
    stored, n = encoders_today_computed.stored_vectors("en"), tasks["test"].n_candidates
    first = replace(stored, candidates={name: one[:n] for name, one in stored.candidates.items()})
    monkeypatch.setattr(encoders_today_computed, "stored_vectors", lambda language: first)
    monkeypatch.setattr(
        encoders_today_computed, "task", lambda part="test", language="en": tasks[part]
    )
    monkeypatch.setattr(
        encoders_today_computed, "training_pairs", lambda kind, language: labelled_pairs(FEW)
    )
    monkeypatch.setattr(files, "zip_button", lambda label, pack, **_: packs.append(pack))
    app = open_page(FILE, encoders_today_part="scores")
    trained, own = WORDS.plain("search_way_trained"), WORDS.plain("scores_way_own")
    assert trained not in sent_to(app) and own not in words_of(app)
    app.button(key="encoders_today_start").click().run()
    let_the_trainer_work(PATIENCE)
    app.run()
    assert trained in sent_to(app) and own in words_of(app)
    assert LEADS_TO_HITS in sent_to(app), "the new column is in view"
    assert LEADS_TO_HITS not in sent_to(app.run()), "once"
    assert any("0.05" in one.value for one in app.select_slider)
    of_trained = WORDS.plain("search_of_trained", layer=8)
    source = WORDS.label("search_hits_source", model="", n=n, of_trained=of_trained)
    assert source.removeprefix(", ")[1:] in words_of(app)
    assert WORDS.section("search_run.dev_note", n=tasks["dev"].n_queries) in words_of(app)
    app.button(key="encoders_today_start").click().run()
    assert len(app.session_state[MINE.kept]) == 1, "equal settings, equal run"
    app.session_state["encoders_today_part"] = "take_home"
    app.run()
    words_of(app)
    query = app.text_input(key="encoders_today_take_home_query")
    assert query.value == WORDS.label("default_take_home_query")
    app.text_input(key="encoders_today_own_query").set_value("my car").run()
    app.text_area(key="encoders_today_own_texts").set_value("A red car.\nGreen tea.").run()
    words_of(app)
    with zipfile.ZipFile(io.BytesIO(packs[-1]())) as file:
        names = {name.partition("/")[2] for name in file.namelist()}
        shown = json.loads(file.read("my-sentence-encoder/shown.json"))
        about = file.read("my-sentence-encoder/README.md").decode()
    assert {"modules.json", "1_Pooling/config.json", "search.py"} <= names
    assert shown["query"] == "my car" and {*shown["texts"]} == {"A red car.", "Green tea."}
    assert "temperature: 0.05" in about and "$" not in about
    session.of(Reads, app.session_state).language = "de"
    app.run()
    assert WORDS.section("take_home.no_run") in words_of(app)
    of_run = read_words("frame").section("reads_en", model="mini-bert")
    assert of_run in [one.value for one in app.caption]


def test_an_own_query_is_shown_in_the_list_until_another_one_is_chosen(open_warm_page):
    app = open_warm_page(FILE, encoders_today_own_query="my car", encoders_today_search_query="3")
    queries = app.selectbox(key="encoders_today_search_query")
    assert queries.value == "own" and queries.options[0] == "my car"
    assert "my car" in sent_to(app) and encoders_today_computed.task().queries[3] not in sent_to(
        app
    )
    queries.set_value("5").run()
    assert app.text_input(key="encoders_today_own_query").value == ""
    queries = app.selectbox(key="encoders_today_search_query")
    assert queries.value == "5" and "my car" not in queries.options
    assert encoders_today_computed.task().queries[5] in sent_to(app) and "my car" not in sent_to(
        app
    )


@pytest.mark.parametrize("language", languages())
def test_the_gain_of_training_is_over_the_best_vector_without_it(open_warm_page, language):
    gains = {"en": "+0.046 +0.002 +0.090", "de": "+0.019 −0.004 +0.044"}
    assert shown(open_warm_page, language, "scores", "95", gains[language], read_results(language))
    # The number to remember is that of the English sentences.
    assert shown(open_warm_page, language, "in_short", "MRR", "0.046 0.002 0.090", read_results())


def shown(open_warm_page, language, part, mark, numbers, stored) -> bool:
    """Return whether a paragraph with the mark names the best vector, with all the numbers."""
    words = read_words("encoders_today", language)
    best = f"*{as_text(words.plain(f'scores_way_{stored.best_untrained}'))}*"
    told = words_of(open_warm_page(FILE, encoders_today_part=part, lang=language))
    wanted = [one.replace(".", "," if language == "de" else ".") for one in numbers.split()]
    return any(
        mark in text and best in text and all(one in text for one in wanted)
        for text in told.split("\n\n")
    )


def test_own_texts_are_searched_with_the_chosen_query_or_an_own_one(open_warm_page):
    app = open_warm_page(FILE)
    long = "x" * 2 * LONGEST_HIT
    own = f"A red car.\n\nGreen tea.\n{long}"
    app.text_area(key="encoders_today_own_texts").set_value(own).run()
    assert "Green tea." in sent_to(app)
    app.text_input(key="encoders_today_own_query").set_value("my car").run()
    words_of(app)
    assert "A red car." in sent_to(app) and "Green tea." in sent_to(app)
    assert "no shared word: 2 of 3 texts" in sent_to(app), "a text of score 0 is no hit"
    assert "x" * LONGEST_HIT not in sent_to(app), "a long text is cut, in the alt text too"
    said = WORDS.section("search.cut_texts", n=1, window=128)
    assert said not in words_of(app)
    app.text_area(key="encoders_today_own_texts").set_value(f"{own}\n{'a dog ' * 99}").run()
    assert said in words_of(app), "its end is beyond the model's window"
    app.text_area(key="encoders_today_own_texts").set_value("one line").run()
    assert WORDS.section("search.few_texts") in words_of(app)


def test_own_texts_may_be_a_table_and_a_query_may_have_letters_in_two_characters(open_warm_page):
    app = open_warm_page(FILE, encoders_today_own_query=unicodedata.normalize("NFD", "Bär"))
    table = "id,sentence\n1,Der Bär ruht.\n2,Die Bar ist laut.\n3,Ein Hund."
    app.text_area(key="encoders_today_own_texts").set_value(table).run()
    shown = sent_to(app)
    assert "no shared word: 2 of 3 texts" in shown and "id,sentence" not in words_of(app)
    app.text_area(key="encoders_today_own_texts").set_value("Mira/PER sells/O").run()
    assert "words with their tags in one" in app.error[0].value


def test_the_rank_over_a_column_is_the_measured_one(open_warm_page):
    task = encoders_today_computed.task()
    ranks = rank_candidates(tf_idf_cosines(task.queries, task.candidates), task).ranks
    number = int(np.argmax(ranks))
    assert ranks[number] % 1, "equal scores share a rank"
    shown = sent_to(open_warm_page(FILE, encoders_today_search_query=str(number)))
    foot = WORDS.plain("search_place_equal", rank=ranks[number], n=task.n_candidates)
    assert foot in shown


def test_the_ways_of_searching_differ_much_for_the_first_german_query():
    task = encoders_today_computed.task(language="de")
    number = int(controls_of("encoders_today", "de")["encoders_today_search_query"].start)
    query, texts, right = task.queries[number], task.candidates, [task.right[number]]
    asked, searched = (
        encoders_today_computed.vectors(MODEL, one, "de") for one in ((query,), texts)
    )
    cosines = [
        encoders_today_computed.cosines_of(asked[way], searched[way]) for way in ("cls", "mean")
    ]
    ranks = [right_ranks(one, right)[0] for one in (tf_idf_cosines([query], texts), *cosines)]
    assert max(ranks) > 10 * min(ranks)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (
            {"pooling_mode": "max"},
            "pooling max, cosines in place of the authors’ measure, dot",
        ),
        ({"pooling_mode": "mode"}, "make sentence vectors with Pooling"),
        (None, "This encoder never learned"),
    ],
)
def test_vectors_as_a_model_was_published_have_a_column_or_are_named(
    open_page, monkeypatch, tmp_path, config, said
):
    save_bert(Bert(small_config(TOKENIZER)), TOKENIZER, tmp_path / "small")
    if config is not None:
        said_too = {"prompts": {"query": "query: "}, "similarity_fn_name": "dot"}
        publish(tmp_path / "small", config, **said_too)
        window = tmp_path / "small" / "sentence_bert_config.json"
        window.write_text('{"max_seq_length": 6}', encoding="utf-8")
    monkeypatch.setenv("MLM_MODELS", str(tmp_path / "small"))
    texts = "The old man and the dog\nThe dog\nA man and a dog"
    app = open_page(FILE, model="small", encoders_today_own_texts=texts)
    has_column = config == {"pooling_mode": "max"}
    shown = words_of(app).replace("\\", "")
    assert said in shown
    assert (WORDS.plain("search_way_published") in sent_to(app)) == has_column
    assert ("“query: ” before the query" in shown) == has_column
    n = sum(len(tokenize(TOKENIZER, one).tokens) > 6 for one in texts.splitlines())
    way = WORDS.plain("search_way_published")
    cut = WORDS.section("search.cut_published", n=n, window=6, way=way)
    assert n == 2 and (cut in shown) == has_column
    assert "tf-idf reads the whole" not in shown, "the other columns read all of them"
    assert ("never learned" in shown) == (config is None)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_tokens_words_and_pairs_are_compared_for_one_query(open_warm_page, lang):
    own = {
        "own_query": "my car",
        "own_texts": "A red car.\nGreen tea.\nMy car is red.\nThe tide came in at night.",
        "ways": "closer",
    }
    link = {f"encoders_today_{name}": value for name, value in own.items()}
    app, words = (
        open_warm_page(FILE, lang=lang, reads=lang, **link),
        read_words("encoders_today", lang),
    )
    shown, k = html_of(app), min(K, 3)
    ways = ["late", "expansion", "re_ranked"]
    has_pairs = lang == "en"  # the stored pair model is of the English encoder
    assert shown.count('"score"></span>') == has_pairs, "a cosine is no P(same meaning)"
    said = words_of(app)
    names = [f'"name">{words.plain(f"search_way_{way}")}<' in shown for way in ways]
    assert names == [True, True, has_pairs]
    of_pairs = words.section("search.pairs", k=k, way=words.plain("search_way_z"))
    assert words.section("search.closer") in said and (of_pairs in said) == has_pairs
    assert (words.section("search.no_pairs") in said) != has_pairs
    alt = words.plain("search_matches_alt", text="/", score=0)
    assert alt.partition("/")[0] in shown and words.plain("search_words_legend") in captions_of(app)


def test_the_marks_of_the_hits_are_explained_in_both_comparisons_and_never_without_marks(
    open_warm_page,
):
    legend = read_words("encoders_today", "en").plain("search_closer_legend")
    own = {"encoders_today_own_query": "my car", "encoders_today_own_texts": "A car.\nA tea."}
    for link in ({}, {"encoders_today_ways": "closer"}):
        assert legend in captions_of(open_warm_page(FILE, **link))
        assert legend not in captions_of(open_warm_page(FILE, **link, **own))
