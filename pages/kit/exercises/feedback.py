"""What an exercise says to an answer: right or wrong, hints one after another, the answer."""

from collections.abc import Mapping

from mlm_core.exercises.exercise import Exercise, Task
from pages.kit.exercises.answers import name_of
from pages.kit.part import Part
from pages.server.course.core_messages import translated
from pages.server.course.words import Words, read_words
from pages.server.record.exercise_progress import N_HINTS, Record


def show_feedback(p: Part, exercise: Exercise, task: Task, record: Record) -> None:
    """Show the verdict on the last answer, the hints so far and, when it is due, the answer."""
    words, verdict = read_words(f"exercises/{p.slug}"), record.verdict
    values = dict(verdict.values) if verdict else {}
    if verdict is not None and verdict.outcome == "right":
        explanation = section(words, exercise, task, "explanation", values)
        attempt = p.label("attempt", n=record.n_tries + 1)
        said = f"**{p.label('right')}** {explanation} {attempt}"
        p.write(said, box="done", icon="check_circle")
        return
    if verdict is not None and verdict.outcome == "unreadable":
        assert verdict.hint is not None
        p.note(verdict.hint, icon="edit", **values)
    elif verdict is not None and verdict.outcome == "wrong":
        text = _what_went_wrong(p, exercise, task, verdict.hint, values)
        p.write(f"**{p.label('wrong')}** {text}", box="error", icon="close")
    for i in range(1, record.n_hints + 1):
        p.write(section(words, exercise, task, f"hint_{i}"), box="note", icon="lightbulb")
    if record.is_shown:
        explanation = section(words, exercise, task, "explanation", values)
        answer = (
            p.section("shown_mask")
            if exercise.kind == "mask"
            else p.section("shown", answer=_named(p, exercise, task))
        )
        p.write(f"{answer} {explanation}", box="warning", icon="visibility")
        return
    with p.row("top"):
        if record.n_hints < N_HINTS:
            settings = {"label": "hint" if record.n_hints == 0 else "another_hint"}
            settings |= {"icon": "lightbulb", "type": "tertiary"}
            p.button(f"{name_of(exercise)}_hint", record.give_hint, **settings)
        if record.n_hints == N_HINTS and record.n_tries and task.answer is not None:
            settings = {"label": "show_answer", "icon": "visibility", "type": "tertiary"}
            gives_up = (_give_up, p, exercise, task, record)
            p.button(f"{name_of(exercise)}_show", *gives_up, **settings)


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
    p: Part, exercise: Exercise, task: Task, hint: str | None, values: Mapping[str, object]
) -> str:
    if hint is None:
        return ""
    return section(read_words(f"exercises/{p.slug}"), exercise, task, hint, values)


def _named(p: Part, exercise: Exercise, task: Task) -> str:
    """Return the right answer as a reader knows it."""
    assert task.answer is not None
    if exercise.kind == "choice":
        return p.label(f"{exercise.id}_{task.answer}")
    if exercise.kind == "pair":
        return task.answer.replace("\n", " / ")
    return task.answer


def _give_up(p: Part, exercise: Exercise, task: Task, record: Record) -> None:
    record.show_answer()
    if exercise.kind == "mask":
        p.state[f"{name_of(exercise)}_mask"] = task.answer
