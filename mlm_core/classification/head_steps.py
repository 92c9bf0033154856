"""From a text to the probability of each class, with every number on the way.

    h                       the pooled vector: tanh(P h_[CLS] + p), or the mean of all states
    t_kj = h_j * w_kj       what dimension j of h adds for class k
    u_k = sum_j t_kj + c_k  the logit
    y_k = e^u_k / sum e^u   the softmax

A logit is a sum of hundreds of terms: the largest are shown, the others are summed.

Source: SLP3 Eq 11.11; Devlin et al. 2019, section 4.1.
Departs: SLP3 has neither the pooler nor the bias c; BERT has both.

Read before this: ../finetuning/fine_tuned.py.
"""

from dataclasses import dataclass

import torch

from mlm_core.finetuning.fine_tuned import FineTuned
from mlm_core.shapes import Float, Tensor
from mlm_core.text.tokens import TokenizedText

LARGEST_POWER = 50.0  # e^u of a larger logit has too many digits to be read


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassSteps:
    """Every intermediate result of the head, in float64."""

    text: TokenizedText
    pooled: Float[Tensor, " hidden"]  # h
    weights: Float[Tensor, "class hidden"]  # w
    bias: Float[Tensor, " class"]  # c
    terms: Float[Tensor, "class hidden"]  # h_j * w_kj
    logits: Float[Tensor, " class"]  # u
    shift: float  # subtracted from each logit before the power; changes no quotient; mostly 0
    powers: Float[Tensor, " class"]  # e^(u - shift)
    probabilities: Float[Tensor, " class"]  # y


@dataclass(frozen=True, kw_only=True)
class Term:
    """One dimension of h, its weight, and their product."""

    place: int  # j, from 0
    number: float  # h_j
    weight: float  # w_kj
    product: float


@dataclass(frozen=True, kw_only=True)
class TermSum:
    """A logit as a sum: its largest terms, the others together, the bias."""

    shown: tuple[Term, ...]  # the farthest from 0 first
    rest: float
    n_rest: int
    bias: float
    total: float


@torch.inference_mode()
def class_steps(model: FineTuned, text: str, pair: str | None = None) -> ClassSteps:
    """Return every number between a text and its classes' probabilities.

    Raises ValueError if the model reads every token by itself.
    """
    read = model.read(text, pair)
    pooled = model.pooled(read).double()
    classifier = model.upper.head.classifier
    weights, bias = classifier.weight.double(), classifier.bias.double()
    terms = pooled * weights
    logits = terms.sum(dim=1) + bias
    highest = float(logits.max())
    shift = highest if highest > LARGEST_POWER else 0.0
    powers = torch.exp(logits - shift)
    # Not from `powers`: logits far below 0 would give 0/0; softmax subtracts the highest.
    probabilities = torch.softmax(logits, dim=0)
    return ClassSteps(
        text=read,
        pooled=pooled,
        weights=weights,
        bias=bias,
        terms=terms,
        logits=logits,
        shift=shift,
        powers=powers,
        probabilities=probabilities,
    )


def largest_terms(steps: ClassSteps, k: int, n_shown: int) -> TermSum:
    """Return the logit of class number `k` with its `n_shown` terms farthest from 0.

    Raises ValueError if there is no class of that number.
    """
    if not 0 <= k < len(steps.logits):
        raise ValueError(f"class {k} of {len(steps.logits)}: classes count from 0")
    terms = steps.terms[k]
    order = terms.abs().argsort(descending=True, stable=True).tolist()
    shown = tuple(
        Term(
            place=j,
            number=steps.pooled[j].item(),
            weight=steps.weights[k, j].item(),
            product=terms[j].item(),
        )
        for j in order[:n_shown]
    )
    return TermSum(
        shown=shown,
        rest=sum(terms[j].item() for j in order[n_shown:]),
        n_rest=len(order[n_shown:]),
        bias=steps.bias[k].item(),
        total=steps.logits[k].item(),
    )
