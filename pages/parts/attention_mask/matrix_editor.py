"""A table of nine numbers to type into, which the link carries as well."""

from collections.abc import Sequence

import streamlit as st

from mlm_core.figures.encoder.worked_example import (
    IDENTITY,
    LARGEST_ENTRY,
    SIZE,
    Matrix,
    read_matrix,
    write_matrix,
)
from pages.parts.attention_mask.number_grid import number_grid
from pages.shared.course.core_messages import translated
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs, locks

NAMES = ("e", "wq", "wk", "wv")
KEYS = tuple(f"attention_mask_{name}" for name in NAMES)  # also in the link


def edit_matrix(page: Page, name: str, rows: Sequence[str]) -> Matrix:
    """Show the table of one matrix; return what is in it and write that to the link."""
    key, usual = f"attention_mask_{name}", write_matrix(IDENTITY)
    title, label = page.words.label(f"worked_{name}"), page.words.plain(f"worked_{name}")
    matrix = _read(page, key, inputs.drawn(title, usual, key=key) or usual, label)
    inputs.keep(key, write_matrix(matrix), usual)
    if locks.is_hidden(key):
        return matrix

    def edit(numbers: list[list[float]]) -> None:
        if inputs.choose(key, write_matrix(tuple(tuple(row) for row in numbers))):
            st.session_state.pop(f"{key}_refused", None)

    if not locks.is_fixed(key):
        st.caption(title)
    number_grid(
        matrix,
        key=f"{key}_grid",
        label=label,
        rows=rows,
        columns=[str(i + 1) for i in range(SIZE)],
        largest=LARGEST_ENTRY,
        on_edit=edit,
        disabled=locks.is_fixed(key),
    )
    return matrix


def show_refusals() -> None:
    """Tell what a link brought that could not be read, until the table is changed."""
    for key in KEYS:
        refused = st.session_state.get(f"{key}_refused")
        if refused:
            st.warning(refused, icon=":material/link_off:")


def start_over() -> None:
    """Put all tables back to the example's own numbers."""
    for key in KEYS:
        inputs.choose(key, write_matrix(IDENTITY))
        st.session_state.pop(f"{key}_refused", None)


def _read(page: Page, key: str, asked: str, label: str) -> Matrix:
    try:
        return read_matrix(asked)
    except ValueError as error:
        st.session_state[f"{key}_refused"] = page.words.section(
            "worked.bad_link", what=label, reason=translated(str(error))
        )
        return IDENTITY
