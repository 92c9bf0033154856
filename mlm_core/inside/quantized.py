"""Weights as small whole numbers: what a model loses when each has 8, 4 or 2 bits.

    largest = 2^(bits - 1) - 1                      127 at 8 bits, 7 at 4, 1 at 2
    scale   = max |w| of the row / largest          one float32 number for each row
    level   = round(w / scale)                      a whole number, -largest to largest
    w'      = level * scale                         what the model computes with

A weight moves by half a scale at most, so a row with one large weight loses its small ones. All
matrices are quantized, the embeddings too; biases and LayerNorms stay as they are.

Source: Krishnamoorthi 2018 for symmetric levels with a scale for each row (of a convolution: each
channel); Zafrir et al. 2019 for BERT at 8 bits, symmetric with one scale for a whole matrix. Jacob
et al. 2018 have one scale too, and a zero point: w' = (level - zero point) * scale.
Departs: Zafrir et al. train the model with its rounding; here it is rounded after training, and
computes in float32, so this shows what is lost and not how fast it is.

What this can't show: how few bits a model needs. Trained with its rounding, or with a scale for
each few weights, it keeps more at 2 and 3 bits (Shen et al. 2020).

Read before this: switches.py.
"""

import math
from dataclasses import dataclass

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.inside.switches import module_of, with_module
from mlm_core.prediction.one_step import copy_with
from mlm_core.shapes import Float, Tensor
from mlm_core.short_repr import short_repr

BITS = (8, 6, 4, 3, 2)
FULL_BITS = 32  # of a float32 number
FULL_BYTES = FULL_BITS // 8


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class QuantizedMatrix:
    """A matrix as whole numbers, and a scale for each row."""

    levels: Float[Tensor, "row column"]  # whole numbers, -largest to largest
    scales: Float[Tensor, " row"]
    bits: int

    @property
    def weights(self) -> Float[Tensor, "row column"]:
        """Return the numbers that the model computes with."""
        return self.levels * self.scales[:, None]

    @property
    def n_bytes(self) -> int:
        """Return the bytes of the levels, without gaps between them, and of the scales."""
        return matrix_bytes(*self.levels.shape, self.bits)


def quantize_matrix(weights: Float[Tensor, "row column"], bits: int) -> QuantizedMatrix:
    """Return a matrix as whole numbers of so many bits; a row of zeros stays one.

    Raises ValueError for less than 2 bits, or more than 8.

    >>> import torch
    >>> quantize_matrix(torch.tensor([[0.9, -0.5, 0.1]]), 3).levels
    tensor([[ 3., -2.,  0.]])
    """
    if not 2 <= bits <= 8:
        raise ValueError(f"{bits} bits: choose 2 to 8")
    largest = 2 ** (bits - 1) - 1
    scales = weights.abs().amax(dim=1) / largest
    # A row of zeros has the scale 0, and its levels would be 0/0.
    levels = (weights / scales.where(scales > 0, 1.0)[:, None]).round()
    return QuantizedMatrix(levels=levels, scales=scales, bits=bits)


def quantize(model: MaskedLanguageModel, bits: int) -> MaskedLanguageModel:
    """Return a model whose matrices have so many bits a weight; the given one stays as it is.

    32 bits are the float32 numbers that it has. Raises ValueError for a number of bits that is
    neither 32 nor 2 to 8.
    """
    if bits == FULL_BITS:
        return model
    module = module_of(model)
    return with_module(
        model,
        copy_with(
            module,
            {
                name: quantize_matrix(weights.detach(), bits).weights
                for name, weights in module.named_parameters()
                if weights.ndim == 2
            },
        ),
    )


def model_bytes(model: MaskedLanguageModel, bits: int = FULL_BITS) -> int:
    """Return the bytes of a model's weights with so many bits for each number in a matrix.

    Weights with two uses are counted once, as the embedding, which is also the output matrix.
    """
    return sum(
        matrix_bytes(*weights.shape, bits)
        if weights.ndim == 2 and bits != FULL_BITS
        else FULL_BYTES * weights.numel()
        for weights in module_of(model).parameters()
    )


def matrix_bytes(n_rows: int, n_columns: int, bits: int) -> int:
    """Return the bytes of a quantized matrix: its levels, and a float32 scale for each row.

    >>> matrix_bytes(2, 100, 3)
    83
    """
    return math.ceil(n_rows * n_columns * bits / 8) + FULL_BYTES * n_rows
