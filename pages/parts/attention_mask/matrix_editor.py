"""A table of nine numbers to type into, which the link carries as well."""

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from mlm_core.figures.worked_example import (
    IDENTITY,
    LARGEST_ENTRY,
    SIZE,
    Matrix,
    read_matrix,
    write_matrix,
)
from pages.shared.frame import Page

NAMES = ("e", "wq", "wk", "wv")  # the link's parameters are attention_mask_e, ...
VERSION = "attention_mask_worked_version"  # a new one makes new tables, with nothing typed in


def edit_matrix(page: Page, name: str, rows: Sequence[str]) -> Matrix:
    """Show the table of one matrix; return what is in it and write that to the link."""
    key, label = f"attention_mask_{name}", page.words.label(f"worked_{name}")
    editor = f"{key}_editor_{st.session_state.get(VERSION, 0)}"
    if editor not in st.session_state:
        st.session_state[f"{key}_start"] = _from_link(page, key, label)
    start = st.session_state[f"{key}_start"]
    refused = f"{key}_refused"
    st.caption(label)
    edited = st.data_editor(
        pd.DataFrame(start, index=list(rows), columns=[str(i + 1) for i in range(SIZE)]),
        key=editor,
        column_config={
            str(i + 1): st.column_config.NumberColumn(
                min_value=-LARGEST_ENTRY, max_value=LARGEST_ENTRY, format="plain"
            )
            for i in range(SIZE)
        },
        num_rows="fixed",
        on_change=lambda: st.session_state.pop(refused, None),
        alt=label,
    )
    matrix = tuple(tuple(_entry(entry) for entry in row) for row in edited.to_numpy())
    _write_to_link(key, matrix)
    return matrix


def show_refusals() -> None:
    """Tell what a link brought that could not be read, until the table is changed."""
    for name in NAMES:
        refused = st.session_state.get(f"attention_mask_{name}_refused")
        if refused:
            st.warning(refused, icon=":material/link_off:")


def start_over() -> None:
    """Put all tables back to the example's own numbers."""
    st.session_state[VERSION] = st.session_state.get(VERSION, 0) + 1
    for name in NAMES:
        st.session_state.pop(f"attention_mask_{name}_refused", None)
        st.query_params.pop(f"attention_mask_{name}", None)


def _from_link(page: Page, key: str, label: str) -> Matrix:
    asked = st.query_params.get(key)
    if asked is None:
        return IDENTITY
    try:
        return read_matrix(asked)
    except ValueError as error:
        st.session_state[f"{key}_refused"] = page.words.section(
            "worked.bad_link", what=label, reason=str(error)
        )
        return IDENTITY


def _entry(value: float | None) -> float:
    """Return a cell's number; an emptied cell counts as 0."""
    number = float(value) if value is not None else 0.0
    return 0.0 if math.isnan(number) else max(-LARGEST_ENTRY, min(LARGEST_ENTRY, number))


def _write_to_link(key: str, matrix: Matrix) -> None:
    if matrix == IDENTITY:
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != write_matrix(matrix):
        st.query_params[key] = write_matrix(matrix)
