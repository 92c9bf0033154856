"""The masked-language loss, and its gradient in the memory of the logits.

    loss = sum over rows of -log softmax(u)[label]
    d loss / d u = softmax(u) - onehot(label)

A row of logits is as long as the vocabulary, so at 16,000 words this loss moves more numbers
than the whole encoder. torch makes five tensors of that size (logits, their float32 copy, log
softmax, its gradient, the gradient's bfloat16 copy), each larger than a processor's cache and
each newly allocated. Here a few rows at a time become the gradient while they are in the cache.
With torch's functions instead, a training step on two cores in bfloat16 takes 1.3 times as long at
width 256 and 16,000 words, and the same at width 64 and 1,000.

Source: SLP3 section 11.2 for the loss; Hsu et al. 2024 (Liger Kernel) and Wijmans et al. 2024
(Cut Your Losses) for a gradient that is computed with the loss. Departs: torch computes the matrix
product before it, and only the loss is computed in slices.

Read before this: ../masking/batch.py.
"""

from typing import Any

import torch
from torch.nn import functional as F

from mlm_core.masking.rule import IGNORED_LABEL
from mlm_core.shapes import Bool, Float, Int, Tensor

# Numbers in a slice: 1 MB in float32, which fits into a core's second-level cache. A quarter or
# four times as many take the same time.
SLICE_SIZE = 2**18


def summed_language_loss(
    logits: Float[Tensor, "row vocabulary"], labels: Int[Tensor, " row"]
) -> tuple[Float[Tensor, ""], Bool[Tensor, " row"]]:
    """Return the summed loss, and in which rows no token is likelier than the label.

    Rows labelled IGNORED_LABEL add nothing and are never right. On a CPU, logits that need a
    gradient are overwritten with it, for one backward pass.
    """
    if logits.requires_grad and logits.device.type == "cpu":
        return _LossInPlace.apply(logits, labels)
    loss = F.cross_entropy(
        logits.to(_at_least_float32(logits)), labels, ignore_index=IGNORED_LABEL, reduction="sum"
    )
    score = logits.gather(1, labels.clamp(min=0).unsqueeze(1)).squeeze(1)
    return loss, (labels != IGNORED_LABEL) & (score == logits.amax(dim=-1))


class _LossInPlace(torch.autograd.Function):
    """Turns logits into the gradient of their loss."""

    @staticmethod
    def forward(
        ctx: Any, logits: Float[Tensor, "row vocabulary"], labels: Int[Tensor, " row"]
    ) -> tuple[Float[Tensor, ""], Bool[Tensor, " row"]]:
        n_rows = max(1, SLICE_SIZE // logits.shape[1])
        losses, is_right = [], []
        # One buffer for all slices: one for each would fragment the heap, by 80 MB for 6,000 rows
        # of 4,000.
        buffer = logits.new_empty(n_rows, logits.shape[1], dtype=_at_least_float32(logits))
        for rows, row_labels in zip(logits.split(n_rows), labels.split(n_rows), strict=True):
            is_used = (row_labels != IGNORED_LABEL).unsqueeze(1)
            label = row_labels.clamp(min=0).unsqueeze(1)
            score, best = rows.gather(1, label), rows.amax(dim=-1, keepdim=True)
            gradient = buffer[: len(rows)]
            torch.softmax(rows, dim=-1, dtype=buffer.dtype, out=gradient)
            # From the likeliest token's probability: the label's own may be rounded to 0.
            log_best = gradient.amax(dim=-1, keepdim=True).log()
            log_probability = log_best + (score.to(buffer.dtype) - best.to(buffer.dtype))
            losses.append(-log_probability.masked_fill(~is_used, 0.0).sum())
            is_right.append((is_used & (score == best)).squeeze(1))
            gradient.scatter_add_(1, label, gradient.new_full(label.shape, -1.0))
            rows.copy_(gradient.mul_(is_used))
        ctx.gradient = logits.detach()
        is_right = torch.cat(is_right)
        ctx.mark_non_differentiable(is_right)
        return torch.stack(losses).sum(), is_right

    @staticmethod
    def backward(  # ty: ignore[incompatible-method-override]: a gradient a result, as torch says
        ctx: Any, gradient_of_loss: Float[Tensor, ""], _: Tensor | None
    ) -> tuple[Float[Tensor, "row vocabulary"], None]:
        if ctx.gradient is None:
            raise RuntimeError("a second backward pass: compute the loss anew for each")
        gradient, ctx.gradient = ctx.gradient, None
        return gradient.mul_(gradient_of_loss), None


def _at_least_float32(logits: Float[Tensor, "row vocabulary"]) -> torch.dtype:
    return torch.promote_types(logits.dtype, torch.float32)
