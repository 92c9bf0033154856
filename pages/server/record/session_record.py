"""The learner's record and the session: what was done in this visit, taken out and put in.

    note_opened("masking", "rule")             # a part was shown
    of_session()                               # a LearnersRecord, to save
    take_up(record)                            # what a file brought, together with that

Nothing of it is written on the server: it goes with the visit, unless the learner saves it.
"""

from dataclasses import dataclass, field

import streamlit as st

from mlm_core.evaluation.learning_gain import SITTINGS
from mlm_core.exercises.by_lesson import exercises_of
from pages.server import session
from pages.server.course.concept_items import ITEMS
from pages.server.course.lessons import LESSONS, Lesson
from pages.server.link import seeds
from pages.server.record import evidence_card
from pages.server.record.exercise_progress import (
    N_HINTS,
    About,
    Exercises,
    Progress,
    Record,
    progress_in,
    start_over,
    text_key,
)
from pages.server.record.learners_record import (
    ExerciseDone,
    InStudy,
    LearnersRecord,
    LessonDone,
    merged,
)
from pages.server.record.learners_record_file import Contents

HOME_RECORD = "home_record"  # home's place for the record
OPEN_ON_HOME = {HOME_RECORD: "true"}  # parameters of the link that shows it


@dataclass
class Done:
    """What a visit did beside the exercises and the evidence cards."""

    opened: dict[str, list[str]] = field(default_factory=dict)  # parts by lesson, in their order
    # Answers to the concept test that were handed in, by sitting and question.
    concepts: dict[str, dict[str, str]] = field(
        default_factory=lambda: {when: {} for when in SITTINGS}
    )
    study: InStudy | None = None  # whose link the visit opened


@dataclass(frozen=True, kw_only=True)
class Tally:
    """How far a learner is with one lesson."""

    n_opened: int
    n_parts: int
    n_solved: int
    n_exercises: int
    n_core_opened: int
    n_core: int
    next_core: str | None  # the first part of the core way that was not opened
    next_part: str | None  # the first that was not opened
    next_exercise: str | None  # the first that is not solved

    @property
    def is_core(self) -> bool:
        """Return whether all core parts are opened and an exercise is solved, if it has any."""
        return self.n_core_opened == self.n_core and (self.n_solved > 0 or not self.n_exercises)

    @property
    def is_all(self) -> bool:
        """Return whether everything is opened and solved."""
        return self.next_part is None and self.next_exercise is None


def note_opened(slug: str, part: str) -> None:
    """Keep that a part of a lesson was shown."""
    opened = session.of(Done).opened.setdefault(slug, [])
    if part not in opened:
        opened.append(part)


def opened_parts(slug: str) -> tuple[str, ...]:
    """Return the parts of a lesson that were shown in this visit."""
    return tuple(session.of(Done).opened.get(slug, ()))


def concept_answers() -> dict[str, dict[str, str]]:
    """Return the answers to the concept test that were handed in, by sitting."""
    return session.of(Done).concepts


def answer_key(question: str, when: str) -> str:
    """Return the key of the widget that takes an answer to the concept test."""
    return f"concept_test_{question}_{when}"


def begun_answers() -> dict[str, dict[str, str]]:
    """Return the answers to the concept test that are chosen and not handed in."""
    return {
        when: {
            name: answer
            for name, item in ITEMS.items()
            if (answer := st.session_state.get(answer_key(name, when))) in ("", *item.options())
            and name not in handed_in
        }
        for when, handed_in in concept_answers().items()
    }


def tally(lesson: Lesson) -> Tally | None:
    """Return how far this visit is with a lesson, None if nothing of it was opened or solved."""
    opened = opened_parts(lesson.slug)
    progress = progress_in(lesson.slug)
    solved = progress.solved if progress else {}
    if not opened and not solved:
        return None
    parts = lesson.parts
    exercises = [exercise.id for exercise in exercises_of(lesson.slug)]
    return Tally(
        n_opened=len(opened),
        n_parts=len(parts),
        n_solved=len(solved),
        n_exercises=len(exercises),
        n_core_opened=len(set(opened) & set(lesson.core)),
        n_core=len(lesson.core),
        next_core=next((name for name in lesson.core if name not in opened), None),
        next_part=next((name for name in parts if name not in opened), None),
        next_exercise=next((name for name in exercises if name not in solved), None),
    )


def done_mark(lesson: Lesson) -> str:
    """Return what stands behind the title of a lesson: its core way is done, or all, or nothing."""
    done = tally(lesson)
    if done is None:
        return ""
    return " :material/check_circle:" * done.is_all or " :material/check:" * done.is_core


def course() -> dict[str, Contents]:
    """Return what every lesson has, to compare a file with."""
    return {
        lesson.slug: Contents(
            parts=lesson.parts,
            exercises=tuple(exercise.id for exercise in exercises_of(lesson.slug)),
        )
        for lesson in LESSONS
    }


def of_session() -> LearnersRecord:
    """Return what was done in this visit."""
    done = {lesson.slug: _lesson_done(lesson.slug) for lesson in LESSONS}
    return LearnersRecord(
        seed=session.of(seeds.Seeds).exercises,
        lessons={slug: one for slug, one in done.items() if one != LessonDone(seed=one.seed)},
        concepts={when: dict(given) for when, given in concept_answers().items() if given},
        begun={when: given for when, given in begun_answers().items() if given},
        study=session.of(Done).study,
    )


def solved(*, is_loaded: bool) -> dict[str, dict[str, int]]:
    """Return what is solved by lesson, in how many attempts.

    It is what was answered in this visit, or what is only loaded from a file.
    """
    found = {}
    for lesson in LESSONS:
        progress = progress_in(lesson.slug)
        records = progress.solved.items() if progress else ()
        tries = {name: one.n_tries + 1 for name, one in records if one.is_loaded == is_loaded}
        if tries:
            found[lesson.slug] = tries
    return found


def take_up(record: LearnersRecord) -> None:
    """Put a record together with what was done here.

    Lessons in which nothing changes are left as they are.
    """
    here = of_session()
    result = merged(here, record)
    if result.seed is not None:
        session.of(seeds.Seeds).exercises = result.seed
    session.of(Done).study = result.study
    for when, given in result.concepts.items():
        concept_answers()[when].update(given)
    for when, given in result.begun.items():
        for name, answer in given.items():
            st.session_state[answer_key(name, when)] = answer
    for lesson in LESSONS:
        wanted = result.lessons.get(lesson.slug, LessonDone())
        if wanted != here.lessons.get(lesson.slug, LessonDone()):
            _put_lesson(lesson.slug, wanted)


def _lesson_done(slug: str) -> LessonDone:
    progress = progress_in(slug)
    exercises = {}
    for exercise in exercises_of(slug) if progress and progress.is_begun else ():
        assert progress is not None
        solved = progress.solved.get(exercise.id)
        record = solved or progress.records.get(exercise.id)
        if record and (solved or record.is_begun):
            exercises[exercise.id] = ExerciseDone(
                outcome="solved" if solved else "shown" if record.is_shown else "tried",
                tries=record.n_tries,
                hints=record.n_hints,
                answer=record.answer,
                seed=record.about.seed,
                model=record.about.model,
                text=record.about.text,
            )
    return LessonDone(
        opened=opened_parts(slug),
        seed=progress.seed if progress and exercises else _of_lessons().get(slug),
        exercises=exercises,
        card=evidence_card.kept_card(slug),
        explained=evidence_card.explained(slug),
    )


def _of_lessons() -> dict[str, int]:
    return session.of(seeds.Seeds).of_lessons


def _put_lesson(slug: str, done: LessonDone) -> None:
    here, before = _lesson_done(slug).exercises, progress_in(slug)
    start_over(slug)
    _put_texts(slug, done)
    session.of(Done).opened[slug] = list(done.opened)
    if done.seed is None:
        _of_lessons().pop(slug, None)
    else:
        _of_lessons()[slug] = done.seed
    if not done.exercises:
        return
    assert done.seed is not None  # what was drawn for exercises came from one
    progress = Progress(seed=done.seed)
    for name, exercise in done.exercises.items():
        progress.records[name] = record = _record(exercise)
        tries = session.of(Exercises).tries
        tries[name, record.about] = max(tries[name, record.about], record.n_tries)
        if exercise.outcome == "solved":
            progress.solve(name)
            if before and exercise == here.get(name):  # answered in this visit or not, as it was
                progress.solved[name].is_loaded = before.solved[name].is_loaded
        if record.about.text:
            st.session_state[text_key(slug)] = record.about.text
    session.of(Exercises).by_lesson[slug] = progress


def _put_texts(slug: str, done: LessonDone) -> None:
    """Put a lesson's evidence card and explanation into the session, and into their fields."""
    cards = session.of(evidence_card.Cards)
    cards.kept[slug], cards.explained[slug] = done.card, done.explained
    for name in evidence_card.NOTES:
        text = getattr(done.card, name) if done.card else ""
        st.session_state[evidence_card.note_key(slug, name)] = text
    st.session_state[evidence_card.explained_key(slug)] = done.explained


def _record(done: ExerciseDone) -> Record:
    return Record(
        about=About(seed=done.seed, model=done.model, text=done.text),
        answer=done.answer,
        n_tries=done.tries,
        n_hints=min(done.hints, N_HINTS),
        is_shown=done.outcome == "shown",
        is_loaded=True,
    )
