"""The widgets that several parts of this lesson share: layer, head, mask, who looks, a cell."""

import re

from mlm_core.encoder.bert import Encoding
from mlm_core.text.tokens import TokenizedText
from pages.kit.part import Part
from pages.lessons.attention_mask.drawing_board import drawn_mask

USUAL_CELL = "1,1"


def choose_layer(p: Part) -> int:
    """Show the model's layers side by side; return the chosen one, counted from 1."""
    n_layers = p.model.n_layers
    return int(p.choice("layer", [str(i) for i in range(1, n_layers + 1)]))


def choose_head(p: Part) -> int:
    """Show a layer's heads side by side; return the chosen one, counted from 1."""
    n_heads = p.model.n_heads
    return int(p.choice("head", [str(i) for i in range(1, n_heads + 1)]))


def choose_mask(p: Part) -> str:
    """Show the masks that the model can have side by side; return the chosen one."""
    has_switch = p.model.bert is not None
    return p.choice("kind", None if has_switch else ["bidirectional"])


def who_looks(p: Part, tokens: list[str]) -> int:
    """Show the tokens to choose the query from; return its position."""
    return p.position("query", tokens, default=min(2, len(tokens) - 1))


def chosen_cell(p: Part, n_rows: int, n_columns: int) -> tuple[int, int]:
    """Return row and column of the cell clicked last, as far as this matrix has them."""
    text = p.drawn("cell", USUAL_CELL, longest=9) or USUAL_CELL
    is_cell = re.fullmatch(r"\d{1,4},\d{1,4}", text, re.ASCII)
    row, column = map(int, (text if is_cell else USUAL_CELL).split(","))
    row, column = min(row, n_rows - 1), min(column, n_columns - 1)
    p.write_to_link("cell", f"{row},{column}", USUAL_CELL)
    return row, column


def encode(
    p: Part, text: str, mask: str, *, paints: bool = False
) -> tuple[TokenizedText, Encoding]:
    """Show the settings of a mask; return the tokens and what the model computed under it.

    Where a mask can be painted, the drawing board's buttons are above it.
    """
    drawn, n_padding = None, 0
    if mask == "padding":
        n_padding = p.slider("padding")
    if mask == "drawn":
        n_tokens = len(p.encoding(text)[0].tokens)
        drawn = drawn_mask(p, n_tokens, paints=paints)
    tokens, encoding = p.encoding(text, mask == "causal", drawn_mask=drawn, n_padding=n_padding)
    p.say_what_was_left_out(tokens)
    return tokens, encoding
