"""A hand-drawn attention mask as a short text that fits into a link.

Each query has a group of hexadecimal digits, whose first bit is the first key: "8-c-e" is the
causal mask over three tokens (1000, 1100, 1110; bits beyond the last key are 0).

Read before this: attention.py.
"""

import re

import numpy as np
import torch

from mlm_core.shapes import Bool, Tensor

# Longest window of any model here, so that a link can't ask for more memory than that.
MOST_TOKENS = 512


def mask_to_text(attention_mask: Bool[Tensor, "query key"]) -> str:
    """Return the mask as text.

    >>> mask_to_text(torch.tensor([[True, False, False], [True, True, False]]))
    '8-c'
    """
    n_digits = -(-attention_mask.shape[1] // 4)
    packed = np.packbits(attention_mask.numpy(), axis=1)  # two digits a byte
    return "-".join(row.tobytes().hex()[:n_digits] for row in packed)


def mask_from_text(text: str, n_tokens: int) -> Bool[Tensor, "query key"]:
    """Return the mask that `text` describes, fitted to `n_tokens` tokens.

    Rows and columns beyond `n_tokens` are dropped; missing ones allow everything.
    Raises ValueError if the text is no mask.

    >>> mask_from_text("8-c", 3).int()
    tensor([[1, 0, 1],
            [1, 1, 1],
            [1, 1, 1]], dtype=torch.int32)
    """
    if len(text) > MOST_TOKENS * (MOST_TOKENS // 4 + 1) or not re.fullmatch(
        r"[0-9a-f]+(-[0-9a-f]+)*", text
    ):
        raise ValueError(
            "this is no mask: expected one group of hexadecimal digits a token with hyphens"
            " between, such as 8-c-e"
        )
    rows = text.split("-")
    n_drawn = min(len(rows), n_tokens)
    mask = torch.ones(n_tokens, n_tokens, dtype=torch.bool)
    for i, row in enumerate(rows[:n_drawn]):
        bits = f"{int(row, 16):0{4 * len(row)}b}"[:n_drawn].ljust(n_drawn, "0")
        mask[i, :n_drawn] = torch.tensor([bit == "1" for bit in bits])
    return mask


def painted(mask: Bool[Tensor, "query key"], cells: str) -> Bool[Tensor, "query key"]:
    """Return the mask with `cells` open, or all blocked if the first one is open.

    Cells are named "row,column", with spaces between; -1 stands for all rows or all columns. What
    lies beyond the mask is left out.

    >>> painted(torch.tensor([[True, False], [True, True]]), "0,1 1,1").int()
    tensor([[1, 1],
            [1, 1]], dtype=torch.int32)
    >>> painted(torch.tensor([[True, False], [True, True]]), "-1,0").int()
    tensor([[0, 0],
            [0, 1]], dtype=torch.int32)
    """
    mask, chosen = mask.clone(), []
    for cell in cells.split(" "):
        places = map(int, cell.split(","))
        chosen.append(tuple(slice(None) if k < 0 else slice(k, k + 1) for k in places))
    opens = not mask[chosen[0]].all()
    for rows, columns in chosen:
        mask[rows, columns] = opens
    return mask
