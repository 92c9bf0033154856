"""What the documents on privacy, access and security promise names tests that there are.

A test is named by its file, or by the file and parts of its name: `tests/….py` ("its name").
"""

import re
from pathlib import Path

import pytest

from pages.server.course.language import FIRST, languages
from tests.browser.live import ROOT

NAMED = re.compile(r"`(tests/[\w/]+(?:\.py)?)`(?: \(([^()]*)\))?")
NAME = re.compile(r"^ *def ([a-z]\w+)\(", re.MULTILINE)


# WCAG 2.2, levels A and AA: by guideline, the numbers of its criteria.
CRITERIA = {
    "1.1": "1", "1.2": "1 2 3 4 5", "1.3": "1 2 3 4 5", "1.4": "1 2 3 4 5 10 11 12 13",
    "2.1": "1 2 4", "2.2": "1 2", "2.3": "1", "2.4": "1 2 3 4 5 6 7 11", "2.5": "1 2 3 4 7 8",
    "3.1": "1 2", "3.2": "1 2 3 4 6", "3.3": "1 2 3 4 7 8", "4.1": "2 3",
}  # fmt: skip


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


def test_the_report_has_every_criterion_with_a_test_or_a_dated_check_and_names_its_defects():
    text = (ROOT / "docs/accessibility.md").read_text(encoding="utf-8")
    report = rows(text.partition("## Conformance report")[2])[1:]
    asked = [f"{of}.{number}" for of, numbers in CRITERIA.items() for number in numbers.split()]
    assert [row[0].split()[0] for row in report] == asked
    for criterion, level, clause, result, how in report:
        assert level in ("A", "AA") and clause in ("—", f"9.{criterion.split()[0]}")
        assert named_in(how) or re.search(r"20\d\d-\d\d-\d\d: ", how), criterion
        assert result in ("supports", "not applicable", "partly"), criterion
        assert (result == "partly") == ("efect: " in how), criterion
    counted = [sum(row[3] == one for row in report) for one in ("supports", "partly")]
    assert "{} criteria supported, {} partly".format(*counted) in text


def test_each_promise_is_a_short_sentence_with_a_test():
    text = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    promises = rows(text.partition("## Promises")[2].partition("\n## ")[0])[1:]
    assert len(promises) > 20
    for promise, held in promises:
        assert len(promise.split()) <= 20 and any(names for _, names in named_in(held)), promise
