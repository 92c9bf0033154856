"""Causal and masked language models side by side, property by property."""

import streamlit as st

from pages.shared.course.lessons import BY_SLUG
from pages.shared.frame.overview import numbered_title
from pages.shared.kit.part import Part, part
from pages.shared.link import whole_page
from pages.shared.link.controls import part_key

# The parts of this lesson in which a row of the table can be tried.
TRY_IN = ("flow", "cost")


@part()
def show(p: Part) -> None:
    """Show the table, with the way to the views where its rows can be tried."""
    p.say("lead")
    p.say("table")
    with st.container(horizontal=True):
        for name in TRY_IN:
            st.button(
                p.label(f"part_{name}"),
                on_click=whole_page.choose,
                args=(p.key("part"), name),
                key=p.key(f"try_{name}"),
            )
    p.say("notice")
    other = BY_SLUG["prediction_and_loss"]
    # With the model in the link the other lesson opens with the same one.
    model = {"model": st.query_params["model"]} if "model" in st.query_params else {}
    st.page_link(
        other.file,
        label=p.label("left_to_right", lesson=numbered_title(other)),
        icon=other.icon,
        query_params={part_key(other.slug): "causal"} | model,
    )
