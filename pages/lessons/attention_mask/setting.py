"""What several parts of this lesson share: the widgets of layer, head and cell, a table."""

import re
from collections.abc import Sequence

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


def cells(tokens: Sequence[str], rows: Sequence[Sequence[float]]) -> list[dict[str, object]]:
    """Return the lines of a table: one for each cell of a matrix of tokens."""
    return [
        {"query": i, "query_token": row, "key": j, "key_token": column, "value": rows[i][j]}
        for i, row in enumerate(tokens)
        for j, column in enumerate(tokens)
    ]


def chosen_cell(p: Part, n_rows: int, n_columns: int) -> tuple[int, int]:
    """Return row and column of the cell clicked last, as far as this matrix has them."""
    text = p.drawn("cell", USUAL_CELL, longest=9) or USUAL_CELL
    is_cell = re.fullmatch(r"\d{1,4},\d{1,4}", text, re.ASCII)
    row, column = map(int, (text if is_cell else USUAL_CELL).split(","))
    row, column = min(row, n_rows - 1), min(column, n_columns - 1)
    p.write_to_link("cell", f"{row},{column}", USUAL_CELL)
    return row, column
