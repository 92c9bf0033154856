"""The widgets that several parts of this lesson share: layer, head, a cell."""

import re

from pages.kit.part import Part

USUAL_CELL = "1,1"


def choose_layer(p: Part) -> int:
    """Show the model's layers side by side; return the chosen one, counted from 1."""
    n_layers = p.model.n_layers
    return int(p.choice("layer", [str(i) for i in range(1, n_layers + 1)]))


def choose_head(p: Part) -> int:
    """Show a layer's heads side by side; return the chosen one, counted from 1."""
    n_heads = p.model.n_heads
    return int(p.choice("head", [str(i) for i in range(1, n_heads + 1)]))


def chosen_cell(p: Part, n_rows: int, n_columns: int) -> tuple[int, int]:
    """Return row and column of the cell clicked last, as far as this matrix has them."""
    text = p.drawn("cell", USUAL_CELL, longest=9) or USUAL_CELL
    is_cell = re.fullmatch(r"\d{1,4},\d{1,4}", text, re.ASCII)
    row, column = map(int, (text if is_cell else USUAL_CELL).split(","))
    row, column = min(row, n_rows - 1), min(column, n_columns - 1)
    p.write_to_link("cell", f"{row},{column}", USUAL_CELL)
    return row, column
