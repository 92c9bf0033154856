"""The texts behind a confusion matrix: all mistakes, or those of one cell, surest first."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import inputs
from pages.shared.frame import Page
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.classification.errors import Judged


def show_list(
    page: Page,
    judged: "Sequence[Judged]",
    classes: tuple[str, ...],
    counts: Sequence[Sequence[int]],
    key: str,
    all_errors: str,
) -> None:
    """Let the learner choose a cell, or all mistakes, and list its texts."""
    from mlm_core.classification.errors import surest_first

    words = page.words
    wrong = [one for one in judged if not one.is_right]
    names = {all_errors: words.plain("errors_listed_errors", n=len(wrong))}
    for i, label in enumerate(classes):
        for j, said in enumerate(classes):
            kind = "errors_listed_right" if i == j else "errors_listed_wrong"
            names[f"{i},{j}"] = words.plain(kind, label=label, said=said, n=counts[i][j])
    cell = inputs.listed(words.label("errors_listed"), names, key=key)
    if cell == all_errors:
        shown = wrong
    else:
        label, said = (classes[int(k)] for k in cell.split(","))
        shown = [one for one in judged if (one.example.label, one.predicted) == (label, said)]
    if not shown:
        st.info(words.section("errors.empty"), icon=":material/info:")
        return
    shown = surest_first(shown)
    _table(page, shown, digits=3).show()
    st.download_button(
        words.label("errors_save"),
        lambda: _table(page, shown, digits=9).csv(),
        file_name="errors.csv",
        mime="text/csv",
        key="classification_errors_csv",
        on_click="ignore",
        icon=":material/download:",
    )


def _table(page: Page, judged: "Sequence[Judged]", *, digits: int) -> Table:
    words, rows = page.words, []
    for one in judged:
        row = {words.plain("errors_text"): one.example.text}
        if one.example.pair is not None:
            row[words.plain("errors_second_text")] = one.example.pair
        row |= {
            words.plain("errors_true_class"): one.example.label,
            words.plain("errors_said"): one.predicted,
            words.plain("errors_p_said"): round(one.p_predicted, digits),
            words.plain("errors_p_true"): round(one.p_label, digits),
        }
        rows.append(row)
    return Table(rows)
