"""The page beside the lessons: lists to look things up in, and links that lead somewhere."""

import ast
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from pages.parts.look_it_up import lesson_map
from pages.parts.look_it_up.entries import (
    FORMULA,
    OPENING,
    TERMS_FILE,
    Entry,
    matching,
    read_entries,
    read_references,
    read_terms,
)
from pages.parts.look_it_up.glossary import by_letters
from pages.parts.look_it_up.textbook import in_words
from pages.shared.course.equations import EQUATIONS, numbered
from pages.shared.course.language import FIRST, TEXT_FOLDER, languages
from pages.shared.course.lessons import BESIDE, LESSONS, LOOK_IT_UP
from pages.shared.course.words import Words, read_words
from pages.shared.link.controls import controls_of
from tests.hostile import TEXTS

ROOT = Path(__file__).parents[2]
WORDS = read_words("look_it_up")
SAME = WORDS.section("same_words")
PARTS = LOOK_IT_UP.parts


def read_list(name: str, language: str = FIRST) -> tuple[Entry, ...]:
    if name == "glossary":
        return read_terms(language)
    if name == "references":
        return read_references()
    n_fields = {"textbook": 4, "questions": 3}[name]
    return read_entries(read_words("look_it_up", language), name, n_fields=n_fields)


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
    assert lesson_map.with_table(text) == text, "run: python -m pages.parts.look_it_up.lesson_map"


def test_an_old_table_is_replaced_and_what_stands_around_it_stays():
    old = f"# Title\n\n{lesson_map.HEAD}\n|---|\n| 1 | outdated |\n\nAfter.\n"
    new = lesson_map.with_table(old)
    assert new.startswith(
        f"# Title\n\n{lesson_map.HEAD}\n|---|---|---|---|---|\n| 1 | which tokens"
    )
    assert new.endswith(" |\n\nAfter.\n") and "outdated" not in new
    with pytest.raises(ValueError, match=r"no table in lessons\.md: its first line should be"):
        lesson_map.with_table("# Title\n")


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
            (file.stem, number)
            for file in (TEXT_FOLDER / language).rglob("*.md")
            for number in re.findall(r"\\tag\{(.+?)\}", file.read_text(encoding="utf-8"))
        }
        for language in languages()
    }
    assert len(tags[FIRST]) >= 6 and all(one == tags[FIRST] for one in tags.values())
    assert {number for _, number in tags[FIRST]} <= EQUATIONS.keys()


def test_a_term_is_named_in_the_code_as_the_glossary_says():
    files = [file for file in (ROOT / "mlm_core").rglob("*.py") if "data" not in file.parts]
    named = {file.stem for file in files} | {
        getattr(node, attribute)
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        for attribute in ("name", "arg", "id", "attr")
        if isinstance(getattr(node, attribute, None), str)
    }
    gone = [entry.fields[0] for entry in LISTS["glossary"] if entry.fields[2] not in named | {""}]
    assert not gone, f"docs/terms.md names what mlm_core does not have: {gone}"


def test_every_language_has_all_terms():
    for language in languages():
        if language != FIRST:
            untranslated = {entry.fields[1] for entry in LISTS["glossary"]} & {
                entry.fields[1] for entry in read_list("glossary", language)
            }
            assert not untranslated


def test_the_glossary_is_of_the_asked_size_and_has_each_term_once():
    terms = [entry.fields[0] for entry in LISTS["glossary"]]
    assert 60 <= len(terms) == len(set(terms)) <= 130
    assert sorted(LISTS["glossary"], key=by_letters)[0].fields[0] == "−100"


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
        ("textbook", "alpha", ["22", "22"]),
        ("questions", "100/0/0", ["Was 100/0/0 tried, every chosen token becoming [MASK]?"]),
        ("glossary", "Z SCORE", ["z-score", "Dimension", "Rogue dimension"]),  # the title of a part
        ("glossary", "viterbi", ["Viterbi"]),
    ],
)
def test_a_search_finds(name: str, asked: str, expected: list[str]):
    assert found(name, asked) == expected


def test_a_number_is_found_whole():
    assert "1" in found("textbook", "11.1")
    assert not {"38", "39"} & set(found("textbook", "11.1"))  # Fig 11.12, Fig 11.13


def test_more_words_leave_fewer_entries_and_none_leaves_all():
    assert len(found("glossary", "  ")) == len(LISTS["glossary"])
    assert set(found("glossary", "mask padding")) < set(found("glossary", "mask"))


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
    # What the field suggests has to lead somewhere.
    assert matching(entries, german.plain(f"{name}_placeholder").split(" oder ")[-1], same)


def test_a_letter_with_dots_is_sorted_as_the_one_without():
    terms = [Entry(fields=(term, ""), places=()) for term in ("Z", "Überraschung", "Token")]
    in_order = [entry.fields[0] for entry in sorted(terms, key=by_letters)]
    assert in_order == ["Token", "Überraschung", "Z"]


def test_a_formula_is_shown_and_not_searched():
    assert "\\frac" in TERMS_FILE.read_text(encoding="utf-8") and not found("glossary", "\\frac")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("term | masking: rule", r"section 'trial', line 2 has 2 filled fields, not 3.*It says:"),
        ("term |  | masking: rule", "has 2 filled fields, not 3"),
        ("a | b | maskin: rule", "no lesson 'maskin'; there are subword_tokens, attention_mask"),
        ("a | b | masking: rul", "lesson 'masking' has no part 'rul'"),
        ("a | b | masking", "lesson 'masking' has no part ''"),
        ("a | b | masking: rule?unit=word", "'unit=word' is no parameter of masking"),
        ("a | b | masking: rule?masking_unit", "write name=value"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_with_the_way_out(line: str, message: str):
    words = Words("trial", {"trial": f"good | line | masking: opening\n{line}"})
    with pytest.raises(ValueError, match=message):
        read_entries(words, "trial", n_fields=3)


def test_a_line_may_link_to_several_lessons_and_settings():
    words = Words(
        "trial", {"trial": "a | b | masking: opening, rule?masking_unit=word; isotropy: formula"}
    )
    (entry,) = read_entries(words, "trial", n_fields=3)
    assert [place.parameters for place in entry.places] == [
        {},
        {"masking_part": "rule", "masking_unit": "word"},
        {"isotropy_part": "formula"},
    ]
    assert entry.places[1].title("Top") == "Masking: Change the rule"
    assert entry.places[0].title("Top") == "Masking: Top"


@pytest.mark.parametrize("part", PARTS)
def test_a_part_shows_its_entries_each_with_its_links(part: str, open_warm_page: Callable):
    app = open_warm_page(LOOK_IT_UP.file, look_it_up_part=part)
    assert not app.exception and not app.error
    links = [link.proto for link in app.main.get("page_link")]
    places = [place for entry in LISTS[part] for place in entry.places]
    if part == "glossary":
        places = [p for entry in sorted(LISTS[part], key=by_letters) for p in entry.places]
    assert [link.page for link in links] == [place.lesson.slug for place in places]
    assert [dict(parse_qsl(link.query_string)) for link in links] == [p.parameters for p in places]


@pytest.mark.parametrize("part", PARTS)
def test_any_text_can_be_searched_for(part: str):  # on the page: tests/security/test_every_input.py
    for text in TEXTS.values():
        assert isinstance(matching(LISTS[part], text, SAME), list)


def test_a_search_that_finds_nothing_says_so_and_can_be_cleared(open_warm_page: Callable):
    app = open_warm_page(LOOK_IT_UP.file, look_it_up_textbook_filter="<b>xyz</b>")
    assert r"\<b\>xyz" in app.info[0].value
    app.button(key="look_it_up_textbook_filter_clear").click().run()
    assert not app.info and len(app.main.get("page_link")) > 60


def test_it_and_the_page_for_teachers_are_linked_from_every_sidebar(open_warm_page: Callable):
    for file in (LOOK_IT_UP.file, LESSONS[2].file):
        links = [link.proto.page for link in open_warm_page(file).sidebar.get("page_link")]
        assert links[-len(BESIDE) :] == [page.slug for page in BESIDE]


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


def test_the_page_never_imports_torch():
    program = """
import sys
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("app.py", default_timeout=120).switch_page("pages/13_look_it_up.py").run()
for part in ("questions", "glossary"):
    app.query_params["look_it_up_part"] = part
    app.run()
assert not app.exception and len(app.main.get("page_link")) > 60
print([name for name in ("torch", "transformers", "umap", "sklearn") if name in sys.modules])
"""
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert ran.stdout.strip() == "[]", ran.stderr[-2_000:]
