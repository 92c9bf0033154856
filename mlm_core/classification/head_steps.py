"""From a text to the probability of each class, or of each tag, with every number on the way.

    h                       the pooled vector: tanh(P h_[CLS] + p), or the mean of all states;
                            of a tagger one subword's state
    u_k = h . w_k + c_k     the logit, a dot product
    y_k = e^u_k / sum e^u   the softmax

Source: SLP3 Eq 11.11 (classes), Eq 11.12 (tags); Devlin et al. 2019, sections 4.1 and 5.3.
Departs: SLP3 has neither the pooler nor the bias c; BERT has both. Its W_K is [hidden, tag]; here
each class has a row of weights, as torch stores them.

Read before this: ../finetuning/fine_tuned.py.
"""

from dataclasses import dataclass

import torch

from mlm_core.finetuning.fine_tuned import FineTuned
from mlm_core.finetuning.heads import TokenHead
from mlm_core.shapes import Float, Tensor
from mlm_core.text.tokens import TokenizedText

LARGEST_POWER = 50.0  # e^u of a larger logit has too many digits to be read


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassSteps:
    """Every intermediate result of the head, in float64."""

    text: TokenizedText
    pooled: Float[Tensor, " hidden"]  # h; of a tagger h_i
    weights: Float[Tensor, "class hidden"]  # w
    bias: Float[Tensor, " class"]  # c
    logits: Float[Tensor, " class"]  # u
    shift: float  # subtracted from each logit before the power; changes no quotient; mostly 0
    powers: Float[Tensor, " class"]  # e^(u - shift)
    probabilities: Float[Tensor, " class"]  # y


@torch.inference_mode()
def class_steps(model: FineTuned, text: str, pair: str | None = None) -> ClassSteps:
    """Return every number between a text and its classes' probabilities.

    Raises ValueError if the model reads every token by itself.
    """
    read = model.read(text, pair)
    return _steps(model, read, model.pooled(read))


@torch.inference_mode()
def tag_steps(model: FineTuned, text: TokenizedText, position: int) -> ClassSteps:
    """Return every number between one subword's last state and its tags' probabilities.

    Raises ValueError if the model classifies whole texts, or the text has no such position.
    """
    if not isinstance(model.upper.head, TokenHead):
        raise ValueError("this model has one vector for the whole text: use class_steps")
    if not 0 <= position < len(text.tokens):
        raise ValueError(f"position {position} of {len(text.tokens)} tokens: they count from 0")
    return _steps(model, text, model.states(text)[position])


def _steps(model: FineTuned, text: TokenizedText, vector: Float[Tensor, " hidden"]) -> ClassSteps:
    pooled = vector.double()
    classifier = model.upper.head.classifier
    weights, bias = classifier.weight.double(), classifier.bias.double()
    logits = weights @ pooled + bias
    highest = float(logits.max())
    shift = highest if highest > LARGEST_POWER else 0.0
    powers = torch.exp(logits - shift)
    # Not from `powers`: logits far below 0 would give 0/0; softmax subtracts the highest.
    probabilities = torch.softmax(logits, dim=0)
    return ClassSteps(
        text=text,
        pooled=pooled,
        weights=weights,
        bias=bias,
        logits=logits,
        shift=shift,
        powers=powers,
        probabilities=probabilities,
    )
