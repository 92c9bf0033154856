"""A mask as a short text, so that a hand-drawn one fits into a link.

One group of hexadecimal digits a query, its first bit the first key: "8-c-e" is the causal
mask over three tokens (1000, 1100, 1110; bits beyond the last key are 0).

Read before this: ../encoder/attention.py.
"""

import re

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
    rows = []
    for row in attention_mask.tolist():
        bits = "".join("1" if allowed else "0" for allowed in row).ljust(4 * n_digits, "0")
        rows.append(f"{int(bits, 2):0{n_digits}x}")
    return "-".join(rows)


def mask_from_text(text: str, n_tokens: int) -> Bool[Tensor, "query key"]:
    """Return the mask that `text` describes, fitted to `n_tokens` tokens.

    A mask drawn for more tokens loses the rest; in one drawn for fewer, the new tokens look at
    everything and are looked at by all.
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
