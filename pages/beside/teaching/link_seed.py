"""Whose numbers: each learner's own, one number for all, or nothing said."""

from dataclasses import replace

import streamlit as st

from pages.beside.teaching.view import View
from pages.server.frame.page_frame import Page
from pages.server.link.controls import controls_of
from pages.server.link.seeds import OWN_IN_LINK, number_of

KINDS = ("none", "same", "own")
USUAL, LARGEST = 4711, 999_999_999


def ask_seed(page: Page, view: View) -> View:
    """Show the choice; return the view with it."""
    words, given = page.words, number_of(view.seed)
    start = "own" if view.seed == OWN_IN_LINK else "none" if given is None else "same"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.segmented_control(
            words.label("seed"),
            KINDS,
            default=start,
            format_func=lambda name: words.label(f"seed_{name}"),
            required=True,
            # Another link begins with what it says itself.
            key=f"teaching_seed_{start}",
            wrap=True,
        )
        number = USUAL if given is None else given
        if kind == "same":
            number = st.number_input(
                words.label("seed_number"),
                0,
                LARGEST,
                number,
                key=f"teaching_seed_number_{number}",
                width=160,
            )
    st.caption(words.section(f"seed.{kind}"))
    if kind != "own":
        return replace(view, seed=str(number) if kind == "same" else "")
    # A number in the link would be the same for all.
    drawn = {key for key, control in controls_of(view.lesson.slug).items() if control.is_seed}
    kept = {key: values for key, values in view.parameters.items() if key not in drawn}
    return replace(view, seed=OWN_IN_LINK, parameters=kept)
