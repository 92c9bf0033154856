"""The five matrices of the worked example, and the cell whose arithmetic is written out."""

import streamlit as st

from mlm_core.encoder.attention import AttentionSteps
from mlm_core.figures.encoder import worked_example as example
from pages.shared import inputs
from pages.shared.clickable import drawing
from pages.shared.frame import Page
from pages.shared.show import keep
from pages.shared.table import Table

STEP, ROW, COLUMN = (f"attention_mask_worked_{name}" for name in ("step", "row", "column"))


def choose_cell(page: Page, names: list[str]) -> example.Cell:
    """Show the widgets that choose a cell; return it."""
    words = page.words
    with st.container(horizontal=True):
        titles = {step: words.label(f"worked_{step}") for step in example.STEPS}
        step = inputs.choice(words.label("worked_step"), titles, key=STEP, default="weights")
        rows = {str(i): name for i, name in enumerate(names)}
        row = inputs.choice(words.label("worked_row"), rows, key=ROW, default="1")
        columns = {i: str(int(i) + 1) for i in rows} if step == "output" else rows
        column = inputs.choice(words.label("worked_column"), columns, key=COLUMN, default="1")
    return example.Cell(step=step, row=int(row), column=int(column))


def draw_chain(
    page: Page,
    steps: AttentionSteps,
    names: list[str],
    cell: example.Cell,
    scale: str,
    source: str,
) -> None:
    """Draw the five matrices; a click on a cell chooses it."""
    words = page.words
    matrices = {step: getattr(steps, step).tolist() for step in example.STEPS}
    titles = {step: words.label(f"worked_{step}") for step in example.STEPS}
    if scale == "off":
        titles["scaled_scores"] = words.label("worked_scaled_scores_off")

    def choose(value: str) -> None:
        clicked = example.clicked_cell(value)
        for key, name in ((STEP, clicked.step), (ROW, clicked.row), (COLUMN, clicked.column)):
            inputs.choose(key, str(name))

    html = example.chain_html(
        steps, names, titles=titles, selected=cell, alt=words.plain("worked_alt")
    )
    drawing(html, key="attention_mask_worked", on_click=choose)
    table = Table(
        [
            {"matrix": step, "row": names[i], "column": j + 1, "value": value}
            for step, values in matrices.items()
            for i, row in enumerate(values)
            for j, value in enumerate(row)
        ]
    )
    keep("attention_mask_worked", table=table, source=source, svg=example.one_picture(html))
