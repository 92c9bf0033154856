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

NAMES = ("e", "wq", "wk", "wv")  # the link's parameters are attention_mask_e, ...


def edit_matrix(page: Page, name: str, rows: Sequence[str]) -> Matrix:
    """Show the table of one matrix; return what is in it and write that to the link."""
    key, label = f"attention_mask_{name}", page.words.plain(f"worked_{name}")
    if key not in st.session_state:
        st.session_state[key] = _from_link(page, key, label)
    matrix: Matrix = st.session_state[key]
    st.caption(page.words.label(f"worked_{name}"))

    def edit(numbers: list[list[float]]) -> None:
        st.session_state[key] = tuple(tuple(row) for row in numbers)
        st.session_state.pop(f"{key}_refused", None)

    number_grid(
        matrix,
        key=f"{key}_grid",
        label=label,
        rows=rows,
        columns=[str(i + 1) for i in range(SIZE)],
        largest=LARGEST_ENTRY,
        on_edit=edit,
    )
    if matrix == IDENTITY:
        st.query_params.pop(key, None)
    else:
        st.query_params[key] = write_matrix(matrix)
    return matrix


def show_refusals() -> None:
    """Tell what a link brought that could not be read, until the table is changed."""
    for name in NAMES:
        refused = st.session_state.get(f"attention_mask_{name}_refused")
        if refused:
            st.warning(refused, icon=":material/link_off:")


def start_over() -> None:
    """Put all tables back to the example's own numbers."""
    for name in NAMES:
        st.session_state[f"attention_mask_{name}"] = IDENTITY
        st.session_state.pop(f"attention_mask_{name}_refused", None)


def _from_link(page: Page, key: str, label: str) -> Matrix:
    asked = st.query_params.get(key)
    if asked is None:
        return IDENTITY
    try:
        return read_matrix(asked)
    except ValueError as error:
        st.session_state[f"{key}_refused"] = page.words.section(
            "worked.bad_link", what=label, reason=translated(str(error))
        )
        return IDENTITY
