"""Every language says all that the first one says: same files, sections, labels and values."""

import re

import pytest

from pages.server.course.language import FIRST, languages
from pages.server.course.words import names_of, sections_of, shown_file

NAMES = names_of()
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


FORMS = re.compile(r"\{\{(\w+)\|[^{}|]*\|[^{}|]*\}\}")  # for 1, and for other numbers


def values(text: str) -> set[str]:
    """Return the values of a text; how a language writes one and many is its own affair."""
    return set(re.findall(r"\{\{[^{}]+\}\}", FORMS.sub("", text)))


def labels(text: str) -> dict[str, str]:
    return {
        key.strip(): label
        for key, colon, label in (x.partition(":") for x in text.split("\n"))
        if colon
    }


def assert_same_names(ours: dict[str, str], theirs: dict[str, str], where: str) -> None:
    """Fail with each name that is missing, too many, or at another place than in the first."""
    missing, more = [x for x in ours if x not in theirs], [x for x in theirs if x not in ours]
    assert not missing and not more, f"{where}: missing {missing}, without an original {more}"
    moved = next((y for x, y in zip(ours, theirs, strict=True) if x != y), None)
    assert moved is None, f"{where}: {moved!r} is not in the order of the original"


def test_a_missing_label_is_named_with_its_file():
    with pytest.raises(AssertionError, match=r"de/masking\.md, labels: missing \['do_choose'\]"):
        assert_same_names({"title": "", "do_choose": ""}, {"title": ""}, "de/masking.md, labels")


def test_there_is_a_second_language():
    assert "de" in TRANSLATIONS


@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize("name", NAMES)
def test_a_translation_has_the_same_sections_labels_and_values(name: str, language: str):
    ours, theirs = sections_of(name, FIRST), sections_of(name, language)
    file = shown_file(name, language)
    assert_same_names(ours, theirs, f"{file}, sections")
    for section, text in ours.items():
        translated = theirs[section]
        if section == "labels":
            first, second = labels(text), labels(translated)
            assert_same_names(first, second, f"{file}, labels")
            wrong = [key for key in first if values(first[key]) != values(second[key])]
            assert not wrong, f"{name}.md: other values in the labels {wrong}"
            continue
        assert values(translated) == values(text), f"{name}.md, section {section}"
        if (name, section) not in FOR_THE_MODEL:
            same = translated == text and len(re.findall(r"[a-z]{2,}", text)) > SAME_BY_CHANCE
            assert not same, f"{name}.md: section {section} is not translated"


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_has_no_file_of_its_own_but_messages_and_terms(language: str):
    assert set(names_of(language)) - set(NAMES) <= {"messages", "terms"}
