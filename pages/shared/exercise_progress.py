"""How far a visitor is with a lesson's exercises, and the seed that their numbers come from.

Kept in the session only. A link may bring the seed (`seed=4711`).
"""

import secrets
from dataclasses import dataclass, field

import streamlit as st

from mlm_core.exercises.by_lesson import exercises_of
from mlm_core.exercises.exercise import Verdict
from pages.shared.words import read_words

SEED = "exercise_seed"
SEED_IN_LINK = "seed"
MOST_DIGITS = 9
N_HINTS = 2  # in order, of every exercise; beside them are the hints for single mistakes


@dataclass
class Record:
    """What happened so far with one exercise."""

    about: tuple[object, ...]  # what the verdict depends on beside the answer
    verdict: Verdict | None = None  # on the last answer
    n_tries: int = 0
    n_hints: int = 0  # of the hints in order, how many were given
    is_shown: bool = False  # whether the answer was shown

    def take(self, verdict: Verdict) -> None:
        """Keep a verdict; a wrong answer without a hint of its own brings the next in order."""
        self.verdict = verdict
        if verdict.outcome == "wrong":
            self.n_tries += 1
            if verdict.hint in (None, "too_high", "too_low"):
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
    solved: set[str] = field(default_factory=set)
    records: dict[str, Record] = field(default_factory=dict)

    def record(self, exercise_id: str, about: tuple[object, ...]) -> Record:
        """Return an exercise's record, a new one if the last was about other numbers."""
        record = self.records.get(exercise_id)
        if record is None or record.about != about:
            record = self.records[exercise_id] = Record(about=about)
        return record


def progress_of(slug: str, seed: int) -> Progress:
    """Return the visitor's progress in a lesson; another seed begins anew."""
    key = _progress_key(slug)
    progress = st.session_state.get(key)
    if progress is None or progress.seed != seed:
        progress = st.session_state[key] = Progress(seed=seed)
    return progress


def seed_of_learner(slug: str) -> int:
    """Return the seed of the link if it has one, else this visitor's own, drawn once.

    All lessons share it until new numbers are asked for in one of them.
    """
    own = _seed_key(slug)
    asked = st.query_params.get(SEED_IN_LINK)
    if asked is not None:
        if asked.isascii() and asked.isdigit() and len(asked) <= MOST_DIGITS:
            st.session_state[SEED] = int(asked)
            st.session_state.pop(own, None)
        else:
            message = read_words("frame").section(
                "bad_parameter", key=SEED_IN_LINK, value=asked[:40]
            )
            st.toast(message, icon=":material/link_off:")
    if SEED not in st.session_state:
        st.session_state[SEED] = _draw_seed()
    return st.session_state.get(own, st.session_state[SEED])


def new_numbers(slug: str) -> None:
    """Draw another seed for this lesson and begin its exercises anew."""
    st.session_state[_seed_key(slug)] = _draw_seed()
    st.query_params.pop(SEED_IN_LINK, None)
    start_over(slug)


def start_over(slug: str) -> None:
    """Begin the lesson's exercises anew, with the same numbers."""
    st.session_state.pop(_progress_key(slug), None)
    for exercise in exercises_of(slug):
        key = f"{slug}_exercise_{exercise.id}"
        st.session_state[f"{key}_answer"] = None if exercise.kind == "choice" else ""
        for name in ("answer_1", "answer_2", "mask"):
            if f"{key}_{name}" in st.session_state:
                st.session_state[f"{key}_{name}"] = ""


def _progress_key(slug: str) -> str:
    return f"{slug}_exercise_progress"


def _seed_key(slug: str) -> str:
    return f"{slug}_exercise_seed"


def _draw_seed() -> int:
    return 1000 + secrets.randbelow(9000)
