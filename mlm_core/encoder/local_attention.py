"""Local attention: a token attends to its neighbours only, and in every few layers to all tokens.

    |query - key| <= window / 2       local: pairs grow with N
    all pairs                         global: pairs grow with N^2

A mask by itself saves nothing, since `attend` computes all scores and then blocks most of them:
a program that saves time computes in blocks, and never what lies outside the window.

Source: Beltagy et al. 2020 (Longformer), section 3.1; Warner et al. 2024 (ModernBERT): a window of
128 tokens, and every third layer global. Left out: such a computation in blocks.

Read before this: attention.py, rotary.py. Read next: cost.py.
"""

import torch

from mlm_core.shapes import Bool, Tensor


def local_mask(n_tokens: int, window: int) -> Bool[Tensor, "query key"]:
    """Return the mask that lets a token look at `window` / 2 tokens on either side and at itself.

    >>> local_mask(4, 2).int()
    tensor([[1, 1, 0, 0],
            [1, 1, 1, 0],
            [0, 1, 1, 1],
            [0, 0, 1, 1]], dtype=torch.int32)
    """
    positions = torch.arange(n_tokens)
    return (positions[:, None] - positions).abs() <= window // 2


def attended_pairs(n_tokens: int, window: int | None = None) -> int:
    """Return how many pairs of query and key attend in one head; all N^2 without a window.

    >>> attended_pairs(4), attended_pairs(4, 2)
    (16, 10)
    """
    reach = n_tokens - 1 if window is None else min(window // 2, n_tokens - 1)
    # Each token and its neighbours, less those that a text has no room for at its two ends.
    return n_tokens * (2 * reach + 1) - reach * (reach + 1)


def pairs_by_layer(
    n_tokens: int, n_layers: int, *, window: int, global_every: int
) -> tuple[int, ...]:
    """Return the attended pairs of one head in each layer; the first layer is a global one.

    >>> pairs_by_layer(4, 4, window=2, global_every=3)
    (16, 10, 10, 16)
    """
    return tuple(
        attended_pairs(n_tokens, window if layer % global_every else None)
        for layer in range(n_layers)
    )
