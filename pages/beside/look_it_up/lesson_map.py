"""The table of docs/lessons.md, made from the textbook's list of the page "Look it up".

    python -m pages.beside.look_it_up.lesson_map        # writes it into docs/lessons.md

The rows are the sections "textbook" of the lessons' words; a test compares.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from pages.beside.look_it_up.entries import read_entries
from pages.server.course.words import read_words

FILE = Path(__file__).parents[3] / "docs" / "lessons.md"
HEAD = "| row | what | where it is defined | lesson | part |"


def with_table(document: str) -> str:
    """Return the document with its table written again."""
    before, head, rest = document.partition(HEAD)
    lines = rest.split("\n")
    n_old = next((i for i, line in enumerate(lines[1:], 1) if not line.startswith("|")), len(lines))
    return "\n".join([before + head, *table_lines(), *lines[n_old:]])


def table_lines() -> Iterator[str]:
    """Give the table's lines below its head: one for each entry and lesson."""
    words = read_words("look_it_up")
    yield "|---|---|---|---|---|"
    for entry in read_entries(words, "textbook"):
        for lesson, places in groupby(entry.places, key=lambda place: place.lesson):
            title = read_words(lesson.slug).label("title")
            parts = [p.title(words.label("opening")).removeprefix(f"{title}: ") for p in places]
            yield f"| {' | '.join([*entry.fields, title, '; '.join(parts)])} |"


if __name__ == "__main__":
    FILE.write_text(with_table(FILE.read_text(encoding="utf-8")), encoding="utf-8")
