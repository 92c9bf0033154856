"""The three toy words: every number can be changed, every cell's arithmetic is written out."""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from mlm_core.encoder.attention import AttentionSteps, attend, bidirectional_mask, causal_mask
from mlm_core.figures.encoder import worked_example as example
from mlm_core.figures.theme import escaped
from pages.kit.part import Part, Table
from pages.lessons.attention_mask.setting import chosen_cell
from pages.server.course.core_messages import translated
from pages.server.figures.show import keep
from pages.server.link import inputs, locks

PROJECTIONS = {"query": "wq", "key": "wk", "value": "wv"}  # with their controls
MATRICES = ("e", *PROJECTIONS.values())


def show_three_words(p: Part, mask: str, stage: example.Step) -> None:
    """Draw all five matrices, with the arithmetic of one cell and the tables to change."""
    names = p.label("words").split()
    row, column = chosen_cell(p, len(names), example.SIZE)
    cell = example.Cell(step=stage, row=row, column=column)
    p.say(stage, head_size=example.SIZE)
    figure = p.place()
    with p.fold("numbers", "tune"):
        p.say("notice")
        embeddings, projections, scale = _edit_numbers(p, names)
    for name in MATRICES:
        if refused := st.session_state.get(_refused(p, name)):
            st.warning(refused, icon=":material/link_off:")
    chosen = {"causal": mask == "causal", "divide_by_root": scale == "on"}
    steps = _compute(embeddings, projections, **chosen)
    with figure:
        _draw_chain(p, steps, names, cell, mask, scale)
        for line in example.arithmetic(
            steps, embeddings, projections, cell=cell, divide_by_root=scale == "on"
        ):
            p.formula(line, width="content")
    with p.fold("numpy", "content_copy"):
        p.say("numpy")
        p.program(example.numpy_script(embeddings, projections, **chosen), language="python")


def _edit_numbers(
    p: Part, names: Sequence[str]
) -> tuple[example.Matrix, dict[str, example.Matrix], str]:
    """Show the tables and the scaling; return embeddings, projections and whether to divide."""
    with p.row():
        scale = p.choice("worked_scale")
        p.button("worked_reset", _start_over, p, icon="restart_alt", changes=MATRICES)
    columns = [*p.columns(gap="small"), *p.columns(gap="small")]
    with columns[0]:
        embeddings = _edit_matrix(p, "e", names)
    projections = {}
    for column, (name, control) in zip(columns[1:], PROJECTIONS.items(), strict=True):
        with column:
            projections[name] = _edit_matrix(p, control, ["1", "2", "3"])
    return embeddings, projections, scale


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
        p.write_small(p.label(name))
    _number_grid(
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
        p.choose(name, example.write_matrix(example.IDENTITY))
        st.session_state.pop(_refused(p, name), None)


# The five matrices of the worked example, and the cell whose arithmetic is written out.


def _draw_chain(
    p: Part, steps: AttentionSteps, names: list[str], cell: example.Cell, mask: str, scale: str
) -> None:
    """Draw the five matrices; a click on a cell chooses it."""
    titles = {step: p.label(f"stage_{step}") for step in example.STEPS}
    if scale == "off":
        titles["scaled_scores"] = p.label("not_divided")

    def choose(value: str) -> None:
        clicked = example.clicked_cell(value)
        p.choose("stage", clicked.step)
        p.choose("cell", f"{clicked.row},{clicked.column}")

    html = example.chain_html(steps, names, titles=titles, selected=cell, alt=p.plain("toy_alt"))
    p.drawing("worked", html, choose)
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
        source=p.label("toy_source", mask=p.label(f"mask_{mask}"), scale=p.label(f"scale_{scale}")),
        svg=example.one_picture(html),
    )


# A small matrix of numbers to type into. Not st.data_editor, which imports pandas: see table.py.

_GRID_SCRIPT = """
export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const box = parentElement.querySelector(".grid");
  const inside = box.getRootNode().activeElement;
  const focused = inside && box.contains(inside) ? inside.getAttribute("data-at") : null;
  box.innerHTML = data.html;
  if (focused !== null) box.querySelector(`[data-at="${focused}"]`)?.focus();
  box.onchange = () => {
    const rows = [...box.querySelectorAll("tr[data-row]")];
    const numbers = rows.map((row) => [...row.querySelectorAll("input")].map((input) =>
      Number.isFinite(input.valueAsNumber) ? input.valueAsNumber : 0));
    setTriggerValue("edited", JSON.stringify(numbers));
  };
}
"""
_GRID_STYLE = """
.grid table { border-collapse: collapse; color: var(--st-text-color); font: inherit; }
.grid th { font-weight: 400; opacity: .8; padding: .2rem .5rem; text-align: right; }
.grid input { font: inherit; width: 4.2rem; padding: .3rem .4rem; text-align: right;
  color: var(--st-text-color); background: var(--st-secondary-background-color);
  border: 1px solid var(--st-border-color); border-radius: .3rem; }
.grid input:focus { outline: 2px solid var(--st-primary-color); }
"""
_mount = st.components.v2.component(
    "mlm_number_grid", html='<div class="grid"></div>', css=_GRID_STYLE, js=_GRID_SCRIPT
)


def _number_grid(
    numbers: Sequence[Sequence[float]],
    *,
    key: str,
    label: str,
    rows: Sequence[str],
    columns: Sequence[str],
    largest: float,
    on_edit: Callable[[list[list[float]]], None],
    disabled: bool = False,
) -> None:
    """Show the numbers; `on_edit` gets all of them when one was changed, before the rerun."""

    def report() -> None:
        edited = read_numbers(st.session_state[key].edited, like=numbers)
        if edited is not None:
            on_edit([[max(-largest, min(largest, x)) for x in row] for row in edited])

    html = _html(
        numbers, label=label, rows=rows, columns=columns, largest=largest, disabled=disabled
    )
    _mount(key=key, data={"html": html}, on_edited_change=report)


def read_numbers(sent: Any, *, like: Sequence[Sequence[float]]) -> list[list[float]] | None:
    """Return what a browser sent, which can be anything; None if it is no such table of numbers.

    >>> read_numbers("[[1, 2.5]]", like=[[0, 0]]), read_numbers("[[1, NaN]]", like=[[0, 0]])
    ([[1.0, 2.5]], None)
    """
    try:
        numbers = [[float(x) for x in row] for row in json.loads(sent)]
    except (ValueError, TypeError, OverflowError, RecursionError):
        return None
    is_like = [len(row) for row in numbers] == [len(row) for row in like]
    return numbers if is_like and all(math.isfinite(x) for row in numbers for x in row) else None


def _html(
    numbers: Sequence[Sequence[float]],
    *,
    label: str,
    rows: Sequence[str],
    columns: Sequence[str],
    largest: float,
    disabled: bool,
) -> str:
    off = " disabled" if disabled else ""
    head = "".join(f"<th scope='col'>{escaped(name)}</th>" for name in columns)
    body = "".join(
        f"<tr data-row><th scope='row'>{escaped(name)}</th>"
        + "".join(
            f'<td><input type="number" step="any" min="{-largest:g}" max="{largest:g}"'
            f' value="{number:g}" data-at="{i},{k}"'
            f' aria-label="{escaped(label)}, {escaped(name)}, {escaped(columns[k])}"{off}></td>'
            for k, number in enumerate(row)
        )
        + "</tr>"
        for i, (name, row) in enumerate(zip(rows, numbers, strict=True))
    )
    return f'<table aria-label="{escaped(label)}"><tr><td></td>{head}</tr>{body}</table>'
