"""What the documents on privacy, access and security promise names tests that there are.

A test is named by its file, or by the file and parts of its name: `tests/….py` ("its name").
"""

import re
from pathlib import Path

import pytest

from pages.server.course.language import FIRST, languages
from tests.browser.live import ROOT

DOCUMENTS = ("privacy", "accessibility", "security")
NAMED = re.compile(r"`(tests/[\w/]+(?:\.py)?)`(?: \(([^()]*)\))?")
NAME = re.compile(r"^ *def ([a-z]\w+)\(", re.MULTILINE)


def named_in(text: str) -> list[tuple[Path, list[str]]]:
    """Return each file or folder of tests that a text names, with the parts of names after it."""
    return [(ROOT / file, re.findall(r'"([^"]+)"', names)) for file, names in NAMED.findall(text)]


def rows(text: str) -> list[list[str]]:
    """Return the cells of all rows of a document's tables."""
    lines = [line for line in text.splitlines() if line.startswith("|") and "---" not in line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize("file", sorted(ROOT.glob("docs/*.md")), ids=lambda file: file.name)
def test_each_test_that_a_document_names_exists(file: Path):
    missing = []
    for tests, names in named_in(file.read_text(encoding="utf-8")):
        text = tests.read_text(encoding="utf-8") if tests.is_file() else ""
        there = [name.replace("_", " ") for name in NAME.findall(text)]
        missing += [tests] if not tests.exists() else []
        missing += [(tests, name) for name in names if not any(name in one for one in there)]
    assert not missing


def test_what_is_held_by_a_test_is_the_same_in_every_language():
    def held(language: str) -> list[tuple[Path, list[str]]]:
        name = "privacy.md" if language == FIRST else f"privacy.{language}.md"
        return named_in((ROOT / "docs" / name).read_text(encoding="utf-8"))

    assert len(held(FIRST)) > 20
    assert all(held(language) == held(FIRST) for language in languages())
