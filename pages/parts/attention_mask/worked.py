"""The three-word example: every number can be changed, every cell's arithmetic is written out."""

import streamlit as st

from mlm_core.encoder.attention import AttentionSteps, attend, bidirectional_mask, causal_mask
from mlm_core.figures.encoder import worked_example as example
from pages.parts.attention_mask.matrix_editor import KEYS, edit_matrix, show_refusals, start_over
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

PROJECTIONS = (("query", "wq"), ("key", "wk"), ("value", "wv"))
STEP, ROW, COLUMN = (f"attention_mask_worked_{name}" for name in ("step", "row", "column"))


@part
def show(page: Page) -> None:
    """Let the learner edit the example and read any cell's arithmetic."""
    words = page.words
    st.markdown(words.section("worked.lead"))
    names = words.label("worked_words").split()
    table, settings = st.columns(2, gap="large")
    with table:
        embeddings = edit_matrix(page, "e", names)
    with settings:
        masks = {kind: words.label(f"mask_{kind}") for kind in ("causal", "bidirectional")}
        mask = inputs.choice(
            words.label("worked_mask"),
            masks,
            key="attention_mask_worked_mask",
            default="bidirectional",
        )
        scales = {state: words.label(f"worked_scale_{state}") for state in ("on", "off")}
        scale = inputs.choice(
            words.label("worked_scale"), scales, key="attention_mask_worked_scale"
        )
        inputs.button(
            words.label("worked_reset"),
            changes=KEYS,
            on_click=start_over,
            icon=":material/restart_alt:",
            key="attention_mask_worked_reset",
        )
    projections = {}
    with st.expander(words.label("worked_projections"), icon=":material/tune:"):
        for column, (name, key) in zip(st.columns(3), PROJECTIONS, strict=True):
            with column:
                projections[name] = edit_matrix(page, key, ["1", "2", "3"])
    show_refusals()
    chosen = {"causal": mask == "causal", "divide_by_root": scale == "on"}
    steps = _compute(embeddings, projections, **chosen)
    cell = _choose_cell(page, names)
    source = words.label("worked_source", mask=masks[mask], scale=scales[scale])
    _draw_chain(page, steps, names, cell, scale, source)
    for line in example.arithmetic(
        steps, embeddings, projections, cell=cell, divide_by_root=scale == "on"
    ):
        st.latex(line, width="content")
    st.markdown(words.section("worked.notice"))
    with st.expander(words.label("worked_numpy"), icon=":material/content_copy:"):
        st.markdown(words.section("worked.numpy"))
        st.code(example.numpy_script(embeddings, projections, **chosen), language="python")
    show_source(attend, causal_mask, key="attention_mask_worked_code")


def _compute(
    embeddings: example.Matrix,
    projections: dict[str, example.Matrix],
    *,
    causal: bool,
    divide_by_root: bool,
) -> AttentionSteps:
    import torch

    words = torch.tensor(embeddings, dtype=torch.float64)
    query, key, value = (words @ torch.tensor(w, dtype=torch.float64) for w in projections.values())
    mask = causal_mask(len(words)) if causal else bidirectional_mask(len(words))
    return attend(query, key, value, mask, divide_by_root=divide_by_root)


# The five matrices of the worked example, and the cell whose arithmetic is written out.


def _choose_cell(page: Page, names: list[str]) -> example.Cell:
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


def _draw_chain(
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
