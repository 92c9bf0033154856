"""The home page, run whole, without a browser; and what app.py gives the server."""

import subprocess
import sys
from urllib.parse import parse_qsl

from mlm_core.encoder.model_list import BUNDLED
from pages.beside.home.guess import FIRST_HIDDEN, masked_text, pieces_of, read_hidden
from pages.server.caches import cache_predictions
from pages.server.caches.cache import bundled_tokenizer
from pages.server.caches.cache_predictions import word_at_blank
from pages.server.course.lessons import BESIDE, LESSONS
from pages.server.course.words import read_words
from tests.browser.live import ROOT
from tests.lessons.german import MODEL, example
from tests.seen import captions_of

SHORT = "They went home."


def test_home_shows_a_sentence_and_the_way_to_every_lesson_and_the_lists(open_warm_page):
    app = open_warm_page()
    assert not app.exception and not app.error
    assert f"{BUNDLED}, probability" not in captions_of(app)  # the reader guesses first
    links = [link.proto.page for link in app.get("page_link")]
    for lesson in (*LESSONS, *BESIDE):
        assert lesson.slug in links
    for lesson in LESSONS:
        assert read_words(lesson.slug).label("question") in [one.value for one in app.caption]


def test_home_shows_the_models_guesses_after_a_guess(open_warm_page):
    app = open_warm_page(home_text=SHORT, home_hidden="1")
    app.text_input(key="home_guess_1").set_value("walked").run()
    assert f"{BUNDLED}, probability" in captions_of(app)
    said = "\n".join(one.value for one in app.markdown).replace("\\", "")
    best, mine = (
        word_at_blank(BUNDLED, "They [MASK] home.", 2, bundled_tokenizer().token_to_id(word))[1]
        for word in ("went", "walked")
    )
    assert f"Your word is the model's guess number **{mine}**" in said and mine > 1
    assert "The hidden word “went” is its guess number" in said
    app.text_input(key="home_guess_1").set_value("went").run()
    agrees = "**You and the model agree:** “went” is its first guess."
    assert (agrees in "\n".join(one.value for one in app.markdown)) == (best == 1)


def test_home_shows_the_models_guesses_when_asked(open_warm_page):
    app = open_warm_page(home_text=SHORT, home_hidden="0-2")
    app.button(key="home_reveal").click().run()
    assert f"{BUNDLED}, probability" in captions_of(app)
    said = "\n".join(one.value for one in app.markdown)
    assert "hidden word “They”" in said and "hidden word “home”" in said


def ways_to_why(app) -> list[dict[str, str]]:
    """Return the parameters of the links to the words that the guess comes from."""
    links = (one.proto for one in app.get("page_link"))
    return [
        dict(parse_qsl(one.query_string))
        for one in links
        if one.page == "inside_a_prediction" and one.query_string
    ]


def test_the_way_to_which_words_made_it_say_so_brings_the_sentence_and_the_language(open_warm_page):
    app = open_warm_page(
        lang="de", reads="de", home_text="Wir gingen nach [MASK].", home_hidden="0"
    )
    app.button(key="home_reveal").click().run()
    (why,) = ways_to_why(app)
    # That part takes one blank: the word that was hidden stands there again.
    assert why == {
        "inside_a_prediction_part": "which_words",
        "inside_a_prediction_text": "Wir gingen nach [MASK].",
        "reads": "de",
        "lang": "de",
    }


def test_there_is_no_way_to_why_for_two_typed_blanks(open_warm_page):
    app = open_warm_page(home_text="We ___ to the ___.", home_hidden="none")
    app.button(key="home_reveal").click().run()
    assert not ways_to_why(app)


def test_home_asks_for_a_blank(open_warm_page):
    app = open_warm_page(home_text="No blank.", home_hidden="none")
    assert read_words("home").section("no_blank") == app.info[0].value


def test_words_are_hidden_by_number_and_blanks_may_be_typed():
    sentence = "They [mask] home, don't they ___?"
    pieces = pieces_of(sentence)
    assert [piece.text for piece in pieces if piece.is_word] == ["They", "home", "don't", "they"]
    assert masked_text(sentence, pieces, [2]) == "They [MASK] [MASK], don't they [MASK]?"


def test_a_piece_is_a_word_with_its_hyphens_in_any_script():
    pieces = pieces_of("well-known कला, 我们 👩\u200d👧.")
    words = ["well-known", "कला", "我", "们"]
    assert [piece.text for piece in pieces if piece.is_word] == words
    assert [piece.text for piece in pieces if not piece.is_word] == [",", "👩\u200d👧", "."]


def test_a_link_hides_words_of_the_sentence_alone():
    pieces = pieces_of(SHORT)
    assert read_hidden("1-1-3-99-x-²-0", pieces) == [1, 0]
    assert read_hidden("0-1-2-0", pieces_of("a b c d e")) == [0, 1, 2]
    assert read_hidden(None, pieces) == []


def test_the_first_door_takes_the_learners_sentence_along_then_goes_on_where_they_stopped(
    open_warm_page,
):
    app = open_warm_page()
    app.text_input(key="home_text").set_value(SHORT).run()
    (first,) = (one.proto for one in app.get("page_link") if "Start" in one.proto.label)
    assert dict(parse_qsl(first.query_string)) == {"subword_tokens_text": SHORT}
    app.switch_page("pages/3_masking.py").run()
    app.switch_page("app.py").run()
    go_on = read_words("home").label("door_go_on", number=3, title="Masking")
    assert f"**{go_on}**" in [one.proto.label for one in app.get("page_link")]


def test_guesses_stay_with_their_word_and_the_models_follow_each_click(open_warm_page):
    app = open_warm_page()
    app.text_input(key="home_guess_1").set_value("went").run()
    app.session_state["home_hidden"] = "1-0"  # as a click on the first word does
    app.run()
    said = "\n".join(one.value for one in app.markdown)
    assert "Your word is the model's guess number" in said and "hidden word “They”" in said
    assert said.index("“travelled”") < said.index("“They”"), "bars that are there stay in place"
    assert not app.session_state["home_guess_0"], "the word that is asked for now is another"
    app.text_input(key="home_text").set_value("My cat sleeps under it.").run()
    assert app.query_params["home_text"] == "My cat sleeps under it."
    (why,) = ways_to_why(app)
    assert why["inside_a_prediction_text"] == "My cat [MASK] under it."
    assert not app.session_state["home_guess_1"]


def test_the_server_opens_a_browser_and_ends_as_python_does():
    """All that Python closes at its exit is closed: the signal that uvicorn raises ends nothing."""
    code = """
import asyncio, atexit, queue, signal, threading, webbrowser
import streamlit as st
import app

serves, opened = threading.Event(), queue.Queue()
webbrowser.open = lambda url: opened.put((serves.wait(5), url))

async def serve():
    async with app.served(app.app):
        serves.set()
        print(*opened.get(timeout=60))

options = [
    ("server.headless", False),
    ("server.address", "0.0.0.0"),
    ("server.address", "192.0.2.1"),
    ("server.sslCertFile", "a file"),
    ("server.baseUrlPath", "course"),
    ("browser.serverAddress", "school.example"),
]
for name, value in options:
    st.config.set_option(name, value)
    serves.clear()
    asyncio.run(serve())
atexit.register(print, "closed")
signal.raise_signal(signal.SIGTERM)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == [
        "True http://localhost:8501",
        "True http://localhost:8501",
        "True http://192.0.2.1:8501",
        "True https://192.0.2.1:8501",
        "True https://192.0.2.1:8501/course",
        "True https://school.example:8501/course",
        "closed",
    ]


def test_homes_hidden_word_is_the_models_first_guess():
    pieces = pieces_of(sentence := example("home", "sentence"))
    masked = masked_text(sentence, pieces, [int(FIRST_HIDDEN)])
    ((best, probability),) = cache_predictions.fillers(MODEL, masked, 2, 1)
    assert best == pieces[int(FIRST_HIDDEN)].text and probability > 0.5
