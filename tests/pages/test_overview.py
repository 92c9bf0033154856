"""What a lesson is for, its core way, "In short", and the way on; the questions for a seminar."""

import json
import re
from collections.abc import Iterator

import pytest
import torch

from mlm_core.encoder.attention import attend
from mlm_core.encoder.cost import count_parameters, published_models
from mlm_core.encoder.model_list import BUNDLED
from mlm_core.exercises.by_lesson import exercises_of
from mlm_core.number_format import ENGLISH, GERMAN, formatted, written_with
from pages.beside.teaching.documents import as_markdown
from pages.kit.part import Part
from pages.server.course.language import languages
from pages.server.course.lessons import BY_SLUG, LESSONS, ROOT, SESSIONS, TEACHING, Lesson
from pages.server.course.words import questions_of, read_words
from pages.server.frame.overview import numbered_title
from pages.server.frame.page_frame import Page
from pages.server.link.controls import OPENING, part_key

EVERY_LESSON = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
FRAME, CARD = read_words("frame"), read_words("evidence_card")
MINUTES_OF_A_FIGURE, MINUTES_OF_A_CONTROL, MINUTES_OF_AN_EXERCISE = 0.5, 0.5, 4.0
MINUTES_OF_A_TEST = 8  # half of the concept test; a class takes it twice
# By goal, in the order of the overview: the opening, core parts or exercises that reach it.
GOALS = {
    "subword_tokens": ("opening pieces", "pieces input_stack", "input_stack"),
    "attention_mask": ("opening flow", "worked softmax_weight", "three_masks which_mask"),
    "masking": ("opening which_branch", "opening positions_that_count", "why"),
    "prediction_and_loss": ("numbers", "numbers perplexity", "positions mean_loss"),
    "sentence_pairs": ("opening batch total_loss", "packing padding_share", "batch"),
    "train_an_encoder": ("opening", "experiments", "optimizer rate_of_step"),
    "word_senses": ("static", "disambiguate cosine_by_hand", "opening"),
    "isotropy": ("opening common_vector", "dimensions dimension_share", "senses z_score"),
    "classification": ("own_sentence head_by_hand", "opening", "pretraining"),
    "bio_tagging": ("opening write_tags", "pieces piece_labels", "scores entity_f1"),
    "inside_a_prediction": ("opening", "which_words", "follow", "which_words follow"),
    "encoders_today": ("opening", "scores", "scores"),
}
WORD = re.compile(r"[^\W\d_][\w’'-]*")
NO_WORDS = re.compile(
    r"\$\$.*?\$\$|\$[^$\n]+\$|\]\(\S+ \"[^\"]*\"\)|\(#?[^)\s]*\)|:material/\w+:|<[^>]+>", re.DOTALL
)
TEXTS = {"markdown", "caption", "info", "warning", "success", "error"}
CONTROLS = {
    *("button_group", "selectbox", "slider", "select_slider", "text_input", "text_area"),
    *("toggle", "number_input", "multiselect"),
}


def markdown(app) -> str:
    return "\n".join(text.value for text in app.markdown)


@pytest.mark.parametrize("session", SESSIONS)
def test_the_core_way_is_two_sessions_of_ninety_minutes_with_the_test_of_each(session):
    core = sum(BY_SLUG[slug].minutes for slug in session)
    assert 80 <= core + 2 * MINUTES_OF_A_TEST <= 90


@pytest.mark.parametrize("language", languages())
@EVERY_LESSON
def test_the_core_reaches_each_goal_of_a_lesson(lesson: Lesson, language: str):
    words = read_words(f"overview/{lesson.slug}", language)
    goals = re.findall(r"^- ", words.section("goals"), re.MULTILINE)
    assert len(goals) == len(GOALS[lesson.slug])
    exercises = {exercise.id for exercise in exercises_of(lesson.slug)}
    for reached in GOALS[lesson.slug]:
        assert set(reached.split()) <= {OPENING, *lesson.core, *exercises}, reached
        assert set(reached.split()) & {OPENING, *lesson.core}, "no exercise alone"


@EVERY_LESSON
def test_a_lesson_takes_the_minutes_that_its_words_and_controls_say(lesson, open_warm_page):
    minutes = MINUTES_OF_AN_EXERCISE
    for part in lesson.core[:-1]:
        app = open_warm_page(lesson.file, **{part_key(lesson.slug): part})
        shown = list(in_view(app.main))
        keys = [getattr(one, "key", None) for one in shown]
        parts = keys.index(part_key(lesson.slug))
        minutes += minutes_of(shown[parts + 1 :])
        if part == lesson.core[0]:
            minutes += minutes_of(shown[:parts])
    assert abs(minutes - lesson.minutes) <= 1, f"it says {lesson.minutes}, and takes {minutes:.1f}"


def in_view(block) -> Iterator:
    """Give the elements of a page that stand in no fold-out, and the numbers of each figure."""
    for child in block.children.values():
        if not hasattr(child, "children") or is_of_figure(child):
            yield child
        elif child.type not in ("expandable", "expander", "popover"):
            yield from in_view(child)


def is_of_figure(block) -> bool:
    """Return whether a block is the button with a figure's numbers."""
    return block.type == "popover" and block.proto.popover.label == FRAME.label("numbers")


def minutes_of(shown: list) -> float:
    """Return what it takes to read texts, to look at figures and to try controls."""
    texts = [NO_WORDS.sub(" ", one.value) for one in shown if one.type in TEXTS]
    n_words = sum(len(WORD.findall(text)) for text in texts)
    n_figures = sum(is_of_figure(one) for one in shown)
    n_controls = sum(one.type in CONTROLS for one in shown)
    return n_words / 150 + MINUTES_OF_A_FIGURE * n_figures + MINUTES_OF_A_CONTROL * n_controls


@EVERY_LESSON
def test_a_lesson_opens_with_its_name_and_goals_and_ends_in_short(lesson: Lesson, open_warm_page):
    words = read_words(lesson.slug)
    app = open_warm_page(lesson.file, **{part_key(lesson.slug): "in_short"})
    assert not app.exception and not app.error
    assert app.title[0].value == numbered_title(lesson)
    shown = markdown(app)
    goals = read_words(f"overview/{lesson.slug}").section("goals")
    assert words.label("question") in shown and goals in shown
    assert "$$" in shown and "**Remember this number:**" in shown
    for number, (question, answer) in enumerate(questions_of(lesson.slug), 1):
        assert answer not in shown
        if number == 1:
            field = app.text_area(key=f"{lesson.slug}_open_answer_{number}")
            field.set_value(f"{question} " + "It may be so. " * 9).run()
            assert answer not in markdown(app), "the question's words again, and few others"
            field.set_value(" ".join(f"word{i}" for i in range(20))).run()
            assert answer in markdown(app) and not app.exception
    card = next(text.value for text in app.markdown if f"**{CARD.plain('setting')}**" in text.value)
    assert f"**{CARD.plain('result')}**" in card, "the opening fills in the evidence card"
    assert app.button(key=f"{lesson.slug}_part_next").label == FRAME.label(
        "next_part", title=words.label("part_exercises")
    )


@EVERY_LESSON
def test_the_exercises_end_with_the_way_to_the_next_lesson(lesson: Lesson, open_warm_page):
    app = open_warm_page(lesson.file, **{part_key(lesson.slug): "exercises"})
    following = LESSONS[lesson.number] if lesson.number < len(LESSONS) else None
    label, page = FRAME.label("course_map"), ""
    if following:
        page = following.slug
        label = FRAME.label("next_lesson", title=numbered_title(following))
    links = {link.proto.label: link.proto.page for link in app.get("page_link")}
    assert links[f"**{label}**"] == page


def test_off_the_core_way_the_next_core_part_is_offered_first(open_warm_page):
    app = open_warm_page("pages/3_masking.py", masking_part="why")
    assert [button.key for button in app.button if button.key.startswith("masking_part_")] == [
        "masking_part_core",
        "masking_part_next",
    ]
    app.button(key="masking_part_core").click().run()
    assert app.session_state["masking_part"] == "in_short"


def test_a_part_that_was_opened_has_a_check_mark_afterwards(open_warm_page):
    app = open_warm_page("pages/3_masking.py")
    app.button(key="masking_part_next").click().run()
    marks = next(each.proto.body for each in app.get("html") if "masking_part" in each.proto.body)
    assert re.findall(r"nth-child\((\d+)\)", marks) == ["1", "2"]


def test_an_exercise_leads_to_the_opening_that_shows_what_it_asks(open_warm_page):
    app = open_warm_page(
        "pages/3_masking.py", masking_part="exercises", masking_exercise_which="which_branch"
    )

    def landings() -> list[dict]:
        sent = (json.loads(each.proto.json or "null") for each in app.get("bidi_component"))
        return [one for one in sent if isinstance(one, dict) and "landing" in one]

    before = [one["landing"] for one in landings()]
    app.button(key="masking_exercise_which_branch_view").click().run()
    assert not app.exception
    last = landings()[-1]
    assert last["of_class"] == "st-key-opening_figure" and last["folds"] is False
    assert last["landing"] not in before


@pytest.mark.parametrize("language", languages())
def test_each_lesson_has_three_open_questions_with_answers_to_print(language: str):
    words = read_words("teaching", language)
    for lesson in LESSONS:
        assert all(question.rstrip("”“").endswith("?") for question, _ in questions_of(lesson.slug))
    p = Part(Page(lesson=TEACHING, words=words, model_name=BUNDLED), "documents")
    asked, answered = as_markdown(p).split(f"# {words.plain('documents_answers')}\n")
    for text in (asked, answered):
        assert text.count("\n## ") == len(LESSONS)
        assert len(re.findall(r"^\d\. ", text, re.MULTILINE)) == 3 * len(LESSONS)


def test_documents_are_saved_in_the_language_of_the_words_and_old_links_lead_there(
    open_warm_page, offered_files
):
    app = open_warm_page(TEACHING.file, teaching_part="errata", lang="de")
    assert app.session_state["teaching_part"] == "documents" and not app.exception
    assert offered_files["errata.md"]().decode().startswith("# Fehler in den Quellen")
    assert offered_files["before_class.md"]().decode().startswith("# Vor der Stunde")
    assert "# Musterantworten" in offered_files["open_questions.md"]


@pytest.mark.parametrize(
    ("file", "marks", "million"),
    [("errata.md", ENGLISH, "million"), ("errata.de.md", GERMAN, "Millionen")],
)
def test_the_right_numbers_of_the_errata_come_out_again(file, marks, million):
    one_hot, right = torch.eye(3, dtype=torch.float64), []
    with written_with(marks):
        for divide in (False, True):
            weights = attend(one_hot, one_hot, one_hot, divide_by_root=divide).weights[1]
            right.append(f"[{'; '.join(formatted(one, '.4f') for one in weights.tolist())}]")
        right.append(formatted(8_192 * 512, ","))
    bert = sum(term.count for term in count_parameters(published_models()[0].config))
    text = (ROOT / "docs" / file).read_text(encoding="utf-8")
    assert all(one in text for one in [*right, f"{bert / 1e6:.0f} {million}"])
