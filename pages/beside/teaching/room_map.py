"""The class's map, from the desk: for which word and senses it begins, and what came in."""

from urllib.parse import urlencode

import streamlit as st

from pages.server.classroom.desk import Desk
from pages.server.classroom.rooms import MAP, Sent
from pages.server.classroom.store import StoreGoneError
from pages.server.course.lessons import BY_SLUG
from pages.server.course.words import Words, read_words
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part
from pages.server.link.controls import PRESENTS, part_key
from pages.server.room import class_map, collecting, desk, votes
from pages.server.room.class_map import BETWEEN, LONGEST_WORD, MOST_SENSES

LESSON = BY_SLUG["word_senses"]
VIEW = {part_key(LESSON.slug): "class_map"}
WORD, SENSES = "teaching_room_map_word", "teaching_room_map_sense"
REFUSED = "teaching_room_map_refused"  # session state


@part
def show(page: Page) -> None:
    """Let the teacher begin a map, and lead to it once there is one."""
    words, mine = read_words("room"), desk.current()
    if mine is None:
        return
    try:
        found = class_map.look()
    except StoreGoneError:
        return  # the desk below says so
    if found is None:
        st.markdown(words.section("map_lead"))
        _ask(words, mine)
        return
    asked = found.asked
    st.markdown(words.section("map_of", word=asked.word, senses=", ".join(asked.senses)))
    with st.container(horizontal=True, vertical_alignment="center"):
        show_way(words)
        collecting.show_switch(words, mine, MAP)
        with st.popover(words.label("another_map"), icon=":material/restart_alt:"):
            st.markdown(words.section("another_map"))
            _ask(words, mine)


def show_way(words: Words) -> None:
    """Lead to the map as a projector shows it."""
    st.page_link(
        LESSON.file,
        label=words.label("to_map"),
        icon=":material/co_present:",
        query_params=VIEW | {PRESENTS: "1"},
    )


def show_queue(words: Words, mine: Desk) -> None:
    """Show what waits, and what is on the map."""
    collecting.show_queue(words, mine, MAP, _text, accept="take")


def _text(one: Sent) -> str:
    return f"{one.said['sense']}: {one.said['sentence']}"


def _ask(words: Words, mine: Desk) -> None:
    """Ask for a word and its senses."""
    with st.form("teaching_room_map", border=False):
        st.text_input(words.label("map_word"), key=WORD, max_chars=LONGEST_WORD, autocomplete="off")
        columns = st.columns(MOST_SENSES)
        for number, column in enumerate(columns, start=1):
            column.text_input(
                words.label("map_sense", n=number),
                key=f"{SENSES}_{number}",
                max_chars=MAP.fields["sense"],
                autocomplete="off",
            )
        if st.session_state.pop(REFUSED, False):
            st.warning(words.section("map_refused"), icon=":material/abc:")
        st.form_submit_button(
            words.label("begin_map"),
            on_click=_begin,
            args=(mine,),
            type="primary",
            key="teaching_room_map_begin",
        )


def _begin(mine: Desk) -> None:
    typed = [WORD, *(f"{SENSES}_{number}" for number in range(1, MOST_SENSES + 1))]
    texts = [str(st.session_state.get(key) or "").replace(BETWEEN, " ") for key in typed]
    asked = class_map.read_theme(BETWEEN.join(texts))
    if asked is None:
        st.session_state[REFUSED] = True
        return
    votes.act(class_map.begin, mine, asked, f"{LESSON.slug}?{urlencode(VIEW)}")
