"""docs/lessons.md tells truly which lesson covers what."""

import re
from pathlib import Path

from pages.shared.course.lessons import LESSONS
from pages.shared.course.words import read_words

MAP = (Path(__file__).parents[1] / "docs/lessons.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|\n").split("|")]
    for line in MAP.splitlines()
    if re.match(r"\| \d", line)
]


def test_the_map_lists_for_each_lesson_the_rows_that_the_lesson_claims():
    for lesson in LESSONS:
        title = read_words(lesson.slug).label("title")
        listed = {int(row) for row, _, _, of_lesson, _ in ROWS if of_lesson == title}
        assert listed == set(lesson.rows), f"rows of {title!r} in docs/lessons.md and lessons.py"


def test_the_map_names_parts_by_the_titles_they_have():
    titles = {"The opening"}
    for lesson in LESSONS:
        file = Path(__file__).parents[1] / f"pages/text/en/{lesson.slug}.md"
        titles |= set(re.findall(r"^part_\w+: (.*)$", file.read_text("utf-8"), re.MULTILINE))
    for row, *_, parts in ROWS:
        for part in re.split(r";\s*", parts):
            assert part in titles, f"row {row}: no part {part!r}"
