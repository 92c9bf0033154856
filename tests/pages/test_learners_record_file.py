"""A learner's record as a file: what is written is read again, and no file brings it down."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.exercises.by_lesson import LESSONS, exercises_of
from mlm_core.exercises.exercise import LONGEST_ANSWER, LONGEST_NUMBER
from pages.server.course.words import read_words
from pages.server.link.inputs import LONGEST_TEXT
from pages.server.record.evidence_card import as_markdown
from pages.server.record.learners_record import (
    FORMAT,
    LONGEST_OF_CARD,
    OUTCOMES,
    VERSION,
    EvidenceCard,
    ExerciseDone,
    LearnersRecord,
    LessonDone,
    as_json,
    merged,
)
from pages.server.record.learners_record_file import (
    LARGEST,
    LARGEST_SEED,
    LONGEST_ENTRY,
    LONGEST_NAME,
    MOST_TRIES,
    Contents,
    LeftOut,
    NotARecordError,
    read_record,
)
from tests.hostile import TEXTS

COURSE = {
    "cutting": Contents(parts=("rule", "dice", "task"), exercises=("count", "draw")),
    "hiding": Contents(parts=("why",), exercises=("share",)),
}
SOLVED = {"outcome": "solved", "tries": 2, "hints": 1, "answer": "3", "seed": 7, "model": "m"}


def done(outcome: str = "solved", seed: int = 7, **other) -> ExerciseDone:
    return ExerciseDone(**{"outcome": outcome, "seed": seed, "model": "m", "answer": "3"} | other)


RECORD = LearnersRecord(
    seed=5,
    saved="2026-01-02 03:04 UTC",
    lessons={
        "cutting": LessonDone(
            opened=("task", "rule"),
            seed=7,
            exercises={"count": done(tries=2), "draw": done("shown", hints=2, text="A line.")},
        ),
        "hiding": LessonDone(
            opened=("why",),
            card=EvidenceCard(asked="A: b", link="http://a.de/x?y=%20z", failed="It\nfailed."),
            explained="Both sides.",
        ),
    },
    concepts={"before": {"kept": "copying"}, "after": {"kept": "right", "cut": ""}},
    begun={"after": {"blank": "right"}},
)


def file_of(lessons: object, **other: object) -> bytes:
    named = {"format": FORMAT, "version": VERSION, "seed": 5, "lessons": lessons, **other}
    return json.dumps(named).encode()


def with_entry(entry: object) -> bytes:
    return file_of({"cutting": {"opened": ["rule"], "seed": 7, "exercises": {"count": entry}}})


def refusal(data: bytes) -> NotARecordError:
    with pytest.raises(NotARecordError) as caught:
        read_record(data, COURSE)
    said = read_words("record").section(caught.value.section, **caught.value.values)
    assert "Nothing was changed" in said and "{{" not in said
    assert "Es wurde nichts" in read_words("record", "de").section(
        caught.value.section, **caught.value.values
    )
    return caught.value


def test_what_is_written_is_read_again():
    assert read_record(as_json(RECORD), COURSE) == (RECORD, LeftOut())
    assert read_record(as_json(LearnersRecord()), COURSE) == (LearnersRecord(), LeftOut())


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
exercises = st.builds(
    ExerciseDone,
    outcome=st.sampled_from(OUTCOMES),
    tries=st.integers(0, MOST_TRIES),
    hints=st.integers(0, MOST_TRIES),
    answer=texts,
    seed=st.integers(0, LARGEST_SEED),
    model=texts,
    text=texts,
)
cutting = st.builds(
    LessonDone,
    opened=st.lists(st.sampled_from(COURSE["cutting"].parts), unique=True).map(tuple),
    seed=st.integers(0, LARGEST_SEED),
    exercises=st.dictionaries(st.sampled_from(COURSE["cutting"].exercises), exercises),
    card=st.none() | st.builds(EvidenceCard, asked=texts, result=texts, failed=texts, kept=texts),
    explained=texts,
)
records = st.builds(
    LearnersRecord,
    seed=st.none() | st.integers(0, LARGEST_SEED),
    lessons=st.dictionaries(st.just("cutting"), cutting),
    saved=texts,
)


@given(records)
def test_any_record_is_read_as_it_was_written(record):
    assert read_record(as_json(record), COURSE) == (record, LeftOut())


def test_half_a_surrogate_pair_is_written_and_read_as_a_question_mark():
    record = LearnersRecord(
        lessons={"hiding": LessonDone(exercises={"share": done(answer="\ud83d")}, seed=7)}
    )
    read, _ = read_record(as_json(record), COURSE)
    assert read.lessons["hiding"].exercises["share"].answer == "?"
    read, _ = read_record(with_entry(SOLVED | {"answer": "a\ud83d"}), COURSE)
    assert read.lessons["cutting"].exercises["count"].answer == "a?"


@pytest.mark.parametrize("character", ["\U0001f642", "\x00", "\x1f", '"', "\\", "x"])
def test_a_record_of_everything_with_the_longest_answers_is_not_too_large(character: str):
    longest = {"number": LONGEST_NUMBER + 1, "choice": 40, "mask": 80}
    lessons = {}
    for slug in LESSONS:
        entries = {}
        for one in exercises_of(slug):
            n = longest.get(one.kind, LONGEST_ANSWER * (2 if one.kind == "pair" else 1) + 1)
            # Each exercise keeps the learner's sentence, also one that has no use for it.
            texts = {"answer": character * n, "text": character * LONGEST_TEXT}
            entries[one.id] = done(**texts, model="x" * LONGEST_NAME, tries=MOST_TRIES)
        opened = tuple(f"a_part_of_the_lesson_{i}" for i in range(12))
        longest_card = {name: character * most for name, most in LONGEST_OF_CARD.items()}
        lessons[slug] = LessonDone(
            opened=opened,
            seed=LARGEST_SEED,
            exercises=entries,
            card=EvidenceCard(**longest_card | {"link": "x" * LONGEST_OF_CARD["link"]}),
            explained=character * LONGEST_OF_CARD["expected"],
        )
    assert len(as_json(LearnersRecord(lessons=lessons))) <= LARGEST


@pytest.mark.parametrize(
    ("data", "section"),
    [
        (b"", "no_json"),
        (as_json(RECORD)[:200], "no_json"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "no_text"),
        ("{}".encode("utf-16"), "no_record"),
        (b'{"version":' + b"9" * 50_000 + b"}", "no_text"),
        (b"[]", "no_record"),
        (b"{}", "no_record"),
        (b'{"format": ["x"]}', "no_record"),
        (file_of([]), "no_record"),
        (file_of({}, seed="five"), "no_record"),
        (file_of({}, seed=True), "no_record"),
        (file_of({}, seed=10**12), "no_record"),
        (file_of({}, saved=3), "no_record"),
        (file_of({}, saved="x" * 41), "no_record"),
        (file_of({}, version=2), "other_version"),
        (file_of({}, version=True), "other_version"),
        (b'{"lesson": "x", "question": "", "settings": {}, "tables": []}', "record_is_run"),
        (b'{"format": "mlm-lesson-plan", "steps": []}', "record_is_plan"),
        (bytes(LARGEST + 1), "too_large"),
    ],
)
def test_what_is_no_record_is_refused_with_the_reason(data: bytes, section: str):
    assert refusal(data).section == section


def test_a_refusal_says_what_was_expected_and_what_came():
    assert refusal(bytes(LARGEST + 1)).values == {"came": "1,000,001", "most": "1,000,000"}
    assert refusal(b'{\n "a": 1,\n oops}').values == {"line": 3}
    assert refusal(file_of({}, version=2)).values == {"came": "2", "expected": VERSION}


def test_no_text_as_a_file_or_in_one_brings_it_down():
    for text in TEXTS.values():
        text = text[:10_000]  # five times in a file, which would else be too large
        assert refusal(text.encode("utf-8", "replace")).section
        assert refusal(file_of({}, version=text)).section == "other_version"
        entry = SOLVED | {"answer": text, "text": text, "model": text}
        exercises = {text: {}, "count": entry}
        lessons = {text: {}, "cutting": {"opened": [text], "exercises": exercises}}
        record, left_out = read_record(file_of(lessons, saved=text[:40]), COURSE)
        assert left_out.lessons == 1 and left_out.parts == 1
        is_long = len(text) > 200
        assert left_out.exercises == 1 + is_long
        assert len(record.lessons["cutting"].exercises) == 1 - is_long


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (None, "an object"),
        ("solved", "an object"),
        ({}, "outcome"),
        (SOLVED | {"outcome": ["solved"]}, "outcome"),
        (SOLVED | {"seed": None}, "seed"),
        (SOLVED | {"seed": 1.0}, "whole number"),
        (SOLVED | {"tries": -1}, "whole number"),
        (SOLVED | {"tries": True}, "whole number"),
        (SOLVED | {"hints": 1e999}, "whole number"),
        (SOLVED | {"hints": float("nan")}, "whole number"),
        (SOLVED | {"answer": 3}, "no text"),
        (SOLVED | {"answer": "x" * (LONGEST_ENTRY + 1)}, "no text"),
        (SOLVED | {"model": {"a": 1}}, "no text"),
        (SOLVED | {"text": None}, "no text"),
    ],
)
def test_an_entry_that_cannot_be_read_is_left_out_and_counted(entry: object, why: str):
    record, left_out = read_record(with_entry(entry), COURSE)
    assert left_out == LeftOut(exercises=1)
    assert record.lessons["cutting"] == LessonDone(opened=("rule",), seed=7)


@pytest.mark.parametrize(
    "lesson",
    [None, "x", {"opened": "rule"}, {"opened": {"rule": 1}}, {"seed": "x"}, {"exercises": []}],
)
def test_a_lesson_whose_outline_cannot_be_read_is_left_out_and_the_others_stay(lesson: object):
    lessons = {"cutting": lesson, "hiding": {"opened": ["why"]}}
    record, left_out = read_record(file_of(lessons), COURSE)
    assert left_out == LeftOut(lessons=1)
    assert [*record.lessons] == ["hiding"]


def test_unknown_lessons_parts_and_exercises_are_left_out_and_counted_by_hand():
    lessons = {
        "unknown": {"opened": ["rule"]},
        "cutting": {
            "opened": ["rule", "gone", 3, None, ["rule"], "rule", "task"],
            "seed": 7,
            "exercises": {"count": SOLVED, "gone": SOLVED, "": {}},
        },
    }
    record, left_out = read_record(file_of(lessons), COURSE)
    assert left_out == LeftOut(lessons=1, parts=4, exercises=2) and left_out.any
    assert record.lessons["cutting"].opened == ("rule", "task")
    assert [*record.lessons["cutting"].exercises] == ["count"]


@pytest.mark.parametrize(
    "texts",
    [
        {"card": "x"},
        {"card": {"asked": 3}},
        {"card": {"failed": "x" * 1_001}},
        {"explained": ["x"]},
        {"explained": "x" * 1_001},
    ],
)
def test_a_text_that_cannot_be_read_is_left_out_and_counted(texts: dict):
    record, left_out = read_record(file_of({"hiding": {"opened": ["why"]} | texts}), COURSE)
    assert left_out == LeftOut(texts=1) and left_out.any
    assert record.lessons["hiding"] == LessonDone(opened=("why",))


@pytest.mark.parametrize(
    ("concepts", "n_left_out"),
    [
        ([], 1),
        ({"later": {"kept": "copying"}, "before": "x"}, 2),
        ({"before": {"kept": "<b>", "x": "right", "cut": ["right"]}}, 3),
    ],
)
def test_answers_that_the_concept_test_does_not_have_are_left_out(concepts, n_left_out: int):
    record, left_out = read_record(file_of({}, concepts=concepts), COURSE)
    assert not record.concepts and left_out.exercises == n_left_out


@pytest.mark.parametrize("link", ["javascript:x", "http://a.de/> <b>", "//a.de", "data:,x"])
def test_a_forged_link_of_a_card_is_dropped(link: str):
    card = {"asked": "A", "link": link}
    record, left_out = read_record(file_of({"hiding": {"card": card}}), COURSE)
    assert record.lessons["hiding"].card == EvidenceCard(asked="A") and not left_out.any


def test_the_date_of_a_card_from_a_file_opens_no_markup_in_the_saved_page():
    words = read_words("evidence_card")
    for kept, written in {
        "*[x](http://a.de)*": r"\*\[x\](",
        "2026-01-02 03:04 UTC": "04 UTC*",
    }.items():
        page = as_markdown(EvidenceCard(asked="A", kept=kept), words)
        assert written in page.splitlines()[-1]


def test_together_the_later_card_and_the_text_of_this_visit_stay():
    def record(kept: str, explained: str) -> LearnersRecord:
        done = LessonDone(card=EvidenceCard(kept=kept), explained=explained)
        return LearnersRecord(lessons={"hiding": done})

    early, late = record("2026-01-02", "early"), record("2026-01-03", "late")
    for here, other in ((early, late), (late, early)):
        both = merged(here, other).lessons["hiding"]
        assert both.card == EvidenceCard(kept="2026-01-03")
        assert both.explained == here.lessons["hiding"].explained
    assert merged(LearnersRecord(), early) == replace(early, saved="")


def lesson_with(seed: int, **outcomes: str) -> LearnersRecord:
    made = {name: done(outcome, seed) for name, outcome in outcomes.items()}
    return LearnersRecord(seed=seed, lessons={"cutting": LessonDone(seed=seed, exercises=made)})


@pytest.mark.parametrize(
    ("here", "other", "together"),
    [
        ("tried", "shown", "shown"),
        ("shown", "tried", "shown"),
        ("shown", "solved", "solved"),
        ("solved", "shown", "solved"),
    ],
)
def test_of_two_outcomes_the_further_one_stays(here: str, other: str, together: str):
    both = merged(lesson_with(1, count=here), lesson_with(2, count=other))
    one = both.lessons["cutting"].exercises["count"]
    assert one.outcome == together
    assert one.seed == (1 if here == together else 2)


def test_a_lesson_takes_the_seed_with_which_more_was_solved():
    both = merged(lesson_with(1, count="solved"), lesson_with(2, count="solved", draw="solved"))
    assert both.lessons["cutting"].seed == 2
    assert [one.seed for one in both.lessons["cutting"].exercises.values()] == [1, 2]
    opened = LearnersRecord(lessons={"cutting": LessonDone(opened=("rule",))})
    assert merged(opened, lesson_with(2, count="tried")).lessons["cutting"].seed == 2
    assert merged(lesson_with(2, count="tried"), opened).lessons["cutting"].seed == 2


@given(records, records)
def test_nothing_that_is_opened_or_solved_is_lost(here, other):
    both = merged(here, other)
    for side in (here, other):
        for slug, lesson in side.lessons.items():
            assert set(lesson.opened) <= set(both.lessons[slug].opened)
            for name, one in lesson.exercises.items():
                if one.outcome == "solved":
                    assert both.lessons[slug].exercises[name].outcome == "solved"


@given(records)
def test_a_record_with_itself_or_with_nothing_is_itself(record):
    assert merged(record, record) == record
    assert replace(merged(record, LearnersRecord()), saved=record.saved) == record
    assert merged(LearnersRecord(), record) == record
