"""The learner's record, from the exercises through a file into another session's exercises."""

import json
from itertools import cycle

import pytest
import streamlit as st

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.exercises.by_lesson import exercises_of
from pages.server import session
from pages.server.course.lessons import BY_SLUG, LESSONS
from pages.server.course.words import read_words
from pages.server.frame.overview import numbered_title
from pages.server.record.exercise_progress import Exercises
from pages.server.record.learners_record import FORMAT, VERSION
from pages.server.record.learners_record_file import LONGEST_ENTRY
from tests.exercises.learners import learner, solutions
from tests.hostile import TEXTS
from tests.pages.test_exercises import RUNS_MODEL, SEED, answer, open_exercises

WORDS = read_words("record")
EVERY_LESSON = [
    pytest.param(lesson, id=lesson.slug) for lesson in LESSONS if "exercises" in lesson.parts
]


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Give what the buttons that save would save, by the ending of the file."""
    files, original = {}, st.download_button

    def keep(label: str, data: bytes | str, **options):
        files[options["file_name"].rpartition(".")[2]] = data
        return original(label, data, **options)

    monkeypatch.setattr(st, "download_button", keep)
    return files


def go_home(app):
    """Go to the course map, where the record is open."""
    app.switch_page("app.py")
    app.query_params["home_record"] = "true"
    app.run()
    assert not app.exception and not app.error, [one.value for one in app.error]
    return app


def load(app, data: bytes):
    """Upload a file on the course map and load what is in it."""
    app.file_uploader(key="home_record_file").upload("a.json", data, "application/json").run()
    app.button(key="home_record_load").click().run()
    assert not app.exception and not app.error, [one.value for one in app.error]
    return app


def content(data: bytes) -> dict:
    """Return what a file says, without the time of saving."""
    return json.loads(data) | {"saved": None}


def file_of(lessons: dict, **other) -> bytes:
    named = {"format": FORMAT, "version": VERSION, "seed": SEED, "lessons": lessons, **other}
    return json.dumps(named).encode()


def solved(answer: str, seed: int = SEED, **other) -> dict:
    return {"outcome": "solved", "answer": answer, "seed": seed, "model": BUNDLED, **other}


def captions(app) -> str:
    return " ".join(caption.value for caption in app.caption)


def links(app) -> list[str]:
    return [link.proto.label for link in app.get("page_link")]


def show_exercise(app, lesson, exercise) -> None:
    app.segmented_control(key=f"{lesson.slug}_exercise_which").set_value(exercise.id).run()
    assert not app.exception, exercise.id


def fields_of(app, lesson, exercise) -> list[str]:
    key = f"{lesson.slug}_exercise_{exercise.id}"
    if exercise.kind == "choice":
        return [app.radio(key=f"{key}_answer").value]
    if exercise.kind == "mask":
        return [app.session_state[f"{key}_mask"]]
    names = ("answer_1", "answer_2") if exercise.kind == "pair" else ("answer",)
    return [app.text_input(key=f"{key}_{name}").value for name in names]


def one_of_each_kind(exercises):
    """Return those that have an answer field of another kind each, and keep no model busy."""
    of_kind = {one.kind: one for one in reversed(exercises) if one.id not in RUNS_MODEL}
    return [one for one in exercises if one in of_kind.values()]


@pytest.mark.parametrize("lesson", EVERY_LESSON[::3])
def test_what_was_done_comes_back_in_another_session(lesson, open_warm_page, saved):
    app = open_exercises(open_warm_page, lesson)
    given, (missed, *others) = {}, exercises_of(lesson.slug)
    for exercise in one_of_each_kind(others):
        show_exercise(app, lesson, exercise)
        answer(app, lesson, exercise, next(solutions(exercise, learner_task(exercise))))
        assert WORDS.label("near") in links(app)
        given[exercise.id] = fields_of(app, lesson, exercise)
    show_exercise(app, lesson, missed)
    answer(app, lesson, missed, "-99")
    go_home(app)
    first = dict(saved)
    done = content(first["json"])["lessons"][lesson.slug]
    assert [*done["exercises"]] == [missed.id, *given] and done["seed"] == SEED
    assert {one["outcome"] for one in done["exercises"].values()} == {"solved", "tried"}

    other = load(go_home(open_warm_page()), first["json"])
    assert WORDS.section("loaded") in [success.value for success in other.success]
    assert content(saved["json"]) == content(first["json"])
    other.switch_page(lesson.file)
    other.query_params[f"{lesson.slug}_part"] = "exercises"
    other.run()
    assert any(f"{len(given)} of" in one.proto.text for one in other.get("progress"))
    assert session.of(Exercises, other.session_state).by_lesson[lesson.slug].seed == SEED
    for exercise in exercises_of(lesson.slug):
        if exercise.id in given:
            show_exercise(other, lesson, exercise)
            assert fields_of(other, lesson, exercise) == given[exercise.id]
            assert read_words("exercises").label("right") in other.success[0].value
    show_exercise(other, lesson, missed)
    assert not other.success and fields_of(other, lesson, missed) == ["-99"]
    assert (
        content((go_home(other), saved)[1]["json"])["lessons"][lesson.slug]["exercises"]
        == (done["exercises"])
    )


def learner_task(exercise):
    return exercise.draw(learner(SEED))


def test_a_newcomer_sees_nothing_of_it_but_the_title(open_warm_page):
    app = open_warm_page()
    assert "opened" not in captions(app) and not app.file_uploader
    assert not [label for label in links(app) if label.startswith(WORDS.label("go_on", title=""))]
    assert [box.label for box in app.expander] == [WORDS.label("title")]
    assert WORDS.section("nothing_yet") in [info.value for info in go_home(app).info]


def test_the_card_says_what_is_opened_and_leads_along_the_core_way(open_warm_page):
    lesson = BY_SLUG["masking"]
    app = open_warm_page(lesson.file)
    app.button(key="masking_part_next").click().run()
    go_home(app)
    counts = {"opened": 2, "parts": len(lesson.parts), "core_opened": 1, "core": len(lesson.core)}
    said = WORDS.label("core_progress", solved=0, exercises=len(exercises_of("masking")), **counts)
    assert said in captions(app)
    label = WORDS.label("go_on", title=read_words("masking").label("part_in_short"))
    (link,) = (one for one in app.get("page_link") if one.proto.label == label)
    assert link.proto.page == "masking" and "masking_part=in_short" in link.proto.query_string


def test_where_the_core_way_is_done_the_card_says_so_and_the_first_door_leads_on(open_warm_page):
    opening, masking = BY_SLUG["subword_tokens"], BY_SLUG["masking"]
    done = {"opened": list(masking.core), "seed": SEED}
    done["exercises"] = {exercises_of("masking")[0].id: solved("1")}
    app = load(go_home(open_warm_page()), file_of({"masking": done}))
    counts = {"opened": len(masking.core), "parts": len(masking.parts), "solved": 1}
    said = WORDS.label("core_done", exercises=len(exercises_of("masking")), **counts)
    assert said in captions(app)
    assert f"{numbered_title(masking)} :material/check:" in links(app)
    lesson = {"number": opening.number, "title": read_words(opening.slug).label("title")}
    assert f"**{read_words('home').label('door_go_on', **lesson)}**" in links(app)


def test_a_lesson_that_is_done_says_so_here_and_in_the_sidebar(open_warm_page):
    lesson = BY_SLUG["masking"]
    exercises = {one.id: solved("1") for one in exercises_of("masking")}
    last = exercises.popitem()[0]
    done = {"opened": list(lesson.parts), "seed": SEED, "exercises": exercises}
    app = load(go_home(open_warm_page()), file_of({"masking": done}))
    title = read_words("exercises/masking").label(last)
    assert WORDS.label("go_on_exercise", title=title) in links(app)
    done["exercises"][last] = solved("1")
    load(app, file_of({"masking": done}))
    counts = {"parts": len(lesson.parts), "exercises": len(exercises_of("masking"))}
    assert WORDS.label("all_done", **counts) in captions(app)
    app.run()
    marked = f"{numbered_title(lesson)} :material/check_circle:"
    assert [link for link in links(app) if "check" in link] == [marked]


def with_one_solved(open_warm_page, saved):
    """Return a session with an exercise of "Masking" solved, and what it would save."""
    lesson = BY_SLUG["masking"]
    app = open_exercises(open_warm_page, lesson)
    exercise = exercises_of("masking")[0]
    answer(app, lesson, exercise, next(solutions(exercise, learner_task(exercise))))
    return go_home(app), content(saved["json"])


OTHER = {
    "masking": {
        "opened": ["why"],
        "seed": 77,
        "exercises": {one.id: solved("1", seed=77) for one in exercises_of("masking")[1:4]},
    },
    "isotropy": {"opened": ["layers"]},
}


def test_merging_loses_nothing_of_either(open_warm_page, saved):
    app, before = with_one_solved(open_warm_page, saved)
    load(app, file_of(OTHER))
    after = content(saved["json"])["lessons"]
    (mine,) = before["lessons"]["masking"]["exercises"]
    names = [one.id for one in exercises_of("masking")[:4]]
    assert [*after["masking"]["exercises"]] == names and mine == names[0]
    assert after["masking"]["seed"] == 77, "most were solved with this one"
    assert after["masking"]["exercises"][mine]["seed"] == SEED
    assert after["masking"]["opened"] == ["exercises", "why"]
    assert after["isotropy"]["opened"] == ["layers"]


def test_an_answer_that_was_shown_stays_shown_and_is_not_counted(open_warm_page, saved):
    lesson = BY_SLUG["attention_mask"]
    shown = {
        one.id: {"outcome": "shown", "tries": 3, "hints": 2, "seed": SEED, "model": BUNDLED}
        for one in exercises_of(lesson.slug)
        if one.kind == "mask"
    }
    done = {"opened": ["exercises"], "seed": SEED, "exercises": shown}
    app = load(go_home(open_warm_page()), file_of({lesson.slug: done}))
    assert f"0 of {len(exercises_of(lesson.slug))} exercises solved" in captions(app)
    (name,) = shown
    open_exercise(app, lesson, name)
    exercise = next(one for one in exercises_of(lesson.slug) if one.id == name)
    assert "drawn above" in app.warning[-1].value
    assert fields_of(app, lesson, exercise) == [learner_task(exercise).answer]


def test_a_solved_exercise_stays_solved_when_it_is_tried_again(open_warm_page, saved):
    app, before = with_one_solved(open_warm_page, saved)
    lesson, exercise = BY_SLUG["masking"], exercises_of("masking")[0]
    open_exercise(app, lesson, exercise.id)
    answer(app, lesson, exercise, "-99")
    go_home(app)
    assert content(saved["json"])["lessons"] == before["lessons"]


def test_the_record_to_read_has_titles_answers_and_no_markup_of_a_learner(open_warm_page, saved):
    hostile = "*a* <script>window.hostile = true</script> | b"
    exercises = {
        "find_word": solved(hostile, text=hostile, tries=2, hints=1),
        "which_table": solved("no_such_option"),
    }
    done = {"opened": ["pieces"], "seed": SEED, "exercises": exercises}
    app = load(go_home(open_warm_page()), file_of({"subword_tokens": done}))
    text, titles = saved["md"], read_words("exercises/subword_tokens")
    assert f"# {WORDS.label('title')}" in text and titles.label("find_word") in text
    assert r"\*a\* \<script\>" in text and "<script>" not in text
    assert read_words("subword_tokens").label("part_pieces") in text
    row = next(line for line in text.splitlines() if titles.label("find_word") in line)
    assert row.count(" | ") == 6 and "| 2 | 1 |" in row
    for name in exercises:
        open_exercise(app, BY_SLUG["subword_tokens"], name)
        assert all("unexpected error" not in error.value for error in app.error)


def test_an_exercise_about_ones_own_sentence_comes_back_with_the_sentence(open_warm_page, saved):
    lesson, text = BY_SLUG["masking"], "A heron waits by the old river."
    exercise = next(one for one in exercises_of("masking") if one.uses_text)
    right = next(solutions(exercise, exercise.draw(learner(SEED, text))))
    entries = {exercise.id: solved(right, text=text)}
    app = load(go_home(open_warm_page()), file_of({"masking": {"exercises": entries}}))
    open_exercise(app, lesson, exercise.id)
    assert app.text_input(key="masking_exercise_text").value == text
    assert read_words("exercises").label("right") in app.success[0].value


@pytest.mark.parametrize("lesson", EVERY_LESSON[1::3])
def test_no_answer_in_a_file_brings_an_exercise_down(lesson, open_warm_page, saved):
    texts = cycle((TEXTS["control characters"], TEXTS["script tag"], "x" * LONGEST_ENTRY))
    text = TEXTS["end of a drawing"]
    entries = {one.id: solved(next(texts), text=text) for one in exercises_of(lesson.slug)}
    app = load(go_home(open_warm_page()), file_of({lesson.slug: {"exercises": entries}}))
    for name in entries:
        open_exercise(app, lesson, name)
        assert all("unexpected error" not in error.value for error in app.error)


def open_exercise(app, lesson, name: str) -> None:
    app.switch_page(lesson.file)
    app.query_params[f"{lesson.slug}_part"] = "exercises"
    app.query_params[f"{lesson.slug}_exercise_which"] = name
    app.run()
    assert not app.exception, name


def test_a_file_that_is_no_record_is_refused_and_nothing_is_lost(open_warm_page, saved):
    app, before = with_one_solved(open_warm_page, saved)
    for data in (b"# Your course record", b"{}", file_of({}, version=9), bytes(5_000_000)):
        app.file_uploader(key="home_record_file").upload("a.json", data, "text/plain").run()
        assert "Nothing was changed" in app.error[0].value and not app.exception
        assert content(saved["json"]) == before
    app.file_uploader(key="home_record_file").upload("a.json", file_of({"x": {}}), "a/b").run()
    assert WORDS.section("found_nothing") in [warning.value for warning in app.warning]
    assert content(saved["json"]) == before


def test_own_words_are_kept_with_what_the_opening_shows_and_come_back(open_warm_page, saved):
    lesson, sentence = BY_SLUG["attention_mask"], "The bank *raised* its [l](javascript:x) rates."
    in_short = {"attention_mask_part": "in_short", "attention_mask_second": sentence}
    app = open_warm_page(lesson.file, **in_short)
    app.text_area(key="attention_mask_explained").set_value("GPT sees the left side.").run()
    app.text_area(key="attention_mask_card_failed").set_value("*No* difference").run()
    assert not app.exception
    go_home(app)
    done = content(saved["json"])["lessons"]["attention_mask"]
    assert done["explained"] == "GPT sees the left side."
    card = done["card"]
    assert card["failed"] == "*No* difference" and sentence in card["asked"]
    assert BUNDLED in card["setting"] and "1.000 after the last" in card["result"]
    assert "> \\*No\\* difference" in saved["md"] and "*raised*" not in saved["md"]

    other = load(go_home(open_warm_page()), saved["json"])
    assert content(saved["json"])["lessons"]["attention_mask"] == done
    other.switch_page(lesson.file)
    other.query_params["attention_mask_part"] = "in_short"
    other.run()
    assert other.text_area(key="attention_mask_card_failed").value == card["failed"]
    assert other.text_area(key="attention_mask_explained").value == done["explained"]
    kept = read_words("evidence_card").label("kept_at", kept=card["kept"])
    assert kept in captions(other), "as it was kept"
