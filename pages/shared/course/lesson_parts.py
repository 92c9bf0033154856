"""The parts of a lesson in their order, for whoever shows the way without opening the lesson."""

import ast
from functools import cache
from pathlib import Path

from pages.shared.course.lessons import Lesson

ROOT = Path(__file__).parents[3]


@cache
def parts_of(lesson: Lesson) -> tuple[str, ...]:
    """Return the names in PARTS of the lesson's page, which is read and not run.

    Raises ValueError if the page has no such list.
    """
    source = (ROOT / lesson.file).read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PARTS":
            return tuple(ast.literal_eval(node.value))
    raise ValueError(f"{lesson.file} has no list PARTS: name the parts that it shows there")
