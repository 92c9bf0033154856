"""The small pictures of the course map: one a lesson, well-formed, from stored numbers."""

import json
from xml.etree import ElementTree

import pytest

from mlm_core.figures.classroom.pictures import lesson_picture
from mlm_core.stored.pictures import read_pictures
from pages.shared.course.lessons import LESSONS
from tools.stored_pictures import PICTURES

NUMBERS = read_pictures()


def test_every_lesson_has_stored_numbers_and_a_way_to_make_them():
    assert list(NUMBERS) == list(PICTURES) == [lesson.slug for lesson in LESSONS]


@pytest.mark.parametrize("slug", NUMBERS)
def test_a_picture_is_well_formed_named_and_inside_its_frame(slug: str):
    svg = ElementTree.fromstring(lesson_picture(slug, NUMBERS[slug], alt="<a> & b"))[0]
    assert svg.get("aria-label") == "<a> & b"
    _, _, width, height = map(float, svg.get("viewBox").split())
    for shape in svg.iter():
        if shape.tag.endswith(("rect", "circle")) and "pattern" not in str(shape.attrib):
            right = float(shape.get("x") or shape.get("cx") or 0) + float(shape.get("width") or 0)
            low = float(shape.get("y") or shape.get("cy") or 0) + float(shape.get("height") or 0)
            assert right <= width + 0.5 and low <= height + 0.5


@pytest.mark.parametrize("slug", ["train_an_encoder", "classification"])
def test_the_picture_of_a_stored_run_is_of_the_run_as_it_is(slug: str):
    assert json.loads(json.dumps(PICTURES[slug](None))) == NUMBERS[slug]


def test_a_lesson_without_numbers_has_no_picture():
    assert lesson_picture("scaling_laws", {}, alt="x") == ""


def test_no_stored_probability_is_rounded_to_0():
    pairs = NUMBERS["sentence_pairs"]["values"]
    assert all(0 < value < 1 for value in pairs) and pairs[0] > pairs[1]
