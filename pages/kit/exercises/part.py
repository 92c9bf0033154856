"""The part "exercises" that ends every lesson: one exercise at a time, hints, progress.

A lesson adds it with the name "exercises" among its parts, a label "part_exercises", its exercises
in mlm_core/exercises/<lesson>.py and their words in exercises.md of the lesson.
"""

from contextlib import AbstractContextManager
from functools import partial

import streamlit as st

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
from pages.kit.exercises.answers import ask, fill_in
from pages.kit.exercises.feedback import section, show_feedback
from pages.server import session
from pages.server.caches import cache
from pages.server.course.language import FIRST, read_on, reader
from pages.server.course.words import Words, read_words
from pages.server.frame.landing import Arrived
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import go_to_opening, part, scroll_to_opening_if_asked
from pages.server.link import inputs, locks, whole_page
from pages.server.link.controls import OPENING, part_key
from pages.server.record import tab_memory
from pages.server.record.exercise_progress import (
    About,
    Progress,
    Record,
    new_numbers,
    progress_of,
    seed_of_learner,
    start_over,
    text_key,
)
from pages.server.record.session_record import OPEN_ON_HOME
from pages.server.room.telling import note_wrong, tell_progress

# Lessons that read German, too, but whose exercises use stored runs on English data.
ON_STORED_RUNS = ("classification",)
# Lessons whose exercises have no sentences, or those of the language that the lesson reads.
IN_ITS_LANGUAGE = ("encoders_today", "isotropy")


@part
def show(page: Page) -> None:
    """Show the lesson's exercises, one at a time, and what the answer was worth."""
    slug = page.lesson.slug
    frame, words = read_words("exercises"), read_words(f"exercises/{slug}")
    exercises = {exercise.id: exercise for exercise in exercises_of(slug)}
    seed = seed_of_learner(slug)
    progress = progress_of(slug, seed)
    _check_what_was_sent(page, exercises, progress)

    st.markdown(frame.section("lead"))
    if read_on(slug) != FIRST and slug not in IN_ITS_LANGUAGE:
        told = frame.section("in_english") + " "
        if slug in ON_STORED_RUNS:
            told += frame.section("stored_runs", model=BUNDLED)
        else:
            told += frame.section("same_model", model=page.model_name)
        st.caption(told)
    titles = {}
    for number, name in enumerate(exercises, 1):
        mark = ":material/check: " if name in progress.solved else f"{number}  "
        titles[name] = mark + words.label(name)
    which = f"{slug}_exercise_which"
    with st.container(key=f"{slug}_exercise_choice"):
        chosen = exercises[inputs.choice(frame.label("choose"), titles, key=which)]
    st.progress(
        len(progress.solved) / len(exercises),
        frame.label("progress", n=len(progress.solved), of=len(exercises)),
    )
    with st.container(border=True):
        _show_exercise(page, chosen, progress, words)
    tell_progress(slug)
    tab_memory.keep_of_part("exercises")
    names = list(exercises)
    for name in names[names.index(chosen.id) + 1 :][:1]:
        if chosen.id in progress.solved:
            st.button(
                frame.label("next", title=words.label(name)),
                # Streamlit forgets what a callback returns.
                on_click=inputs.choose,  # ty: ignore[invalid-argument-type]
                args=(which, name),
                icon=":material/arrow_forward:",
                key=f"{slug}_exercise_next",
            )
    _show_what_is_kept(slug, progress, frame)


def _show_what_is_kept(slug: str, progress: Progress, frame: Words) -> None:
    """Show the seed, how to begin anew, and, when there is something to lose, where to save it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(frame.section("seed", seed=progress.seed), width="content")
        for name, act, icon in (
            ("new_numbers", new_numbers, ":material/casino:"),
            ("start_over", start_over, ":material/restart_alt:"),
        ):
            st.button(
                frame.label(name),
                on_click=act,
                args=(slug,),
                icon=icon,
                type="tertiary",
                key=f"{slug}_exercise_{name}",
            )
    if progress.is_begun:
        st.page_link(
            "app.py",
            label=read_words("record").label("near"),
            icon=":material/bookmark:",
            query_params=OPEN_ON_HOME,
        )


def _learner(page: Page, exercise: Exercise, seed: int) -> Learner:
    text, model = "", _model_of(page)
    if exercise.uses_text:
        text = st.session_state.get(text_key(page.lesson.slug)) or ""
    return Learner(
        seed=seed,
        text=text[: inputs.LONGEST_TEXT],
        language=read_on(page.lesson.slug),
        tokenizer=partial(cache.model_tokenizer, model),
        model=partial(cache.model, model),
        remember=cache.remembered,
    )


def _model_of(page: Page) -> str:
    """Return the model that works with the exercises; stored English runs have their own."""
    slug, model = page.lesson.slug, page.model_name
    return BUNDLED if slug in ON_STORED_RUNS and model == reader(slug) else model


def _working() -> AbstractContextManager[None]:
    """Say, when it takes longer than a moment, that a model is at work, and how long so far."""
    return st.spinner(read_words("exercises").label("working"), show_time=True)


def _check_what_was_sent(page: Page, exercises: dict[str, Exercise], progress: Progress) -> None:
    """Check the answer that a button sent, before the page is drawn, so that the marks are new."""
    sent = st.session_state.pop(f"{page.lesson.slug}_exercise_sent", None)
    if sent is None or sent[0] not in exercises:
        return
    exercise, answer = exercises[sent[0]], sent[1]
    learner = _learner(page, exercise, progress.seed)
    try:
        with _working():
            task = exercise.draw(learner)
            verdict = check_answer(task, answer)
    except (NeedsTextError, NeedsModelError):
        return  # said where the exercise is shown
    record = progress.record(exercise.id, _about(page, learner))
    record.take(answer, verdict)
    if verdict.outcome == "right" and not record.is_shown:
        progress.solve(exercise.id)
    elif verdict.outcome == "wrong":
        note_wrong(page.lesson.slug, exercise.id, answer)


def _about(page: Page, learner: Learner) -> About:
    return About(seed=learner.seed, model=_model_of(page), text=learner.text)


def _show_exercise(page: Page, exercise: Exercise, progress: Progress, words: Words) -> None:
    frame, slug = read_words("exercises"), page.lesson.slug
    if exercise.uses_text:
        inputs.text(frame.label("text"), frame.label("default_text"), key=text_key(slug))
    learner = _learner(page, exercise, progress.seed)
    try:
        with _working():
            task = exercise.draw(learner)
    except NeedsTextError as error:
        st.info(frame.section("needs_text", n=error.args[0]), icon=":material/edit:")
        return
    except NeedsModelError as error:
        st.info(frame.section(str(error), model=_model_of(page)), icon=":material/info:")
        return
    record = progress.record(exercise.id, _about(page, learner))
    if record.is_loaded:
        _take_up_again(slug, exercise, task, record)
    st.markdown(section(words, exercise, task, "question"))
    _show_view(page, exercise)
    ask(slug, exercise, task, words)
    show_feedback(slug, exercise, task, record, words)


def _show_view(page: Page, exercise: Exercise) -> None:
    """Lead to the part of the lesson that shows what is asked, or to its opening."""
    slug, words = page.lesson.slug, read_words("frame")
    view = page.lesson.views.get(exercise.id)
    if view == OPENING:
        label, go, arguments = words.label("view_in_opening"), go_to_opening, ()
    elif view and not locks.is_fixed(part_key(slug)):
        label = words.label("view_in_part", title=page.words.label(f"part_{view}"))
        go, arguments = _go_to_part, (slug, view)
    else:
        return
    st.button(
        label,
        on_click=go,
        args=arguments,
        icon=":material/visibility:",
        type="tertiary",
        key=f"{slug}_exercise_{exercise.id}_view",
    )
    if view == OPENING:
        scroll_to_opening_if_asked(slug)


def _go_to_part(slug: str, part: str) -> None:
    whole_page.choose(part_key(slug), part)
    session.of(Arrived).looked_up = part_key(slug)


def _take_up_again(slug: str, exercise: Exercise, task: Task, record: Record) -> None:
    """Put the answer of a loaded record back into its fields, and check it anew.

    What it was worth is not in the file: the words of a verdict come from the check alone.
    """
    record.is_loaded = False
    drawn = record.is_shown and exercise.kind == "mask"
    fill_in(slug, exercise, task, (task.answer or "") if drawn else record.answer)
    if record.answer and not record.is_shown:
        with _working():
            record.verdict = check_answer(task, record.answer)
