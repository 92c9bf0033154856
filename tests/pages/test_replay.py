"""The numbers of a view come out again from its link, and a saved table can be compared with them.

With empty caches as on a server that keeps what earlier visitors made it compute, in one process;
`python -m tests.views replay` does it by hand, with empty caches twice.
"""

import difflib
import math
from collections.abc import Callable

import pytest

from pages.server.course.lessons import LESSONS, Lesson
from tests.caches import own_caches
from tests.views import NUMBER, distance, drawn, replay


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_each_part_of_a_lesson_has_the_same_numbers_again(lesson: Lesson, open_warm_page: Callable):
    links = [f"{lesson.slug}?{lesson.slug}_part={part}&lang=de" for part in lesson.parts]
    kept = drawn(links)
    with own_caches():
        anew = drawn(links)
    for link in links:
        before, after = kept[link][0], anew[link][0]
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
        assert not distance(before, after), "\n".join([link, *lines])[:4_000]


def test_a_saved_table_is_equal_or_apart_by_its_largest_difference(capsys):
    link = "https://school.example/masking?masking_part=how_many&lang=en"
    table = drawn([link])[link][1][0]
    last = [*NUMBER.finditer(table)][-1]
    changed = f"{table[: last.start()]}{float(last[0]) + 2}{table[last.end() :]}"
    assert replay(link, [table]) == 0
    assert replay(link, [table, changed]) == pytest.approx(2)
    assert replay(link, ["another,table"]) == math.inf
    said = capsys.readouterr().out
    assert "equal" in said and "apart by at most 2\n" in said and "other words" in said


@pytest.mark.parametrize(
    ("before", "after", "far"),
    [
        ("a 1 b −2,5", "a 1 b -2.25", 0.25),
        ("p 1e-05", "p 3e-05", 2e-05),
        ("a 1", "b 1", math.inf),
        ("1 2", "1", math.inf),
        ("a  1", "\ufeffa\n1", 0),
    ],
)
def test_a_distance_is_the_largest_difference_at_the_same_place(before, after, far):
    assert distance(before, after) == pytest.approx(far)
