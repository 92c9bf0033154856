"""The page beside the lessons: lists to look things up in, and links that lead somewhere."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from pages.beside.look_it_up import lesson_map
from pages.beside.look_it_up.entries import (
    FORMULA,
    OPENING,
    REFERENCES_FILE,
    Entry,
    matching,
    read_entries,
    read_references,
    read_terms,
)
from pages.beside.look_it_up.glossary import by_letters
from pages.beside.look_it_up.textbook import in_words
from pages.server.course.equations import EQUATIONS, numbered
from pages.server.course.language import FIRST, languages
from pages.server.course.lessons import LOOK_IT_UP
from pages.server.course.terms import TERMS_FILE
from pages.server.course.words import names_of, read_words, sections_of
from pages.server.link.controls import controls_of

ROOT = Path(__file__).parents[2]
WORDS = read_words("look_it_up")
SAME = WORDS.section("same_words")
PARTS = tuple(name for name in LOOK_IT_UP.parts if name != "compare")


def test_a_container_gets_each_document_that_pages_read():
    shown = [TERMS_FILE, REFERENCES_FILE, ROOT / "docs/errata.de.md"]
    for name in ("Dockerfile", "Dockerfile.dockerignore"):
        lines = (ROOT / "deploy" / name).read_text(encoding="utf-8").splitlines()
        copied = [line.lstrip("!").split()[-2:][0] for line in lines if "docs/" in line]
        for file in shown:
            asked = file.relative_to(ROOT)
            assert any(asked.match(pattern) for pattern in copied), (name, asked)


def read_list(name: str, language: str = FIRST) -> tuple[Entry, ...]:
    if name == "glossary":
        return read_terms(language)
    if name == "references":
        return read_references()
    return read_entries(read_words("look_it_up", language), name)


LISTS = {name: read_list(name) for name in PARTS}
EVERY_PLACE = [
    (entry.fields[0], place)
    for entries in LISTS.values()
    for entry in entries
    for place in entry.places
]


def found(name: str, asked: str) -> list[str]:
    """Return the first field of each entry that a search leaves."""
    return [entry.fields[0] for entry in matching(LISTS[name], asked, SAME)]


def test_every_link_leads_to_a_part_that_its_lesson_has():
    for name, entries in LISTS.items():
        n_fields = 2 if name in ("questions", "references") else 3
        assert all(len(one.fields) == n_fields and all(one.fields[:2]) for one in entries), name
    for entry, place in EVERY_PLACE:
        assert place.part == OPENING or place.part in place.lesson.parts, entry


def test_a_link_sets_only_what_its_lesson_asks_for():
    for entry, place in EVERY_PLACE:
        known = controls_of(place.lesson.slug)
        for key, value in place.settings.items():
            assert key in known, f"{entry}: {key}"
            options = known[key].options
            assert value in options if options else value.isdigit(), f"{entry}: {key}={value}"


def test_docs_lessons_is_what_the_textbook_list_makes():
    text = lesson_map.FILE.read_text(encoding="utf-8")
    assert lesson_map.with_table(text) == text, "run: python -m pages.beside.look_it_up.lesson_map"


def test_all_rows_equations_and_figures_of_the_chapter_are_listed():
    rows = {int(entry.fields[0]): entry.fields[2] for entry in LISTS["textbook"]}
    beyond = {row for row, where in rows.items() if where.startswith("beyond the textbook")}
    assert rows.keys() - beyond == set(range(1, 46)) and min(beyond) == 46
    where = " ".join(entry.fields[2] for entry in LISTS["textbook"])
    for kind, last in (("Eq", 14), ("Fig", 13)):
        runs = re.findall(rf"{kind} ((?:11\.\d+(?:, | and )?)+)", where)
        numbers = {int(n) for run in runs for n in re.findall(r"11\.(\d+)", run)}
        assert numbers == set(range(1, last + 1)), kind


def test_an_entry_prints_each_of_its_equations_with_its_number():
    shown = {entry.fields[0]: in_words(entry) for entry in LISTS["textbook"]}
    printed = [number for text in shown.values() for number in re.findall(r"tag\{(.+?)\}", text)]
    assert sorted(printed) == sorted(EQUATIONS)
    assert shown["29"].count("$$") == 4 and numbered("11.7") in shown["29"]
    assert "$$" not in shown["42"]


def test_a_lessons_formula_has_a_number_of_the_textbook_and_in_each_language_the_same():
    tags = {
        language: {
            (name, number)
            for name in names_of()
            for text in sections_of(name, language).values()
            for number in re.findall(r"\\tag\{(.+?)\}", text)
        }
        for language in languages()
    }
    assert len(tags[FIRST]) >= 6 and all(one == tags[FIRST] for one in tags.values())
    assert {number for _, number in tags[FIRST]} <= EQUATIONS.keys()


def test_every_language_has_all_terms():
    for language in languages():
        if language != FIRST:
            untranslated = {entry.fields[1] for entry in LISTS["glossary"]} & {
                entry.fields[1] for entry in read_list("glossary", language)
            }
            assert not untranslated


@pytest.mark.parametrize(
    ("name", "asked", "expected"),
    [
        ("textbook", "11.12", ["38", "39"]),
        ("textbook", "Figure 11.9", ["34"]),
        ("textbook", "equation 11.9", ["32", "34"]),
        ("textbook", "Eq. 11.7", ["29"]),
        ("textbook", "(11.7)", ["29"]),
        ("textbook", "10.7", ["29"]),
        ("textbook", "bootstrap", ["42"]),
        ("textbook", "alpha", ["22", "22", "22"]),
        ("questions", "100/0/0", ["Was 100/0/0 tried, every chosen token becoming [MASK]?"]),
        ("glossary", "Z SCORE", ["z-score", "Dimension", "Rogue dimension"]),  # the title of a part
        ("glossary", "viterbi", ["Viterbi"]),
    ],
)
def test_a_search_finds(name: str, asked: str, expected: list[str]):
    assert found(name, asked) == expected


def test_terms_that_begin_with_the_search_come_first():
    assert found("glossary", "softmax")[0] == "Softmax"
    assert found("glossary", "[CLS]")[0] == "[CLS]"
    loss = found("glossary", "loss")
    assert set(loss[:2]) == {"Loss", "MLM loss"}  # in the name
    assert loss.index("Cross-entropy") < loss.index("Decoder")  # in the text; in a lesson's title


def test_a_short_word_is_found_where_words_begin_and_a_synonym_of_that_size_whole():
    texts = ("an inner state", "NERs", "NER", "names")
    entries = [Entry(fields=(text, ""), places=()) for text in texts]
    said = {
        asked: {entry.fields[0] for entry in matching(entries, asked, "ner names")}
        for asked in ("ner", "names")
    }
    assert said == {"ner": {"NERs", "NER", "names"}, "names": {"NER", "names"}}


@pytest.mark.parametrize("name", PARTS)
def test_every_language_has_the_same_entries_with_the_same_links_and_formulas(name: str):
    for language in languages():
        there = read_list(name, language)
        assert [entry.places for entry in there] == [entry.places for entry in LISTS[name]]
        for entry, first in zip(there, LISTS[name], strict=True):
            mine, theirs = " ".join(entry.fields), " ".join(first.fields)
            assert sorted(FORMULA.findall(mine)) == sorted(FORMULA.findall(theirs)), mine


@pytest.mark.parametrize(
    ("name", "asked", "expected"),
    [
        ("textbook", "Abbildung 11.9", ["34"]),
        ("textbook", "figure 11.9", ["34"]),
        ("textbook", "Gleichung 11.9", ["32", "34"]),
        ("glossary", "überraschung", ["Überraschung (surprisal)", "MLM-Loss"]),
        ("questions", "kurzen satz", ["Was geschieht mit einem kurzen Satz?"]),
    ],
)
def test_a_search_finds_in_german(name: str, asked: str, expected: list[str]):
    german = read_words("look_it_up", "de")
    entries = read_list(name, "de")
    same = german.section("same_words")
    assert [one.fields[0] for one in matching(entries, asked, same)] == expected


@pytest.mark.parametrize("language", languages())
def test_what_the_field_suggests_is_found(language: str):
    words = read_words("look_it_up", language)
    for asked in re.split(r",? (?:or|oder) ", words.plain("search_placeholder")):
        found = (matching(read_list(name, language), asked) for name in PARTS)
        assert any(found), asked


@pytest.mark.parametrize("part", PARTS)
def test_a_part_shows_its_entries_each_with_its_links(part: str, open_warm_page: Callable):
    app = open_warm_page(LOOK_IT_UP.file, look_it_up_part=part)
    assert not app.exception and not app.error
    links = [link.proto for link in app.main.get("page_link")]
    places = [place for entry in LISTS[part] for place in entry.places]
    if part == "glossary":
        places = [p for entry in sorted(LISTS[part], key=by_letters) for p in entry.places]
    assert [link.page for link in links] == [place.lesson.slug for place in places]
    asked = [
        place.settings
        | ({f"{place.lesson.slug}_part": place.part} if place.part != OPENING else {})
        for place in places
    ]
    assert [dict(parse_qsl(link.query_string)) for link in links] == asked


def test_a_search_that_finds_nothing_says_so_and_can_be_cleared(open_warm_page: Callable):
    app = open_warm_page(LOOK_IT_UP.file, look_it_up_search="<b>xyz</b>")
    assert r"\<b\>xyz" in app.info[0].value
    app.button(key="look_it_up_search_clear").click().run()
    assert not app.info and len(app.main.get("page_link")) > 60


def test_one_field_searches_all_lists_and_leads_to_what_it_found(open_warm_page: Callable):
    app = open_warm_page(LOOK_IT_UP.file)
    assert not [one for one in app.button if "_found_" in one.key]
    app.text_input(key="look_it_up_search").set_value("anisotropy").run()
    buttons = {one.key.rpartition("_")[2]: one for one in app.button if "_found_" in one.key}
    counts = {name: len(found(name, "anisotropy")) for name in PARTS}
    assert {*buttons} == {name for name, n in counts.items() if n} == {"glossary"}
    assert buttons["glossary"].label == f"{WORDS.label('part_glossary')}: {counts['glossary']}"
    buttons["glossary"].click().run()
    assert app.button_group(key="look_it_up_part").value == "glossary"
    assert app.text_input(key="look_it_up_search").value == "anisotropy" and not app.info
    assert any(text.value.startswith("**Anisotropy**") for text in app.markdown)


def test_a_link_to_a_list_with_its_own_field_fills_the_one_field(open_warm_page: Callable):
    link = {"look_it_up_part": "glossary", "look_it_up_glossary_filter": "Span"}
    app = open_warm_page(LOOK_IT_UP.file, **link)
    assert app.text_input(key="look_it_up_search").value == "Span" and not app.info
    assert any(text.value.startswith("**Span**") for text in app.markdown)
    # The field is the new one's: the old key does not come back.
    app.text_input(key="look_it_up_search").set_value("viterbi").run()
    assert app.text_input(key="look_it_up_search").value == "viterbi"


def test_a_link_wins_over_what_an_earlier_visit_to_the_lesson_chose(open_warm_page: Callable):
    app = open_warm_page("pages/3_masking.py", masking_part="passes")
    app.switch_page(LOOK_IT_UP.file).run()
    app.switch_page("pages/3_masking.py")
    app.query_params.update(masking_part="rule", masking_unit="word")
    app.run()
    assert app.button_group(key="masking_part").value == "rule"
    assert app.button_group(key="masking_unit").value == "word"
    app.button_group(key="masking_part").set_value("why").run()
    assert app.button_group(key="masking_part").value == "why"


def test_causal_and_masked_models_are_compared_by_counts_and_by_two_stored_runs(
    open_warm_page: Callable,
):
    app = open_warm_page(LOOK_IT_UP.file, look_it_up_part="compare")
    assert not app.exception and not app.error
    said = " ".join(markdown.value for markdown in app.markdown).replace("\\", "")
    # [CLS] the bank of the river was steep . [SEP]: 1 + 2 + ... + 10 of 10 · 10 pairs; 15 % of 10
    # tokens are 2.
    assert "55 of 100 pairs" in said and "100 of 100 pairs" in said
    assert "at 8 of 8 tokens" in said and "at 2 of 8 tokens" in said
    assert "changes 0 of 7 earlier vectors" in said and "changes 7 of 7;" in said
    # 1 + 2 + ... + 100, and 1 + 4 + ... + 10,000
    assert "cost 5,050 scores" in said and "cost 338,350 scores" in said
    assert said.count("small run: 184,560 parameters") == 2
    assert "Vectors of “bank”" in said and "cosine 1.000: what follows is not seen" in said
    assert len(app.main.get("page_link")) == 9
