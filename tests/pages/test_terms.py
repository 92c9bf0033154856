"""Terms that a text explains in place: each is one of docs/terms.md, and is marked once."""

import re

import pytest

from pages.beside.look_it_up.entries import matching, read_terms
from pages.server.course import terms
from pages.server.course.language import FIRST, languages
from pages.server.course.terms import explained, first_sentence, terms_in
from pages.server.course.words import Words, names_of, read_words, sections_of

MARK = re.compile(r"\[\[([^|\]]+)(?:\|([^\]]+))?\]\]")
NAMES = names_of()


def marked(text: str) -> list[str]:
    return [(asked or shown).casefold() for shown, asked in MARK.findall(text)]


@pytest.mark.parametrize("language", languages())
def test_a_section_marks_each_of_its_terms_once_and_labels_mark_none(language: str):
    for name in NAMES:
        for section, text in sections_of(name, language).items():
            found, where = marked(text), f"{name}, {section}"
            assert len(found) == len(set(found)), where
            assert not (found and section == "labels"), f"{where}: no link can be there"
            ours = sections_of(name, FIRST)[section]
            assert sorted(found) == sorted(marked(ours)), f"{where}: other terms than in English"
            assert "[[" not in read_words(name, language)._sections[section], where


@pytest.mark.parametrize("language", languages())
def test_a_definition_without_its_formulas_can_be_a_title(language: str):
    for name, definition in terms_in(language).values():
        plain = first_sentence(definition)
        assert not set(plain) & set('$"\\'), name
        assert plain.endswith(".") or plain.endswith("?"), name
        assert not re.search(r"[:,?] ?\.| \.|: ?$", plain), name


@pytest.mark.parametrize("language", languages())
def test_the_link_of_a_term_finds_it_in_the_glossary(language: str):
    entries = read_terms(language)
    for entry in entries:
        assert entry in matching(entries, entry.fields[0])[:3]


def test_a_mark_becomes_a_link_with_the_definition_by_hand(monkeypatch: pytest.MonkeyPatch):
    table = {"Span": ("Spanne", "Ein Stück: $x$.")}
    monkeypatch.setattr(terms, "terms_in", lambda language: table)
    link = "look_it_up?look_it_up_part=glossary&look_it_up_search=Spanne"
    english, german = f"{link}#bio_tagging", f"{link}&lang=de#bio_tagging?lang=de"
    assert explained("A [[span]].", FIRST) == f'A [span]({english} "Ein Stück.").'
    assert explained("[[Spannen|Span]]", "de") == f'[Spannen]({german} "Ein Stück.")'


def test_a_learners_text_is_never_a_mark():
    words = Words("trial", {"said": "You typed {{text}}."})
    assert words.section("said", text="[[span]]") == r"You typed \[\[span\]\]."
