"""In a real browser: what was solved is saved as a file, and loaded in another visit."""

from mlm_core.exercises.by_lesson import exercises_of
from pages.server.course.words import read_words
from tests.browser.live import wait_until_finished
from tests.exercises.learners import learner as a_learner
from tests.exercises.learners import solutions

SEED, SENTENCE = 5, "A heron waits by the old river."
WORDS, EXERCISES = read_words("record"), read_words("exercises")


def open_exercises(tab) -> None:
    tab.locator(".st-key-masking_part button").last.click()
    wait_until_finished(tab)


def test_an_exercise_comes_back_solved_in_another_visit(tab, learner, tmp_path):
    exercise = next(one for one in exercises_of("masking") if one.uses_text)
    right = next(solutions(exercise, exercise.draw(a_learner(SEED, SENTENCE))))
    key = f".st-key-masking_exercise_{exercise.id}"
    tab.goto(f"/masking?masking_part=exercises&masking_exercise_which={exercise.id}&seed={SEED}")
    wait_until_finished(tab)
    tab.locator(".st-key-masking_exercise_text input").fill(SENTENCE)
    tab.wait_for_function("() => window.location.search.includes('heron')")
    tab.locator(f"{key}_answer input").fill(right)
    tab.locator(f"{key}_check button").click()
    tab.get_by_text(EXERCISES.label("right")).wait_for()
    tab.get_by_role("link", name=WORDS.label("near")).click()
    with tab.expect_download() as saving:
        tab.locator(".st-key-home_record_save_json button").click()
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)

    learner.goto("/?home_record=true")
    wait_until_finished(learner)
    learner.locator(".st-key-home_record_file input[type=file]").set_input_files(file)
    learner.locator(".st-key-home_record_load button").click()
    learner.get_by_text(WORDS.section("loaded")).wait_for()
    learner.locator(".st-key-card_masking a").first.click()
    learner.wait_for_url("**/masking*")
    wait_until_finished(learner)
    open_exercises(learner)
    learner.get_by_text(EXERCISES.label("right")).wait_for()
    assert learner.locator(f"{key}_answer input").input_value() == right
    assert learner.locator(".st-key-masking_exercise_text input").input_value() == SENTENCE
