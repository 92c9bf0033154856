"""The field that searches all lists, and which of them have what is searched."""

import streamlit as st

from mlm_core.number_format import formatted
from pages.beside.look_it_up.entries import matching, read_list
from pages.server.frame.page_frame import Page
from pages.server.frame.parts import part, titles_of_parts
from pages.server.link import inputs, whole_page
from pages.server.link.controls import part_key

KEY = "look_it_up_search"


@part
def show(page: Page) -> None:
    """Show the field; with a search, the lists that have entries, to go there."""
    words, titles = page.words, titles_of_parts(page)
    _take_older_link(list(titles))
    asked = inputs.text(
        words.label("search"),
        "",
        key=KEY,
        placeholder=words.plain("search_placeholder"),
        on_change=whole_page.want,
    )
    if not asked.strip():
        return
    with st.container(horizontal=True, gap="small", key="look_it_up_found"):
        for name, title in titles.items():
            found = matching(
                read_list(words, name),
                asked,
                words.section("same_words"),
                opening=words.label("opening"),
            )
            if found:
                st.button(
                    words.label("found", list=title, n=formatted(len(found), ",")),
                    on_click=whole_page.choose,
                    args=(part_key(page.lesson.slug), name),
                    icon=":material/arrow_forward:",
                    type="tertiary",
                    key=f"look_it_up_found_{name}",
                )


def _take_older_link(lists: list[str]) -> None:
    """Let a link of when each list had its own field fill this one."""
    for name in lists:
        asked = st.query_params.pop(f"look_it_up_{name}_filter", None)
        if asked and KEY not in st.query_params:
            inputs.choose(KEY, asked)
