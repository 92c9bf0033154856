"""Marking, types and pieces in the lesson "BIO tagging", run whole, without a browser."""

import re

import streamlit as st

from mlm_core.tagging.bio_tags import lost_by
from mlm_core.tagging.marked_spans import spans_from_link
from mlm_core.text.tokens import tokenize
from pages.kit.part import Part
from pages.lessons.bio_tagging import marked as state
from pages.lessons.bio_tagging.splitting import split_words
from pages.server.caches import cache
from pages.server.course.lessons import BY_SLUG
from pages.server.course.words import read_words
from pages.server.frame.page_frame import Page
from tests import seen
from tests.lessons.german import MODEL
from tests.markup import without_links
from tests.seen import html_of

SLUG = "bio_tagging"
TEXT, SPANS, TYPE, OWN_TYPE, WORDS, FIRST = (
    f"{SLUG}_{name}"
    for name in (state.TEXT, state.SPANS, state.TYPE, state.OWN_TYPE, state.WORDS, state.FIRST)
)


def open_part(open_warm_page, part="pieces", **link):
    return seen.open_part(SLUG, open_warm_page, part, **link)


def words_of(app):
    return without_links(" ".join(one.value for one in app.markdown)).replace("\\", "")


def link_of(app, key):
    """Return a parameter of the link, which AppTest gives as a text or in a list."""
    value = app.query_params[key]
    return value if isinstance(value, str) else value[0]


def button(app, name):
    return app.button(key=f"bio_tagging_marked_button_{name}")


def choose_words(app, first, last):
    for end, word in (("from", first), ("to", last)):
        key = f"bio_tagging_marked_{end}_"  # and a mark of the sentence
        next(one for one in app.selectbox if (one.key or "").startswith(key)).set_value(word)
    return app


def spans_of(app):
    found = re.findall(r"([^,]+):(\d+)-(\d+)", app.session_state[SPANS])
    return [(type_, int(start), int(end)) for type_, start, end in found]


def test_the_opening_shows_what_io_loses_before_anyone_clicks(open_warm_page):
    app = open_part(open_warm_page)
    assert "~~PER Omar~~ ~~PER Jonas Weber~~ → PER Omar Jonas Weber" in words_of(app)
    assert re.search(
        r"\*\*4\*\* tags in IO .*\*\*7\*\* in BIO .*\*\*13\*\* in BIOES", words_of(app)
    )
    assert "and the IO tags give back 3" in words_of(app)
    assert not {TEXT, SPANS} & set(app.query_params)
    app.segmented_control(key="bio_tagging_back").set_value("BIO").run()
    assert "The BIO tags give back every marked span, 4 in all" in words_of(app)


def test_german_words_begin_with_a_german_sentence_and_tagger_and_a_press_keeps_an_own_sentence(
    open_warm_page,
):
    def shown():
        return app.text_input(key=TEXT).value, len(spans_of(app)), app.selectbox(key="model").value

    texts = {one: read_words("bio_tagging", one).plain("schemes_text") for one in ("en", "de")}
    app = open_part(open_warm_page, "scores", lang="de")
    assert shown() == (texts["de"], 4, "mini-bert-de-en") and link_of(app, "reads") == "de"
    app.button(key="read_other").click().run()
    assert shown() == (texts["en"], 4, "mini-bert") and link_of(app, "reads") == "en"
    assert not {TEXT, SPANS, "bio_tagging_scores_own_run"} & set(app.query_params)
    app.text_input(key=TEXT).set_value("Bo sieht Ana Li").run()
    choose_words(app, 2, 3)
    button(app, "mark").click().run()
    app.button(key="read_other").click().run()
    assert shown() == ("Bo sieht Ana Li", 1, "mini-bert-de-en") and not app.exception


def test_spans_are_marked_removed_undone_and_cleared_without_a_mouse(open_warm_page):
    app = open_part(open_warm_page, bio_tagging_marked_text="Ana met Bo Li in Oslo")
    assert spans_of(app) == []
    choose_words(app, 3, 2)  # in either order
    button(app, "mark").click().run()
    app.segmented_control(key=TYPE).set_value("own").run()
    app.text_input(key=OWN_TYPE).set_value("CITY").run()
    choose_words(app, 5, 5)
    button(app, "mark").click().run()
    assert spans_of(app) == [("PER", 2, 4), ("CITY", 5, 6)]
    assert link_of(app, SPANS) == "PER:2-4,CITY:5-6"
    assert "Types in use: 2 (PER, CITY)" in words_of(app)
    button(app, "remove").click().run()
    assert spans_of(app) == [("PER", 2, 4)]
    button(app, "clear").click().run()
    assert spans_of(app) == []
    button(app, "undo").click().run()
    assert spans_of(app) == [("PER", 2, 4)]


def test_an_overlap_is_refused_with_its_words_and_nothing_is_lost(open_warm_page):
    app = open_part(open_warm_page)
    choose_words(app, 2, 4)
    button(app, "mark").click().run()
    said = app.warning[0].value.replace("\\", "")
    assert "“Shipping showed Omar” overlaps the ORG “Blue Harbour Shipping”" in said
    assert len(spans_of(app)) == 4


def test_two_clicks_mark_and_a_third_removes(open_warm_page, monkeypatch):
    page = Page(lesson=BY_SLUG[SLUG], words=read_words(SLUG), model_name="mini-bert")
    p = Part(page, "pieces")
    words = ("Ana", "met", "Bo", "Li")
    begun = {WORDS: words, SPANS: state.NO_SPANS, TYPE: "PER"}
    monkeypatch.setattr(st, "session_state", begun)
    state.click(p, "3")
    assert st.session_state[FIRST] == 3
    state.click(p, "2")
    assert st.session_state[SPANS] == "PER:2-4"
    state.click(p, "0")
    state.click(p, "0")
    assert st.session_state[SPANS] == "PER:0-1,PER:2-4"
    state.click(p, "2")
    assert st.session_state[SPANS] == "PER:0-1"
    state.click(p, "77")  # of a sentence that was longer
    assert FIRST not in st.session_state


def test_a_link_opens_its_marks_and_names_those_that_cannot_be(open_warm_page):
    link = {TEXT: "🙂 Bo Li left", SPANS: "PER:1-3,PER:2-4,zz,TEAM:0-1"}
    app = open_part(open_warm_page, **link)
    assert spans_of(app) == [("TEAM", 0, 1), ("PER", 1, 3)]
    said = app.warning[0].value.replace("\\", "")
    assert "2 marks of this link cannot be used: PER:2-4, zz" in said
    assert link_of(app, SPANS) == "TEAM:0-1,PER:1-3"


def test_a_full_stop_is_a_word_of_its_own_and_old_marks_keep_their_words(open_warm_page):
    link = {TEXT: "Dr. Bo Li's car left Munich.", SPANS: "PER:1-3,GPE:5-6"}
    app = open_part(open_warm_page, **link)
    assert app.session_state[WORDS][-2:] == ("Munich", ".")
    assert link_of(app, SPANS) == "PER:2-4,GPE:7-8"
    assert link_of(app, TEXT) == "Dr . Bo Li 's car left Munich ."


def test_marks_move_with_their_words_when_the_sentence_changes(open_warm_page):
    app = open_part(open_warm_page)
    field = app.text_input(key=TEXT)
    field.set_value("Today " + field.value).run()
    assert spans_of(app) == [("ORG", 1, 4), ("PER", 5, 6), ("PER", 6, 8), ("GPE", 11, 12)]


def test_a_type_that_cannot_be_is_refused(open_warm_page):
    app = open_part(open_warm_page, bio_tagging_marked_type="own")
    app.text_input(key=OWN_TYPE).set_value("two words").run()
    assert "name it in 1 to 30 letters" in app.warning[0].value.replace("\\", "")
    before = spans_of(app)
    choose_words(app, 3, 3)
    button(app, "mark").click().run()
    assert spans_of(app) == before and not app.exception and not app.error


def test_sentences_are_kept_as_a_file_that_the_tagger_takes(open_warm_page):
    from mlm_core.labelled.conll import own_entities, write_conll

    app = open_part(open_warm_page)
    app.session_state["bio_tagging_kept_box"] = True
    app.run()
    add = "bio_tagging_kept_add_button"
    for name in ("Ana", "Bo", "Cy", "Dee"):
        app.text_input(key=TEXT).set_value(f"{name} left").run()
        choose_words(app, 0, 0)
        button(app, "mark").click().run()
        app.button(key=add).click().run()
    assert "Sentences in your list: 4" in words_of(app)
    kept = app.session_state["bio_tagging_marked_kept"]
    assert own_entities(write_conll(kept)).classes == ("PER",)
    app.button(key=add).click().run()
    assert "in the list already" in app.warning[0].value


def test_types_wait_for_a_guess_and_then_say_the_type(open_warm_page):
    app = open_part(open_warm_page, "types")
    guesses = [c for c in app.segmented_control if c.key.endswith("_guess")]
    assert len(guesses) >= 2 and html_of(app).count(">?<") == len(guesses)
    before = words_of(app)
    assert "Right: here" not in before and "You said" not in before
    guesses[0].set_value("GPE").run()
    after = words_of(app)
    assert ("Right: here" in after) != ("You said GPE" in after)
    assert html_of(app).count(">?<") == len(guesses) - 1


def test_pieces_follow_the_sentence_at_the_top(open_warm_page):
    app = open_part(open_warm_page, "pieces")
    app.text_input(key=TEXT).set_value("Internationalisation waits").run()
    assert "Internationalisation" in html_of(app).split("piece-tags")[1]


def test_no_sentence_is_asked_for_not_failed_on(open_warm_page):
    for part in ("types", "pieces"):
        app = open_part(open_warm_page, part, **{TEXT: "   "})
        assert "at least one word" in app.info[0].value


def test_io_loses_a_boundary_of_the_marked_names_and_one_of_two_words_is_split():
    text, spans = (
        read_words("bio_tagging", "de").plain(f"schemes_{one}") for one in ("text", "spans")
    )
    words = tuple(text.split())
    assert split_words(text) == words
    marked, refused = spans_from_link(spans, words)
    assert not refused and lost_by(marked, len(words), "IO")
    longest = max(marked, key=lambda span: span.end - span.start)
    name = tokenize(cache.model_tokenizer(MODEL), " ".join(words[longest.start : longest.end]))
    assert len(name.words) > 1 and all(len(word.positions) > 1 for word in name.words)
