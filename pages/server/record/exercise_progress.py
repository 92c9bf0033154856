"""How far a visitor is with a lesson's exercises, and the seed that their numbers come from.

Kept in the session only; session_record.py makes a file of it, for the learner to keep. A link
may bring the seed (seeds.py).
"""

from collections import Counter
from dataclasses import dataclass, field, replace

import streamlit as st

from mlm_core.exercises.by_lesson import exercises_of
from mlm_core.exercises.exercise import Exercise, Verdict
from pages.server import session
from pages.server.link import link_values, seeds

N_HINTS = 2  # in order, of every exercise; beside them are the hints for single mistakes


@dataclass(frozen=True, kw_only=True)
class About:
    """What a verdict depends on beside the answer; with another it is out of date."""

    seed: int
    model: str
    text: str  # the learner's own sentence, "" where the exercise asks about none


@dataclass
class Record:
    """What happened so far with one exercise."""

    about: About
    verdict: Verdict | None = None  # on the last answer
    answer: str = ""  # the last that could be read
    n_tries: int = 0  # wrong answers to this question in the visit
    n_hints: int = 0  # of the hints in order, how many were given
    is_shown: bool = False  # whether the answer was shown
    # From a file: not yet shown, so that its verdict is still to be found; or, of what is solved,
    # not answered in this visit, so that no receipt has it.
    is_loaded: bool = False

    @property
    def is_begun(self) -> bool:
        """Return whether there is anything to keep."""
        return bool(self.answer or self.n_hints or self.is_shown)

    def take(self, answer: str, verdict: Verdict) -> None:
        """Keep a verdict; a wrong answer without a hint of its own brings the next in order."""
        self.verdict, self.is_loaded = verdict, False
        if verdict.outcome != "unreadable":
            self.answer = answer
        if verdict.outcome == "wrong" and verdict.hint is None:
            self.n_hints = min(self.n_hints + 1, N_HINTS)

    def give_hint(self) -> None:
        """Show one hint more."""
        self.n_hints += 1

    def show_answer(self) -> None:
        """Give up: show the answer. It doesn't count as solved."""
        self.is_shown, self.verdict = True, None


@dataclass
class Progress:
    """What happened so far in one lesson, with one seed."""

    seed: int
    solved: dict[str, Record] = field(default_factory=dict)  # as they stood when it was
    records: dict[str, Record] = field(default_factory=dict)

    @property
    def is_begun(self) -> bool:
        """Return whether there is anything to keep: an answer, a hint, a solution shown."""
        return bool(self.solved) or any(record.is_begun for record in self.records.values())

    def record(self, exercise_id: str, about: About) -> Record:
        """Return an exercise's record, a new one if the last was about other numbers."""
        record = self.records.get(exercise_id)
        if record is None or record.about != about:
            record = self.records[exercise_id] = Record(about=about)
        return record

    def solve(self, exercise_id: str) -> None:
        """Keep how an exercise was solved, whatever is tried with it afterwards."""
        record = self.records[exercise_id]
        self.solved.setdefault(exercise_id, replace(record)).is_loaded = record.is_loaded


@dataclass
class Exercises:
    """The visitor's progress by lesson; none where nothing was done."""

    by_lesson: dict[str, Progress] = field(default_factory=dict)
    # Wrong answers by exercise and question; another model or sentence meanwhile forgets none.
    tries: Counter[tuple[str, About]] = field(default_factory=Counter)


def take(exercise_id: str, record: Record, answer: str, verdict: Verdict) -> None:
    """Keep a verdict and count the attempt, whatever other questions were asked meanwhile."""
    record.take(answer, verdict)
    tries = session.of(Exercises).tries
    tries[exercise_id, record.about] += verdict.outcome == "wrong"
    record.n_tries = tries[exercise_id, record.about]


def progress_in(slug: str) -> Progress | None:
    """Return the visitor's progress in a lesson, None where nothing was done."""
    return session.of(Exercises).by_lesson.get(slug)


def progress_of(slug: str, seed: int) -> Progress:
    """Return the visitor's progress in a lesson; another seed begins anew."""
    progress = progress_in(slug)
    if progress is None or progress.seed != seed:
        progress = session.of(Exercises).by_lesson[slug] = Progress(seed=seed)
    return progress


def seed_of_learner(slug: str) -> int:
    """Return the seed of the link if it has one, else this visitor's own, drawn once.

    All lessons share it until new numbers are asked for in one of them.
    """
    visit = session.of(seeds.Seeds)
    asked = st.query_params.get(seeds.IN_LINK)
    if asked is not None:
        number = seeds.number_of(asked)
        if number is not None:
            visit.exercises = number
            visit.of_lessons.pop(slug, None)
        else:
            link_values.say_impossible(seeds.IN_LINK, asked)
    if visit.exercises is None:
        visit.exercises = seeds.draw()
    return visit.of_lessons.get(slug, visit.exercises)


def new_numbers(slug: str) -> None:
    """Draw another seed for this lesson and begin its exercises anew."""
    session.of(seeds.Seeds).of_lessons[slug] = seeds.draw()
    st.query_params.pop(seeds.IN_LINK, None)
    start_over(slug)


def start_over(slug: str) -> None:
    """Begin the lesson's exercises anew, with the same numbers."""
    session.of(Exercises).by_lesson.pop(slug, None)
    for exercise in exercises_of(slug):
        for key in field_keys(slug, exercise):
            if key.endswith("_answer"):
                st.session_state[key] = None if exercise.kind == "choice" else ""
            elif key in st.session_state:
                st.session_state[key] = ""


def field_keys(slug: str, exercise: Exercise) -> tuple[str, ...]:
    """Return where the session has what stands in an exercise's fields."""
    key = f"{slug}_exercise_{exercise.id}"
    return tuple(f"{key}_{name}" for name in ("answer", "answer_1", "answer_2", "mask"))


def text_key(slug: str) -> str:
    """Return where the session has the learner's own sentence for a lesson's exercises."""
    return f"{slug}_exercise_text"
