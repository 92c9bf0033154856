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


def test_the_map_names_every_lesson_and_its_parts_by_their_titles():
    words = {lesson: read_words(lesson.slug) for lesson in LESSONS}
    titles = {
        of.label("title"): {"The opening", *(of.label(f"part_{name}") for name in lesson.parts)}
        for lesson, of in words.items()
    }
    for row, _, _, title, parts in ROWS:
        assert title in titles, f"row {row}: no lesson {title!r}"
        for part in re.split(r";\s*", parts):
            assert part in titles[title], f"row {row}: no part {part!r} in {title!r}"
