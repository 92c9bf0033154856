"""Logistic regression: the simplest classifier on vectors, as a probe and as a baseline.

    y = softmax(x W + c)
    lowers   sum of -log y[label]  +  penalty / 2 * |W|^2

The sum is convex, so there is one answer. Newton's method finds it: each step solves H s = g for
the gradient g by conjugate gradients, which need H only times a vector. The bias c is not
penalized. Of two classes each has a row of W, so a penalty p here is one of p / 2 for the single
row of the binary form.

Source: SLP3, chapter "Logistic Regression"; Nocedal & Wright 2006, algorithm 7.1 (Newton-CG);
scikit-learn's LogisticRegression(C = 1 / penalty) gives the same numbers (tested).

Read before this: ../shapes.py.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch.nn import functional as F

from mlm_core.shapes import Float, Int, Tensor

MOST_STEPS, MOST_PRODUCTS = 50, 500  # of Newton; of conjugate gradients in each
SMALLEST_STEP = 1e-9  # of any weight; below, nothing changes any more


@dataclass(frozen=True, eq=False, kw_only=True)
class LogisticRegression:
    """The weights that were found."""

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
    """Return the weights that fit best; the classes are numbered from 0.

    Raises ValueError if all labels are alike, or the penalty is not above 0.
    """
    if not penalty > 0:
        raise ValueError(f"penalty is {penalty}: choose a number above 0")
    if (labels == labels[0]).all():
        raise ValueError("all examples have one class: give some of at least two")
    ones = torch.ones(len(vectors), 1, dtype=torch.float64)
    inputs, wanted = torch.cat([vectors.double(), ones], dim=1), F.one_hot(labels).double()
    penalties = torch.full((inputs.shape[1],), penalty, dtype=torch.float64)
    penalties[-1] = 0.0
    found = torch.zeros(wanted.shape[1], inputs.shape[1], dtype=torch.float64)

    def loss(weights: Tensor) -> float:
        log_y = torch.log_softmax(inputs @ weights.T, dim=1)
        return float((penalties * weights**2).sum() / 2 - (wanted * log_y).sum())

    for _ in range(MOST_STEPS):
        y = torch.softmax(inputs @ found.T, dim=1)

        def curvature_times(direction: Tensor, y: Tensor = y) -> Tensor:
            change = y * (inputs @ direction.T)
            change = change - y * change.sum(dim=1, keepdim=True)
            return change.T @ inputs + penalties * direction

        step = _solve(curvature_times, (y - wanted).T @ inputs + penalties * found)
        step[:, -1] -= step[:, -1].mean()  # the same shift of every bias changes nothing
        # Far from the answer a whole step can overshoot: halve it until the sum falls.
        before = loss(found)
        while loss(found - step) > before + 1e-9 * before:
            step = step / 2
        found = found - step
        if step.abs().max() < SMALLEST_STEP:
            break
    return LogisticRegression(weights=found[:, :-1], bias=found[:, -1])


def _solve(
    product: Callable[[Float[Tensor, "class column"]], Float[Tensor, "class column"]],
    gradient: Float[Tensor, "class column"],
) -> Float[Tensor, "class column"]:
    """Return s with H s = gradient, up to a thousandth, by conjugate gradients."""
    solution, rest, direction = torch.zeros_like(gradient), gradient, gradient
    square = wanted = (rest**2).sum()
    for _ in range(MOST_PRODUCTS):
        if square <= 1e-6 * wanted or square == 0:
            break
        curved = product(direction)
        length = square / (direction * curved).sum()
        solution, rest = solution + length * direction, rest - length * curved
        square, last = (rest**2).sum(), square
        direction = rest + square / last * direction
    return solution
