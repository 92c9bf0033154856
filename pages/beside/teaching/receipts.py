"""Receipts that learners hand in: which are valid, with a file for the gradebook."""

from collections.abc import Mapping
from typing import Any

from pages.kit.part import Part, Table, part
from pages.server.course.words import read_words
from pages.server.record import receipt
from pages.server.record.receipt import MOST_CHARACTERS, MOST_LINES, Line


@part()
def show(p: Part) -> None:
    """Take many lines and show what each is."""
    secret = receipt.secret_of_host()
    assert secret is not None  # without one, the page has no such part
    p.say("lead", most=MOST_CHARACTERS)
    # Names are in it: it is in no link, and in no storage of the browser.
    hint = p.plain("placeholder")
    text = p.pasted("receipts", "field", longest=MOST_CHARACTERS, height=200, placeholder=hint)
    if lines := receipt.read_lines(text, secret):
        _show_lines(p, lines)
    p.caption("proves", mark=receipt.host_mark(secret))


def _show_lines(p: Part, lines: list[Line]) -> None:
    if len(lines) == MOST_LINES:
        p.warn("too_many", n=MOST_LINES)
    n_valid = sum(line.state == "valid" for line in lines)
    p.say("counts", valid=n_valid, rest=len(lines) - n_valid)
    rows = [_row(p, line) for line in lines]
    # A long table is cut in the page; the file has all, as they were pasted.
    Table(sorted(rows, key=lambda row: not row["what_to_do"])).show()
    p.download("receipts_save", Table(rows).csv, "receipts.csv", "text/csv", "save")


def _row(p: Part, line: Line) -> dict[str, Any]:
    says, values = line.receipt, {"beginning": line.beginning}
    if line.counts and line.counts.receipt:
        values |= {"counts": str(line.counts.number), "name": line.counts.receipt.name}
    return {
        "line": line.number,
        "receipt": p.plain(f"state_{line.state}"),
        "what_to_do": "" if line.state == "valid" else p.plain(f"do_{line.state}", **values),
        "name": says.name if says else "",
        "solved": says.n_solved if says else None,
        "date": says.date if says else "",
        "exercises": _titles(says.solved) if says else "",
    }


def _titles(solved: Mapping[str, tuple[str, ...]]) -> str:
    """Return the exercises by lesson, as this course calls them, or as they are called there."""
    lessons = []
    for slug, names in solved.items():
        words, lesson = read_words(f"exercises/{slug}"), read_words(slug)
        titles = [words.plain(name) if words.has(name) else name for name in names]
        title = lesson.plain("title") if lesson.has("title") else slug
        lessons.append(f"{title}: {', '.join(titles)}")
    return "; ".join(lessons)
