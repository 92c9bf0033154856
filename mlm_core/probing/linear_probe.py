"""Logistic regression on vectors, as a probe and as a baseline.

    y = softmax(x W + c)
    minimize  sum of -log y[label]  +  penalty / 2 * |W|^2

The sum is convex, so there is one minimum; Newton's method finds it in some ten steps (torch's
L-BFGS would import torch's compiler: 1.3 s and 67 MB). Each step comes from conjugate gradients,
without the matrix of second derivatives: (classes x width)^2 numbers, 43 MB at width 768. The bias
c is not penalized.
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

MOST_STEPS = 200
SMALLEST_GRADIENT = 1e-7  # of any weight: the search ends there
SHORTEST = 1e-6  # of a step; below it the loss no longer falls by more than rounding


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
    targets = F.one_hot(labels.long()).double()
    found = torch.zeros(targets.shape[1], inputs.shape[1], dtype=torch.float64)

    def loss(weights: Tensor) -> Tensor:
        errors = F.cross_entropy(inputs @ weights.T, labels.long(), reduction="sum")
        return errors + (penalties * weights**2).sum() / 2

    for _ in range(MOST_STEPS):
        y = (inputs @ found.T).softmax(dim=1)
        gradient = (y - targets).T @ inputs + penalties * found
        if gradient.abs().max() < SMALLEST_GRADIENT:
            break
        step = _newton_step(inputs, y, penalties, gradient)
        length, falls = 1.0, (gradient * step).sum() / 2
        while loss(found - length * step) > loss(found) - length * falls / 2:
            length /= 2
            if length < SHORTEST:
                break
        found = found - length * step
    return LogisticRegression(weights=found[:, :-1], bias=found[:, -1])


def _newton_step(
    inputs: Float[Tensor, "example column"],
    y: Float[Tensor, "example class"],
    penalties: Float[Tensor, " column"],
    gradient: Float[Tensor, "class column"],
) -> Float[Tensor, "class column"]:
    """Return the step s with H s = gradient, by conjugate gradients; H: second derivatives."""
    step, rest = torch.zeros_like(gradient), gradient
    way, size = rest, (rest**2).sum()
    exact = size * min(0.25, size.sqrt().item())  # the nearer the minimum, the more exact
    for _ in range(gradient.numel()):
        scores = inputs @ way.T
        moved = y * (scores - (y * scores).sum(dim=1, keepdim=True))
        product = moved.T @ inputs + penalties * way
        length = size / (way * product).sum()
        step, rest = step + length * way, rest - length * product
        size, before = (rest**2).sum(), size
        if size <= exact:
            break
        way = rest + size / before * way
    return step
