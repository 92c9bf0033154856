"""A list with a field that filters it; each entry has its links below."""

from collections.abc import Callable

import streamlit as st

from pages.parts.look_it_up.entries import Entry, Place, matching
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs


def show_list(
    page: Page, name: str, entries: tuple[Entry, ...], in_words: Callable[[Entry], str]
) -> None:
    """Show the filter, how many entries it leaves, and these."""
    words = page.words
    st.markdown(words.section(f"{name}.lead"))
    key = f"look_it_up_{name}_filter"
    asked = inputs.text(
        words.label(f"{name}_filter"),
        "",
        key=key,
        placeholder=words.plain(f"{name}_placeholder"),
    )
    opening = words.label("opening")
    found = matching(entries, asked, words.section("same_words"), opening=opening)
    st.caption(words.section("counted", shown=len(found), n=len(entries)))
    if not found:
        st.info(words.section("nothing", asked=asked[:60]), icon=":material/search_off:")
        st.button(
            words.label("clear"),
            key=f"{key}_clear",
            icon=":material/clear:",
            # Streamlit forgets what a callback returns.
            on_click=inputs.choose,  # ty: ignore[invalid-argument-type]
            args=(key, ""),
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
