"""A lesson plan: steps with minutes and notes, to be changed, saved, loaded and printed."""

from functools import partial

import streamlit as st

from pages.beside.teaching import plan_memory, plan_state
from pages.beside.teaching.lesson_plan import LONGEST_TITLE, MOST_STEPS, Plan, Step
from pages.beside.teaching.places import SLUG_OF, place_of
from pages.beside.teaching.plan_file import show_file
from pages.beside.teaching.plan_step import show_step
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part
from pages.server.room import plan_run, teacher_bar
from pages.server.room.plan_run import Stop


@part
def show(page: Page) -> None:
    """Show the plan step by step, with what can be done to it."""
    words = page.words
    plan_memory.keep(page)
    st.markdown(words.section("plan.lead"))
    _examples(page)
    plan = plan_state.current(page)
    _title(page, plan)
    with st.container(horizontal=True, vertical_alignment="center"):
        total = words.section("plan.total", minutes=plan.minutes, n=len(plan.steps))
        st.markdown(total, width="content")
        if plan.steps and st.button(
            words.label("start_class"),
            icon=":material/play_arrow:",
            type="primary",
            key="teaching_start_class",
        ):
            _run(page, plan)
    for position in range(len(plan.steps)):
        show_step(page, plan, position)
    if not plan.steps:
        st.info(words.section("plan.empty"), icon=":material/playlist_add:")
    with st.container(horizontal=True):
        st.button(
            words.label("add_talk"),
            on_click=_add_talk,
            args=(page,),
            disabled=len(plan.steps) >= MOST_STEPS,
            icon=":material/add:",
            key="teaching_add_talk",
        )
        st.button(
            words.label("undo"),
            on_click=plan_state.undo,
            args=(page,),
            disabled=not plan_state.can_undo(),
            icon=":material/undo:",
            key="teaching_undo",
        )
    st.caption(words.section("plan.add"))
    show_file(page, plan)


def _run(page: Page, plan: Plan) -> None:
    """Begin to lead the class through the plan, at its first step."""
    stops = []
    for step in plan.steps:
        place = place_of(step.link) if step.link else None
        stops.append(
            Stop(
                title=place.title if place else page.words.label("no_view"),
                minutes=step.minutes,
                note=step.note,
                file=place.file if place else "",
                slug=SLUG_OF[place.file] if place else "",
                parameters=place.parameters if place else {},
            )
        )
    plan_run.start(stops)
    teacher_bar.go_to(stops[0], page.lesson.slug)
    st.rerun()  # a step without a view leads nowhere: the bar says it


def _add_talk(page: Page) -> None:
    plan_state.change(page, lambda plan: plan.with_step(Step()))


def _examples(page: Page) -> None:
    """Show the plans that are ready, and an empty one; each can be undone."""
    words = page.words
    plans = {name: plan_state.example(page, name) for name in plan_state.EXAMPLES}
    with st.container(horizontal=True):
        for name, plan in (plans | {"empty": Plan()}).items():
            st.button(
                words.label(f"start_{name}"),
                on_click=plan_state.change,
                args=(page, partial(_take, plan)),
                icon=":material/note_add:" if name == "empty" else ":material/schedule:",
                key=f"teaching_start_{name}",
            )


def _take(new: Plan, before: Plan) -> Plan:
    return new


def _title(page: Page, plan: Plan) -> None:
    st.text_input(
        page.words.label("plan_title"),
        plan.title,
        key=plan_state.field_key(plan_state.TITLE),
        max_chars=LONGEST_TITLE,
        on_change=plan_state.take_fields,
        args=(page, plan_state.version()),
        autocomplete="off",
    )
