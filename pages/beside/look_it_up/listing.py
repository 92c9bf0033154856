"""A list of what the search leaves; each entry has its links below."""

from collections.abc import Callable

import streamlit as st

from pages.beside.look_it_up.entries import Entry, Place, matching
from pages.beside.look_it_up.find import KEY
from pages.server.frame.page_frame import Page
from pages.server.link import whole_page


def show_list(
    page: Page, name: str, entries: tuple[Entry, ...], in_words: Callable[[Entry], str]
) -> None:
    """Show how many entries the search leaves, and these."""
    words, asked = page.words, st.session_state.get(KEY) or ""
    st.markdown(words.section(f"{name}.lead"))
    opening = words.label("opening")
    found = matching(entries, asked, words.section("same_words"), opening=opening)
    st.caption(words.section("counted", shown=len(found), n=len(entries)))
    if not found:
        st.info(words.section("nothing", asked=asked[:60]), icon=":material/search_off:")
        st.button(
            words.label("clear"),
            key=f"{KEY}_clear",
            icon=":material/clear:",
            on_click=whole_page.choose,
            args=(KEY, ""),
        )
    with st.container(key=f"look_it_up_{name}_list", gap="medium"):
        for entry in found:
            with st.container(gap="xsmall"):
                st.markdown(in_words(entry))
                with st.container(horizontal=True, gap="small"):
                    for place in entry.places:
                        _link(place, opening)


def _link(place: Place, opening: str) -> None:
    st.page_link(
        place.lesson.file,
        label=place.title(opening),
        icon=place.lesson.icon,
        query_params=place.parameters,
    )
