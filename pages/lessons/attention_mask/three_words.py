"""The three toy words: every number can be changed, every cell's arithmetic is written out."""

from collections.abc import Sequence

import torch

from mlm_core.encoder.attention import AttentionSteps, attend, bidirectional_mask, causal_mask
from mlm_core.figures.encoder import worked_example as example
from pages.kit.part import Part
from pages.lessons.attention_mask.number_grid import number_grid
from pages.lessons.attention_mask.setting import chosen_cell

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
        if reason := p.state.get(_refused(name)):
            p.warn("bad_link", icon="link_off", what=p.plain(name), reason=p.translated(reason))
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
    words = torch.tensor(embeddings, dtype=torch.float64)
    query, key, value = (words @ torch.tensor(w, dtype=torch.float64) for w in projections.values())
    mask = causal_mask(len(words)) if causal else bidirectional_mask(len(words))
    return attend(query, key, value, mask, divide_by_root=divide_by_root)


# A table of nine numbers to type into, which the link has as well.


def _edit_matrix(p: Part, name: str, rows: Sequence[str]) -> example.Matrix:
    """Show the table of one matrix; return what is in it and write that to the link."""
    usual = example.write_matrix(example.IDENTITY)
    try:
        matrix = example.read_matrix(p.drawn(name, usual) or usual)
    except ValueError as error:
        p.state[_refused(name)] = str(error)
        matrix = example.IDENTITY
    p.write_to_link(name, example.write_matrix(matrix), usual)
    if p.is_hidden(name):
        return matrix

    def edit(numbers: list[list[float]]) -> None:
        if p.choose(name, example.write_matrix(numbers)):
            p.state.pop(_refused(name), None)

    if not p.is_fixed(name):
        p.write_small(p.label(name))
    number_grid(
        matrix,
        key=p.key(f"{name}_grid"),
        label=p.plain(name),
        rows=rows,
        columns=[str(i + 1) for i in range(example.SIZE)],
        largest=example.LARGEST_ENTRY,
        on_edit=edit,
        disabled=p.is_fixed(name),
    )
    return matrix


def _refused(name: str) -> str:
    """Return the state in which is why a matrix of the link could not be read."""
    return f"{name}_refused"


def _start_over(p: Part) -> None:
    """Put all tables back to the example's own numbers."""
    for name in MATRICES:
        p.choose(name, example.write_matrix(example.IDENTITY))
        p.state.pop(_refused(name), None)


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
    p.numbers(
        "worked",
        [
            {"matrix": step, "row": names[i], "column": j + 1, "value": value}
            for step in example.STEPS
            for i, row in enumerate(getattr(steps, step).tolist())
            for j, value in enumerate(row)
        ],
        source="toy_source",
        svg=example.one_picture(html),
        mask=p.label(f"mask_{mask}"),
        scale=p.label(f"scale_{scale}"),
    )
