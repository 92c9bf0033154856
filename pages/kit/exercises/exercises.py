"""The part "exercises" that ends every lesson: one exercise at a time, hints, progress.

A lesson adds it with the name "exercises" among its parts, `*exercises(...)` among its controls, a
label "part_exercises", its exercises in mlm_core/exercises/<lesson>.py and their words in
exercises.md of the lesson.
"""

from functools import partial

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.exercises.by_lesson import exercises_of
from mlm_core.exercises.exercise import (
    Exercise,
    Learner,
    NeedsModelError,
    NeedsTextError,
    Task,
    check_answer,
)
from pages.kit.exercises.answers import ask, fill_in, name_of
from pages.kit.exercises.feedback import section, show_feedback
from pages.kit.part import LONGEST_TEXT, Part, part
from pages.server.caches import cache
from pages.server.course.language import reader
from pages.server.course.lessons import HOME
from pages.server.course.words import printed_in, read_words
from pages.server.frame.parts import go_to_opening, scroll_to_opening_if_asked
from pages.server.link.controls import OPENING
from pages.server.record import tab_memory
from pages.server.record.exercise_progress import (
    About,
    Progress,
    Record,
    new_numbers,
    progress_of,
    seed_of_learner,
    take,
)
from pages.server.record.session_record import OPEN_ON_HOME
from pages.server.room.telling import note_wrong, tell_progress

# Lessons that read German, too, but whose exercises use stored runs on English data.
ON_STORED_RUNS = ("classification",)
# Lessons whose exercises have no sentences, or those of the language that the lesson reads.
IN_ITS_LANGUAGE = ("encoders_today", "isotropy")


@part()
def show(p: Part) -> None:
    """Show the lesson's exercises, one at a time, and what the answer was worth."""
    p = p.with_words("exercises", f"exercises/{p.slug}")
    exercises = {exercise.id: exercise for exercise in exercises_of(p.slug)}
    progress = progress_of(p.slug, seed_of_learner(p.slug))
    _check_what_was_sent(p, exercises, progress)

    p.say("lead")
    if not p.reads_first and p.slug not in IN_ITS_LANGUAGE:
        is_stored = p.slug in ON_STORED_RUNS
        name, model = ("stored_runs", BUNDLED) if is_stored else ("same_model", p.model_name)
        p.write_small(f"{p.section('in_english')} {p.section(name, model=model)}")
    titles = {}
    for number, name in enumerate(exercises, 1):
        mark = ":material/check: " if name in progress.solved else f"{number}  "
        titles[name] = mark + p.label(name)
    chosen = exercises[p.choice("exercise_which", titles)]
    n_solved = len(progress.solved)
    p.bar(n_solved / len(exercises), p.label("progress", n=n_solved, of=len(exercises)))
    with p.place(border=True):
        _show_exercise(p, chosen, progress)
    tell_progress(p.slug)
    tab_memory.keep_of_part("exercises")
    names = list(exercises)
    for name in names[names.index(chosen.id) + 1 :][:1]:
        if chosen.id in progress.solved:
            p.button(
                "exercise_next",
                p.choose,
                "exercise_which",
                name,
                icon="arrow_forward",
                label="next",
                about={"title": p.label(name)},
            )
    _show_what_is_kept(p, progress)


def _show_what_is_kept(p: Part, progress: Progress) -> None:
    """Show how to get other numbers; once something is done, where to save it, too."""
    settings = {"label": "new_numbers", "icon": "casino", "type": "tertiary"}
    p.button("exercise_new_numbers", new_numbers, p.slug, **settings)
    if progress.is_begun:
        near = p.with_words("record").label("near")
        p.link_to(HOME, "", near, icon="bookmark", view=OPEN_ON_HOME)


def _learner(p: Part, exercise: Exercise, seed: int) -> Learner:
    text = (p.state.get("exercise_text") or "") if exercise.uses_text else ""
    model = _model_of(p)
    return Learner(
        seed=seed,
        text=text[:LONGEST_TEXT],
        language=p.language,
        printed=printed_in(p.slug) if exercise.kind in ("text", "pair") else "",
        tokenizer=partial(cache.model_tokenizer, model),
        model=partial(cache.model, model),
        remember=cache.remembered,
    )


def _model_of(p: Part) -> str:
    """Return the model that works with the exercises; stored English runs have their own."""
    is_of_runs = p.slug in ON_STORED_RUNS and p.model_name == reader(p.slug)
    return BUNDLED if is_of_runs else p.model_name


def _check_what_was_sent(p: Part, exercises: dict[str, Exercise], progress: Progress) -> None:
    """Check the answer that a button sent, before the page is drawn, so that the marks are new."""
    sent = p.state.pop("exercise_sent", None)
    if sent is None or sent[0] not in exercises:
        return
    exercise, answer = exercises[sent[0]], sent[1]
    learner = _learner(p, exercise, progress.seed)
    try:
        with p.working("working"):
            task = exercise.draw(learner)
            verdict = check_answer(task, answer)
    except (NeedsTextError, NeedsModelError):
        return  # said where the exercise is shown
    record = progress.record(exercise.id, _about(p, learner))
    take(exercise.id, record, answer, verdict)
    if verdict.outcome == "right" and not record.is_shown:
        progress.solve(exercise.id)
    elif verdict.outcome == "wrong":
        note_wrong(p.slug, exercise.id, answer)


def _about(p: Part, learner: Learner) -> About:
    return About(seed=learner.seed, model=_model_of(p), text=learner.text)


def _show_exercise(p: Part, exercise: Exercise, progress: Progress) -> None:
    if exercise.uses_text:
        p.text("exercise_text", p.label("default_text"))
    learner = _learner(p, exercise, progress.seed)
    try:
        with p.working("working"):
            task = exercise.draw(learner)
    except NeedsTextError as error:
        p.note("needs_text", icon="edit", n=error.args[0])
        return
    except NeedsModelError as error:
        p.note(str(error), model=_model_of(p))
        return
    record = progress.record(exercise.id, _about(p, learner))
    if record.is_loaded:
        _take_up_again(p, exercise, task, record)
    p.write(section(read_words(f"exercises/{p.slug}"), exercise, task, "question"))
    _show_view(p, exercise)
    ask(p, exercise, task)
    show_feedback(p, exercise, task, record)


def _show_view(p: Part, exercise: Exercise) -> None:
    """Lead to the part of the lesson that shows what is asked, or to its opening."""
    view = p.page.lesson.views.get(exercise.id)
    if view == OPENING:
        label, go = p.label("view_in_opening"), go_to_opening
    elif view and not p.is_fixed("part"):
        label = p.label("view_in_part", title=p.label(f"part_{view}"))
        go = partial(p.go_to_part, view)
    else:
        return
    settings = {"label": label, "icon": "visibility", "type": "tertiary"}
    p.button(f"{name_of(exercise)}_view", go, **settings)
    if view == OPENING:
        scroll_to_opening_if_asked(p.slug)


def _take_up_again(p: Part, exercise: Exercise, task: Task, record: Record) -> None:
    """Put the answer of a loaded record back into its fields, and check it again.

    The file has no verdict: its words come from the check alone.
    """
    record.is_loaded = False
    drawn = record.is_shown and exercise.kind == "mask"
    fill_in(p, exercise, task, (task.answer or "") if drawn else record.answer)
    if record.answer and not record.is_shown:
        with p.working("working"):
            record.verdict = check_answer(task, record.answer)
