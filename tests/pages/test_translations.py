"""Every language says all that the first one says: same files, sections, labels and values."""

import re

import pytest

from pages.shared.course.language import FIRST, TEXT_FOLDER, languages
from pages.shared.course.words import sections_of

NAMES = sorted(
    str(file.relative_to(TEXT_FOLDER / FIRST).with_suffix(""))
    for file in (TEXT_FOLDER / FIRST).rglob("*.md")
)
TRANSLATIONS = languages()[1:]
# A section of more words than this that reads the same in both languages was forgotten, unless
# it is text for the model.
SAME_BY_CHANCE = 6
FOR_THE_MODEL = {
    ("inside_a_prediction", "break_it.sentences"),
    ("isotropy", "corpus.sample"),
    ("isotropy", "pairs.sample"),
    ("prediction_and_loss", "blanks.sentences"),
    ("sentence_pairs", "documents.sample"),
    ("subword_tokens", "vocabulary.sample"),
    ("word_senses", "discourse.bank"),
    ("word_senses", "discourse.bank_de"),
    ("word_senses", "own.sample"),
}


def values(text: str) -> set[str]:
    return set(re.findall(r"\{\{[^{}]+\}\}", text))


def labels(text: str) -> dict[str, str]:
    return {
        key.strip(): label
        for key, colon, label in (x.partition(":") for x in text.split("\n"))
        if colon
    }


def test_there_is_a_second_language():
    assert "de" in TRANSLATIONS


@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize("name", NAMES)
def test_a_translation_has_the_same_sections_labels_and_values(name: str, language: str):
    ours, theirs = sections_of(name, FIRST), sections_of(name, language)
    assert list(theirs) == list(ours)
    for section, text in ours.items():
        translated = theirs[section]
        if section == "labels":
            first, second = labels(text), labels(translated)
            assert list(second) == list(first)
            wrong = [key for key in first if values(first[key]) != values(second[key])]
            assert not wrong, f"{name}.md: other values in the labels {wrong}"
            continue
        assert values(translated) == values(text), f"{name}.md, section {section}"
        if (name, section) not in FOR_THE_MODEL:
            same = translated == text and len(re.findall(r"[a-z]{2,}", text)) > SAME_BY_CHANCE
            assert not same, f"{name}.md: section {section} is not translated"


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_has_no_file_of_its_own_but_messages_and_terms(language: str):
    folder = TEXT_FOLDER / language
    found = {str(file.relative_to(folder).with_suffix("")) for file in folder.rglob("*.md")}
    assert found - set(NAMES) <= {"messages", "terms"}
