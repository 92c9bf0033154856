"""Rotary position embedding (RoPE): query and key are turned by an angle that grows with position.

    pair i of a head's dimensions turns by   position * base^(-2 i / head_size)   radians
    rotate(q, m) . rotate(k, n)   depends on q, k and m - n only

Nothing is added to the vectors and nothing is learned, so there is no last position. An encoder
with learned positions, as BERT, has a table with one row for each position and no row beyond it.

Source: Su et al. 2021, section 3.2. Departs: dimension i is paired with i + head_size / 2, as in
transformers, not with its neighbour; the two differ by the order of the dimensions only.

Read before this: attention.py. Read next: local_attention.py; also modern.py.
"""

import torch

from mlm_core.shapes import Float, Int, Tensor

BASE = 10_000.0  # Su et al. 2021; ModernBERT's global layers have 160,000 (Warner et al. 2024)


def rotary_angles(
    positions: Int[Tensor, " token"], head_size: int, base: float = BASE
) -> Float[Tensor, "token pair"]:
    """Return by how many radians each pair of dimensions turns at each position.

    The first pair turns by one radian a position, later pairs ever more slowly.
    Raises ValueError for an odd head size.

    >>> rotary_angles(torch.tensor([0, 1, 100]), 4)
    tensor([[0.0000e+00, 0.0000e+00],
            [1.0000e+00, 1.0000e-02],
            [1.0000e+02, 1.0000e+00]])
    """
    if head_size % 2:
        raise ValueError(f"a head size of {head_size} has no pairs: give an even number")
    speeds = base ** -(torch.arange(0, head_size, 2, dtype=torch.float) / head_size)
    return positions[:, None] * speeds


def rotate(
    vectors: Float[Tensor, "*lead token head_size"], angles: Float[Tensor, "*texts token pair"]
) -> Float[Tensor, "*lead token head_size"]:
    """Return queries or keys, each pair of dimensions turned by its angle.

    >>> rotate(torch.tensor([[1.0, 0.0]]), torch.tensor([[torch.pi / 2]])).round(decimals=3)
    tensor([[-0., 1.]])
    """
    first, second = vectors.chunk(2, dim=-1)
    cosine, sine = angles.cos(), angles.sin()
    return torch.cat([first * cosine - second * sine, second * cosine + first * sine], dim=-1)


def position_cosines(
    table: Float[Tensor, "position hidden"], n_positions: int
) -> Float[Tensor, "query key"]:
    """Return the cosines of the first rows of a learned table of positions, less its mean.

    The mean is that of the whole table: less the mean of a few rows, these would point apart.

    >>> position_cosines(torch.tensor([[3.0, 1.0], [3.0, 0.0], [0.0, 0.5]]), 2).round(decimals=2)
    tensor([[1.0000, 0.6000],
            [0.6000, 1.0000]])
    """
    unit = torch.nn.functional.normalize(table[:n_positions] - table.mean(dim=0), dim=-1)
    return unit @ unit.T


def score_by_distance(
    distances: Int[Tensor, " token"], head_size: int, base: float = BASE
) -> Float[Tensor, " token"]:
    """Return the score of two equal vectors at each distance, 1 at distance 0.

    The vectors are all ones, so the score is the mean cosine of the angles. It falls with the
    distance, though not evenly: what a trained model's queries and keys make of it is its own.

    Source: Su et al. 2021, section 3.3 (long-term decay), there as an upper bound.

    >>> score_by_distance(torch.tensor([0, 64]), 64).round(decimals=2)
    tensor([1.0000, 0.4300])
    """
    return rotary_angles(distances, head_size, base).cos().mean(dim=-1)
