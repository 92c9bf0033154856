"""What an LMS takes: every question survives in both languages, every link leads somewhere."""

import io
import re
import zipfile
from unittest.mock import patch
from xml.etree import ElementTree

import pytest

from mlm_core.exercises.by_lesson import exercises_of
from mlm_core.exercises.exercise import check_answer
from mlm_core.exercises.own.gift import write_gift
from mlm_core.exercises.own.gift_reading import read_gift
from mlm_core.exercises.own.qti import write_qti
from pages.beside.teaching.lesson_plan import MOST_STEPS, from_lines
from pages.beside.teaching.places import place_of
from pages.beside.teaching.questions_to_save import SEED, as_html, by_category
from pages.server.course.concept_items import ITEMS
from pages.server.course.language import languages
from pages.server.course.lessons import LESSONS, TEACHING
from pages.server.course.words import read_words
from pages.server.room import membership
from pages.server.room.membership import Membership
from tests.exercises.learners import drawn, first_answer

OF_ONE_ANSWER = [
    exercise
    for lesson in LESSONS
    for exercise in exercises_of(lesson.slug)
    if exercise.kind in ("number", "choice") and not exercise.uses_text
]


@pytest.mark.parametrize("language", languages())
def test_every_question_survives_and_has_no_mark_of_the_app(language: str):
    categories = by_category(language)
    questions = [question for found in categories.values() for question in found]
    assert len(questions) == 2 * len(ITEMS) + len(OF_ONE_ANSWER)
    assert read_gift(write_gift(categories)) == (questions, [])
    for question in questions:
        said = (question.text, question.explanation, *question.options)
        assert not any(re.search(r":small\[|\[\[|\{\{|[$<]", text) for text in said), said
    archive = zipfile.ZipFile(io.BytesIO(write_qti(categories, as_html)))
    files = [ElementTree.fromstring(archive.read(name)) for name in archive.namelist()]
    items = [item for file in files for item in file.findall(".//{*}item[@ident]")]
    texts = [item.findtext("{*}presentation/{*}material/{*}mattext") for item in items]
    assert texts == [as_html(question.text) for question in questions]


def test_the_right_answers_are_those_of_the_exercises():
    questions = [one for found in by_category("en").values() for one in found][2 * len(ITEMS) :]
    for exercise, question in zip(OF_ONE_ANSWER, questions, strict=True):
        task, right = drawn(exercise, SEED), first_answer(exercise, SEED)
        # "29.5 %" is 29.5 there: the question asks for a percentage.
        given = str(task.options.index(right)) if task.options else right.rstrip("% ")
        assert question.is_right(given), exercise.id
        assert task.options or check_answer(task, repr(question.number)).outcome == "right"


def test_markdown_becomes_html_and_html_becomes_text():
    assert as_html("a **b** <i>\n\n| a |\n|---|\n| 1 |").startswith(
        "<p>a <strong>b</strong> &lt;i&gt;</p>\n<table>"
    )


def test_the_page_saves_a_cartridge_whose_links_lead_to_views(open_warm_page, offered_files):
    app = open_warm_page(TEACHING.file, teaching_part="documents", lang="de")
    assert "lessons.imscc" not in offered_files, "made before it is asked for"
    app.session_state["teaching_lms_box"] = True
    app.session_state["teaching_address"] = "no address"
    app.run()
    assert offered_files["lessons.imscc"] is None
    assert read_gift(offered_files["questions-gift.txt"])[0]
    assert zipfile.is_zipfile(io.BytesIO(offered_files["questions-qti.zip"]()))
    app.text_input(key="teaching_address").set_value("https://school.example/mlm").run()
    archive = zipfile.ZipFile(io.BytesIO(offered_files["lessons.imscc"]))
    manifest = ElementTree.fromstring(archive.read("imsmanifest.xml"))
    titles = [one.text or "" for one in manifest.iterfind(".//{*}item/{*}title")]
    assert "1 Wortstücke (Subwords)" in titles and len(titles) > 3 * len(LESSONS)
    asked = [one.get("identifierref") for one in manifest.iterfind(".//{*}item[@identifierref]")]
    kept = [one.get("identifier") for one in manifest.iterfind(".//{*}resource")]
    assert asked == kept and len({*kept}) == len(kept)
    assert {f"{one}.xml" for one in kept} == {*archive.namelist()} - {"imsmanifest.xml"}
    for one in kept:
        (url,) = ElementTree.fromstring(archive.read(f"{one}.xml")).iterfind("{*}url")
        link = url.attrib["href"].removeprefix("https://school.example/mlm/")
        assert place_of(link) is not None and "lang=de" in link


GIFT = "So? {T}\n\nPi? {#3.14:0.01}\n\nWhy? {}\n\nWhat? {=a ~b}\n"


def test_a_gift_file_adds_steps_and_names_what_it_does_not_read(open_warm_page):
    app = open_warm_page(TEACHING.file, teaching_part="plan", lang="de")
    app.button(key="teaching_start_empty").click().run()
    field = app.file_uploader(key="teaching_plan_file")
    field.upload("fragen.txt", GIFT.encode("utf-16"), "text/plain").run()
    steps = [step.own for step in app.session_state["teaching_plan"].steps]
    assert steps[0].options == ("Wahr", "Falsch")
    assert [step.right_answer for step in steps] == ["0", "3.14", "0"]
    assert "**3**" in app.success[0].value
    assert "Zeile 5: Sie hat keine Antwort" in app.warning[0].value
    app.button(key="teaching_undo").click().run()
    assert not app.session_state["teaching_plan"].steps


def test_a_plan_takes_as_many_questions_as_it_has_room_for(open_warm_page):
    app = open_warm_page(TEACHING.file, teaching_part="plan")
    n_before = len(from_lines(read_words("teaching").section("example.45").splitlines(), "").steps)
    field = app.file_uploader(key="teaching_plan_file")
    field.upload("a.gift", b"So? {T}\n\n" * 10_000, "text/plain").run()
    assert len(app.session_state["teaching_plan"].steps) == MOST_STEPS
    said = read_words("teaching").section("plan.gift_left", n=9_940 + n_before, most=MOST_STEPS)
    assert said in app.warning[0].value
    field = app.file_uploader(key="teaching_plan_file")
    field.upload("a.gift", write_qti({}, as_html), "text/plain").run()
    assert "no plain text" in app.warning[0].value and not app.success


def test_own_questions_of_the_plan_are_saved_with_the_others(open_warm_page, offered_files):
    app = open_warm_page(TEACHING.file, teaching_part="plan")
    app.file_uploader(key="teaching_plan_file").upload("a.gift", b"Mine? {T}", "text/plain").run()
    app.session_state["teaching_lms_box"] = True
    app.segmented_control(key="teaching_part").set_value("documents").run()
    saved = [one.text for one in read_gift(offered_files["questions-gift.txt"])[0]]
    assert "Mine?" in saved
    # A learner in a room, whose desk measures with the concept test.
    with patch.object(membership, "current", lambda: Membership(code="", visit="", seen_at=0.0)):
        app.run()
    of_learner = [one.text for one in read_gift(offered_files["questions-gift.txt"])[0]]
    assert of_learner == saved[2 * len(ITEMS) :] and not app.exception
