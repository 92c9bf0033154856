"""One step of the plan: when it begins, where it leads, its minutes, its note, its buttons."""

from typing import Any

import streamlit as st

from pages.beside.teaching import plan_state
from pages.beside.teaching.lesson_plan import LONGEST_NOTE, MOST_MINUTES, MOST_STEPS, Plan
from pages.beside.teaching.places import place_of
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import scroll_into_view

MOVED_TO = "teaching_moved_to"  # session state: the position of the step that was moved last
MOVES = {"earlier": (-1, ":material/arrow_upward:"), "later": (1, ":material/arrow_downward:")}


def show_step(page: Page, plan: Plan, position: int) -> None:
    """Show a step in a frame of its own."""
    words, step, begins = page.words, plan.steps[position], plan.begins(position)
    with st.container(border=True, key=f"teaching_step_{position}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            when = words.label("when", start=begins, end=begins + step.minutes)
            st.markdown(f"**{position + 1}** · {when}", width="content")
            _link(page, step.link)
        _fields(page, plan, position)
        with st.container(horizontal=True, vertical_alignment="center"):
            for name, (by, icon) in MOVES.items():
                st.button(
                    words.label(f"step_{name}"),
                    on_click=_move,
                    args=(page, position, position + by),
                    disabled=not 0 <= position + by < len(plan.steps),
                    icon=icon,
                    type="tertiary",
                    key=f"teaching_{name}_{position}",
                )
            of = len(plan.steps)
            names = {str(at): words.label("step_at", n=at + 1, of=of) for at in range(of)}
            st.selectbox(
                words.label("step_position"),
                list(names),
                position,
                format_func=lambda at: names.get(at, at),  # a browser can send anything
                key=plan_state.field_key("position", position),
                on_change=_move_to_chosen,
                args=(page, position, plan_state.version()),
                label_visibility="collapsed",
                width=190,
            )
            st.button(
                words.label("step_remove"),
                on_click=_remove,
                args=(page, position),
                icon=":material/delete:",
                type="tertiary",
                key=f"teaching_remove_{position}",
            )
    if st.session_state.get(MOVED_TO) == position:
        del st.session_state[MOVED_TO]
        scroll_into_view(f"teaching_step_{position}")


def _move(page: Page, position: int, to: int) -> None:
    """Move a step, and let the page scroll to where it is now."""
    plan_state.change(page, lambda plan: plan.moved(position, to))
    st.session_state[MOVED_TO] = to


def _move_to_chosen(page: Page, position: int, of_version: int) -> None:
    to = st.session_state[plan_state.field_key("position", position)]
    if of_version == plan_state.version() and to in map(str, range(MOST_STEPS)):
        _move(page, position, int(to))  # in another version the step here is another one


def _remove(page: Page, position: int) -> None:
    plan_state.change(page, lambda plan: plan.without(position))


def _link(page: Page, link: str) -> None:
    """Show where the step leads; what is no page of this app is shown as it stands."""
    words = page.words
    if not link:
        st.markdown(words.label("no_view"), width="content")
        return
    place = place_of(link)
    if place is None:
        st.markdown(words.section("plan.nowhere", link=link[:80]))
        return
    st.page_link(place.file, label=place.title, icon=place.icon, query_params=place.parameters)


def _fields(page: Page, plan: Plan, position: int) -> None:
    """Show the minutes and the note; what is typed goes into the plan."""
    words, step = page.words, plan.steps[position]
    taken: dict[str, Any] = {
        "on_change": plan_state.take_fields,
        "args": (page, plan_state.version()),
    }
    left, right = st.columns([1, 4])
    left.number_input(
        words.label("minutes"),
        0,
        MOST_MINUTES,
        step.minutes,
        key=plan_state.field_key("minutes", position),
        **taken,
    )
    right.text_area(
        words.label("note"),
        step.note,
        height="content",
        max_chars=LONGEST_NOTE,
        key=plan_state.field_key("note", position),
        **taken,
    )
