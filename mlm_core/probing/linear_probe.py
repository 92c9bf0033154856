"""Logistic regression by Newton's method: the plainest judge of what a vector tells.

    P(yes | x) = sigmoid(w x + b)
    lowers   sum of -log P(label)  +  penalty / 2 * |w|^2

The sum is convex, so there is one answer, and Newton's steps reach it to the last digit. The
bias b is not penalized.

Source: SLP3, chapter "Logistic Regression"; scikit-learn's LogisticRegression(C = 1 / penalty)
gives the same numbers (tested).

Read before this: ../shapes.py. Read next: pair_task.py.
"""

from dataclasses import dataclass

import torch
from torch.nn import functional as F

from mlm_core.shapes import Bool, Float, Tensor

MOST_ITERATIONS = 50
SMALLEST_STEP = 1e-9  # of any weight; below, nothing changes any more


@dataclass(frozen=True, eq=False, kw_only=True)
class LogisticRegression:
    """The weights that were found."""

    weights: Float[Tensor, " feature"]
    bias: float

    def says_yes(self, vectors: Float[Tensor, "example feature"]) -> Bool[Tensor, " example"]:
        """Return where "yes" is likelier."""
        return vectors.double() @ self.weights + self.bias > 0


def fit_logistic_regression(
    vectors: Float[Tensor, "example feature"],
    labels: Bool[Tensor, " example"],
    *,
    penalty: float = 1.0,
) -> LogisticRegression:
    """Return the weights that fit best.

    Raises ValueError if all labels are alike, or the penalty is not above 0.
    """
    if not penalty > 0:
        raise ValueError(f"penalty is {penalty}: choose a number above 0")
    if labels.all() or not labels.any():
        raise ValueError("all examples have one label: give some of both")
    ones = torch.ones(len(vectors), 1, dtype=torch.float64)
    inputs, wanted = torch.cat([vectors.double(), ones], dim=1), labels.double()
    penalties = torch.full((inputs.shape[1],), penalty, dtype=torch.float64)
    penalties[-1] = 0.0
    found = torch.zeros_like(penalties)
    for _ in range(MOST_ITERATIONS):
        p = torch.sigmoid(inputs @ found)
        gradient = inputs.T @ (p - wanted) + penalties * found
        curvature = (inputs * (p * (1 - p)).unsqueeze(1)).T @ inputs + torch.diag(penalties)
        step = torch.linalg.solve(curvature, gradient)
        # Far from the answer a whole step can overshoot: halve it until the sum falls.
        before = _penalized_loss(inputs, wanted, penalties, found)
        while _penalized_loss(inputs, wanted, penalties, found - step) > before + 1e-9 * before:
            step = step / 2
        found = found - step
        if step.abs().max() < SMALLEST_STEP:
            break
    return LogisticRegression(weights=found[:-1], bias=float(found[-1]))


def _penalized_loss(
    inputs: Float[Tensor, "example column"],
    wanted: Float[Tensor, " example"],
    penalties: Float[Tensor, " column"],
    weights: Float[Tensor, " column"],
) -> float:
    loss = F.binary_cross_entropy_with_logits(inputs @ weights, wanted, reduction="sum")
    return float(loss + (penalties * weights**2).sum() / 2)
