"""The small pictures of the course map: one a lesson, from stored numbers."""

import json

import pytest

from mlm_core.stored.pictures import read_pictures
from pages.kit.exercises.in_short import in_short_of
from pages.server.course.lessons import LESSONS
from tools.stored_pictures import PICTURES

NUMBERS = read_pictures()


def test_every_lesson_has_stored_numbers_and_a_way_to_make_them():
    assert list(NUMBERS) == list(PICTURES) == [lesson.slug for lesson in LESSONS]


@pytest.mark.parametrize("slug", ["train_an_encoder", "classification", "encoders_today"])
def test_the_picture_of_a_stored_run_is_of_the_run_as_it_is(slug: str):
    assert json.loads(json.dumps(PICTURES[slug](None, "en"))) == NUMBERS[slug]


def test_the_picture_of_the_search_has_the_numbers_to_remember():
    told = in_short_of("encoders_today")
    values = [told[name] for name in ("bag", "before", "trained")]
    assert NUMBERS["encoders_today"]["values"] == pytest.approx(values, abs=1e-3)
    assert told["gain"] == pytest.approx(values[2] - values[1], abs=2e-4)
