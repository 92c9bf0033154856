"""Logistic regression on vectors, as a probe and as a baseline.

    y = softmax(x W + c)
    minimize  sum of -log y[label]  +  penalty / 2 * |W|^2

The sum is convex, so there is one minimum; torch's L-BFGS finds it. The bias c is not penalized.
Each class has a row of W, also if there are two: a penalty p here is one of p / 2 for the single
row of the binary form.

Source: SLP3, chapter "Logistic Regression"; scikit-learn's LogisticRegression(C = 1 / penalty)
gives the same numbers (tested).

Read before this: ../shapes.py.
"""

from dataclasses import dataclass

import torch
from torch.nn import functional as F

from mlm_core.shapes import Float, Int, Tensor

MOST_STEPS = 2_000
SMALLEST_GRADIENT = 1e-7  # of any weight: the search ends there


@dataclass(frozen=True, eq=False, kw_only=True)
class LogisticRegression:
    """The fitted weights."""

    weights: Float[Tensor, "class feature"]
    bias: Float[Tensor, " class"]

    def predict(self, vectors: Float[Tensor, "example feature"]) -> Int[Tensor, " example"]:
        """Return the likeliest class of each vector."""
        return (vectors.double() @ self.weights.T + self.bias).argmax(dim=1)


def fit_logistic_regression(
    vectors: Float[Tensor, "example feature"],
    labels: Int[Tensor, " example"],
    *,
    penalty: float = 1.0,
) -> LogisticRegression:
    """Return the weights of least penalized loss; the classes are numbered from 0.

    Raises ValueError if all labels are alike, or the penalty is not above 0.
    """
    if not penalty > 0:
        raise ValueError(f"penalty is {penalty}: choose a number above 0")
    if (labels == labels[0]).all():
        raise ValueError("all examples have one class: give some of at least two")
    inputs = F.pad(vectors.double(), (0, 1), value=1.0)  # the last column is the bias
    penalties = torch.full((inputs.shape[1],), penalty, dtype=torch.float64)
    penalties[-1] = 0.0
    found = torch.zeros(int(labels.max()) + 1, inputs.shape[1], dtype=torch.float64)
    optimizer = torch.optim.LBFGS(
        [found.requires_grad_()],
        max_iter=MOST_STEPS,
        history_size=20,
        tolerance_grad=SMALLEST_GRADIENT,
        tolerance_change=0.0,
        line_search_fn="strong_wolfe",
    )

    def loss() -> Tensor:
        optimizer.zero_grad()
        errors = F.cross_entropy(inputs @ found.T, labels, reduction="sum")
        total = errors + (penalties * found**2).sum() / 2
        total.backward()
        return total

    with torch.enable_grad():
        optimizer.step(loss)
    found = found.detach()
    return LogisticRegression(weights=found[:, :-1], bias=found[:, -1])
