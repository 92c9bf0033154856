"""What an exercise says to an answer: right or wrong, hints one after another, the answer."""

from collections.abc import Mapping

import streamlit as st

from mlm_core.exercises.exercise import Exercise, Task
from pages.server.course.core_messages import translated
from pages.server.course.words import Words, read_words
from pages.server.record.exercise_progress import N_HINTS, Record


def show_feedback(slug: str, exercise: Exercise, task: Task, record: Record, words: Words) -> None:
    """Show the verdict on the last answer, the hints so far and, when it is due, the answer."""
    frame, verdict = read_words("exercises"), record.verdict
    values = dict(verdict.values) if verdict else {}
    if verdict is not None and verdict.outcome == "right":
        explanation = section(words, exercise, task, "explanation", values)
        st.success(f"**{frame.label('right')}** {explanation}", icon=":material/check_circle:")
        return
    if verdict is not None and verdict.outcome == "unreadable":
        assert verdict.hint is not None
        st.info(frame.section(verdict.hint), icon=":material/edit:")
    elif verdict is not None and verdict.outcome == "wrong":
        text = _what_went_wrong(exercise, task, verdict.hint, values, words)
        st.error(f"**{frame.label('wrong')}** {text}", icon=":material/close:")
    for i in range(1, record.n_hints + 1):
        hint = section(words, exercise, task, f"hint_{i}")
        st.info(hint, icon=":material/lightbulb:")
    if record.is_shown:
        explanation = section(words, exercise, task, "explanation", values)
        answer = (
            frame.section("shown_mask")
            if exercise.kind == "mask"
            else frame.section("shown", answer=_named(exercise, task, words))
        )
        st.warning(f"{answer} {explanation}", icon=":material/visibility:")
        return
    with st.container(horizontal=True):
        if record.n_hints < N_HINTS:
            st.button(
                frame.label("hint" if record.n_hints == 0 else "another_hint"),
                on_click=record.give_hint,
                icon=":material/lightbulb:",
                type="tertiary",
                key=f"{slug}_exercise_{exercise.id}_hint",
            )
        may_see = record.n_hints == N_HINTS or exercise.kind == "guess"
        if may_see and record.n_tries and task.answer is not None:
            st.button(
                frame.label("show_answer"),
                on_click=_give_up,
                args=(slug, exercise, task, record),
                icon=":material/visibility:",
                type="tertiary",
                key=f"{slug}_exercise_{exercise.id}_show",
            )


def section(
    words: Words,
    exercise: Exercise,
    task: Task,
    name: str,
    values: Mapping[str, object] | None = None,
) -> str:
    """Return a section of the exercise: that of the task's variant if it has one of its own.

    Sentences of the core among the values are said in the reader's language.
    """
    filled = {name: _said(value) for name, value in {**task.values, **(values or {})}.items()}
    if task.variant is not None:
        try:
            return words.section(f"{exercise.id}.{task.variant}.{name}", **filled)
        except KeyError:
            pass
    return words.section(f"{exercise.id}.{name}", **filled)


def _said(value: object) -> object:
    if isinstance(value, tuple):
        return "; ".join(map(translated, value))
    return translated(value) if isinstance(value, str) else value


def _what_went_wrong(
    exercise: Exercise, task: Task, hint: str | None, values: Mapping[str, object], words: Words
) -> str:
    if hint is None:
        return ""
    if hint in ("too_high", "too_low"):
        return read_words("exercises").section(hint)
    return section(words, exercise, task, hint, values)


def _named(exercise: Exercise, task: Task, words: Words) -> str:
    """Return the right answer as a reader knows it."""
    assert task.answer is not None
    if exercise.kind == "choice":
        return words.label(f"{exercise.id}_{task.answer}")
    if exercise.kind == "pair":
        return task.answer.replace("\n", " / ")
    return task.answer


def _give_up(slug: str, exercise: Exercise, task: Task, record: Record) -> None:
    record.show_answer()
    if exercise.kind == "mask":
        st.session_state[f"{slug}_exercise_{exercise.id}_mask"] = task.answer
