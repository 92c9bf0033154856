"""The three-word example: every number can be changed, every cell's arithmetic is written out."""

from collections.abc import Sequence

import streamlit as st

from mlm_core.encoder.attention import AttentionSteps, attend, bidirectional_mask, causal_mask
from mlm_core.figures.encoder import worked_example as example
from pages.parts.attention_mask.number_grid import number_grid
from pages.shared.course.core_messages import translated
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs, locks

PROJECTIONS = {"query": "wq", "key": "wk", "value": "wv"}  # with their controls
MATRICES = ("e", *PROJECTIONS.values())


@part(code=("encoder.attention:attend", "encoder.attention:causal_mask"))
def show(p: Part) -> None:
    """Let the learner edit the example and read any cell's arithmetic."""
    p.say("lead")
    names = p.label("words").split()
    table, settings = st.columns(2, gap="large")
    with table:
        embeddings = _edit_matrix(p, "e", names)
    with settings:
        mask, scale = p.choice("worked_mask"), p.choice("worked_scale")
        p.button("worked_reset", _start_over, p, icon="restart_alt", changes=MATRICES)
    projections = {}
    with st.expander(p.label("projections"), icon=":material/tune:"):
        for column, (name, control) in zip(st.columns(3), PROJECTIONS.items(), strict=True):
            with column:
                projections[name] = _edit_matrix(p, control, ["1", "2", "3"])
    for name in MATRICES:
        if refused := st.session_state.get(_refused(p, name)):
            st.warning(refused, icon=":material/link_off:")
    chosen = {"causal": mask == "causal", "divide_by_root": scale == "on"}
    steps = _compute(embeddings, projections, **chosen)
    cell = _choose_cell(p, names)
    _draw_chain(p, steps, names, cell, mask, scale)
    for line in example.arithmetic(
        steps, embeddings, projections, cell=cell, divide_by_root=scale == "on"
    ):
        st.latex(line, width="content")
    p.say("notice")
    with st.expander(p.label("numpy"), icon=":material/content_copy:"):
        p.say("numpy")
        st.code(example.numpy_script(embeddings, projections, **chosen), language="python")


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


# A table of nine numbers to type into, which the link carries as well.


def _edit_matrix(p: Part, name: str, rows: Sequence[str]) -> example.Matrix:
    """Show the table of one matrix; return what is in it and write that to the link."""
    key, title = p.key(name), p.plain(name)
    usual = example.write_matrix(example.IDENTITY)
    try:
        matrix = example.read_matrix(p.drawn(name, usual) or usual)
    except ValueError as error:
        reason = translated(str(error))
        st.session_state[_refused(p, name)] = p.section("bad_link", what=title, reason=reason)
        matrix = example.IDENTITY
    inputs.keep(key, example.write_matrix(matrix), usual)
    if locks.is_hidden(key):
        return matrix

    def edit(numbers: list[list[float]]) -> None:
        if inputs.choose(key, example.write_matrix(numbers)):
            st.session_state.pop(_refused(p, name), None)

    if not locks.is_fixed(key):
        st.caption(p.label(name))
    number_grid(
        matrix,
        key=f"{key}_grid",
        label=title,
        rows=rows,
        columns=[str(i + 1) for i in range(example.SIZE)],
        largest=example.LARGEST_ENTRY,
        on_edit=edit,
        disabled=locks.is_fixed(key),
    )
    return matrix


def _refused(p: Part, name: str) -> str:
    """Return the session's key of what a link brought for a matrix that could not be read."""
    return f"{p.key(name)}_refused"


def _start_over(p: Part) -> None:
    """Put all tables back to the example's own numbers."""
    for name in MATRICES:
        inputs.choose(p.key(name), example.write_matrix(example.IDENTITY))
        st.session_state.pop(_refused(p, name), None)


# The five matrices of the worked example, and the cell whose arithmetic is written out.


def _choose_cell(p: Part, names: list[str]) -> example.Cell:
    """Show the widgets that choose a cell; return it."""
    with st.container(horizontal=True):
        step = p.choice("worked_step")
        rows = {str(i): name for i, name in enumerate(names)}
        row = p.choice("worked_row", rows)
        columns = {i: str(int(i) + 1) for i in rows} if step == "output" else rows
        column = p.choice("worked_column", columns)
    return example.Cell(step=step, row=int(row), column=int(column))


def _draw_chain(
    p: Part, steps: AttentionSteps, names: list[str], cell: example.Cell, mask: str, scale: str
) -> None:
    """Draw the five matrices; a click on a cell chooses it."""
    titles = {step: p.label(step) for step in example.STEPS}
    if scale == "off":
        titles["scaled_scores"] = p.label("scaled_scores_off")

    def choose(value: str) -> None:
        clicked = example.clicked_cell(value)
        for name in ("step", "row", "column"):
            inputs.choose(p.key(f"worked_{name}"), str(getattr(clicked, name)))

    html = example.chain_html(steps, names, titles=titles, selected=cell, alt=p.plain("alt"))
    drawing(html, key=p.key("worked"), on_click=choose)
    keep(
        p.key("worked"),
        table=Table(
            [
                {"matrix": step, "row": names[i], "column": j + 1, "value": value}
                for step in example.STEPS
                for i, row in enumerate(getattr(steps, step).tolist())
                for j, value in enumerate(row)
            ]
        ),
        source=p.label("source", mask=p.label(f"mask_{mask}"), scale=p.label(f"scale_{scale}")),
        svg=example.one_picture(html),
    )
