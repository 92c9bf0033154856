"""Which words led to a prediction? Three answers, each a number for each word of the text.

    f(text) = log P(token at the blank | text)      base: the text with every word a [MASK]

    occlusion             f(text) - f(text with the word's subwords as [MASK])
    integrated gradients  (e - e') . mean gradient of f on the way from e' to e; e, e' the input
                          vectors of text and base. All parts sum to f(text) - f(base).
    attention             the blank's weight for the word in one layer, mean of its heads

The first two are nats with a sign; attention has none, and does not depend on the token.

Source: Li et al. 2016 and Zeiler & Fergus 2014 for occlusion; Sundararajan et al. 2017 for
integrated gradients; Jain & Wallace 2019 for the comparison with attention, by rank correlation.
Departs: Sundararajan et al. take steps of equal length; here they are Gauss-Legendre points, of
which 64 are as exact as some thousand equal ones. The base is [MASK], which stands for a word that
isn't known, in place of a vector of zeros.

Read before this: lens.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.evaluation.metrics import spearman
from mlm_core.prediction.fillers import only_blank
from mlm_core.prediction.masked_words import hide
from mlm_core.shapes import Float, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.text.tokens import TokenizedText, Word

FEWEST_STEPS, MOST_STEPS = 32, 256
LARGEST_GAP = 0.001  # nats
MOST_TOKENS = 64  # of a text: it is read once for each word, and forwards and back for each step
# Of all copies of a text in one pass. It keeps its states for the way back: 47 MB at the sizes of
# BERT-base. More at once is hardly faster.
TOKENS_A_PASS = 128
# Measured: numbers that are kept, for each token, layer and dimension.
NUMBERS_KEPT = 11


@short_repr("parts", "difference", "gap", "n_steps")
@dataclass(frozen=True, kw_only=True)
class IntegratedGradients:
    """The part of each word in f(text) - f(base), and how nearly they sum to it."""

    parts: tuple[float, ...]  # nats, of the words in order
    difference: float  # f(text) - f(base)
    gap: float  # sum of the parts of all tokens - difference
    n_steps: int


def words_around(model: MaskedLanguageModel, text: TokenizedText) -> tuple[Word, ...]:
    """Return the words of a text but its blank.

    [CLS] and [SEP] that the tokenizer adds are none; where they are typed, they are words.
    Raises ValueError unless there is one blank, or for more than MOST_TOKENS tokens.
    """
    if len(text.tokens) > MOST_TOKENS:
        raise ValueError(f"{len(text.tokens)} tokens: shorten the text to {MOST_TOKENS}")
    blank = only_blank(text, model.tokenizer)
    return tuple(word for word in text.words if blank not in word.positions)


@torch.inference_mode()
def occlusion(model: MaskedLanguageModel, text: TokenizedText, token: int) -> tuple[float, ...]:
    """Return by how much log P of a token at the blank falls without each word, in nats.

    Below 0: without this word the token is more probable.
    """
    blank, words = only_blank(text, model.tokenizer), words_around(model, text)
    hidden = [hide(text, word.positions, model.tokenizer) for word in words]
    ids = torch.tensor([one.ids for one in (text, *hidden)])
    log_p = torch.cat(
        [
            model.logits_of_vectors(vectors, text, blank).log_softmax(dim=-1)[:, token]
            for vectors in model.token_embedding[ids].split(_at_once(text))
        ]
    )
    return tuple((log_p[0] - log_p[1:]).tolist())


def integrated_gradients(
    model: MaskedLanguageModel, text: TokenizedText, token: int
) -> IntegratedGradients:
    """Return each word's part in log P of a token at the blank.

    The steps are doubled until the parts sum to the difference within LARGEST_GAP, or there are
    MOST_STEPS; then the gap says so.
    """
    blank, words = only_blank(text, model.tokenizer), words_around(model, text)
    base = hide(text, [i for word in words for i in word.positions], model.tokenizer)
    ends = [model.token_embedding[torch.tensor(one.ids)] for one in (base, text)]
    with torch.no_grad():
        logits = model.logits_of_vectors(torch.stack(ends), text, blank)
        low, high = logits.log_softmax(dim=-1)[:, token].tolist()
    n_steps = FEWEST_STEPS
    while True:
        gradient = _mean_gradient(model, text, ends, blank, token, n_steps)
        of_tokens = ((ends[1] - ends[0]) * gradient).sum(dim=-1)
        gap = of_tokens.sum().item() - (high - low)
        if abs(gap) < LARGEST_GAP or n_steps >= MOST_STEPS:
            break
        n_steps *= 2
    return IntegratedGradients(
        parts=tuple(of_tokens[list(word.positions)].sum().item() for word in words),
        difference=high - low,
        gap=gap,
        n_steps=n_steps,
    )


def _mean_gradient(
    model: MaskedLanguageModel,
    text: TokenizedText,
    ends: Sequence[Float[Tensor, "token width"]],
    blank: int,
    token: int,
    n_steps: int,
) -> Float[Tensor, "token width"]:
    """Return the mean gradient of log P on the straight way between two texts' vectors."""
    total, at_once = torch.zeros_like(ends[0]), _at_once(text)
    points, weights = (  # from -1 to 1; the weights sum to 2
        torch.from_numpy(each).to(total)[:, None, None]
        for each in np.polynomial.legendre.leggauss(n_steps)
    )
    for first in range(0, n_steps, at_once):
        part = slice(first, first + at_once)
        share = (points[part] + 1) / 2
        vectors = (ends[0] + share * (ends[1] - ends[0])).requires_grad_()
        logits = model.logits_of_vectors(vectors, text, blank)
        (gradients,) = torch.autograd.grad(logits.log_softmax(dim=-1)[:, token].sum(), vectors)
        total += (weights[part] / 2 * gradients).sum(dim=0)
    return total


def _at_once(text: TokenizedText) -> int:
    """Return how many copies of a text one pass takes."""
    return max(1, TOKENS_A_PASS // len(text.tokens))


def pass_bytes(model: MaskedLanguageModel, text: TokenizedText) -> int:
    """Return about how much memory a pass with gradients takes: its states, and its logits.

    The logits are there with their softmax and their gradient.
    """
    of_states = NUMBERS_KEPT * len(text.tokens) * model.n_layers * model.hidden_size
    return 4 * _at_once(text) * (of_states + 3 * model.tokenizer.get_vocab_size())


def attention_of(model: MaskedLanguageModel, text: TokenizedText, layer: int) -> tuple[float, ...]:
    """Return the blank's attention weight for each word in a layer, 1 for the first.

    The mean of the layer's heads. What they don't sum to goes to the blank, [CLS] and [SEP].
    Raises MissingWeightsError if the model gives no weights; ValueError for no such layer.
    """
    if not 1 <= layer <= model.n_layers:
        raise ValueError(f"layer {layer}: this model has 1 to {model.n_layers}")
    blank = only_blank(text, model.tokenizer)
    weights = model.encode(text, record=True).weights[layer - 1][0, :, blank].mean(dim=0)
    return tuple(weights[list(word.positions)].sum().item() for word in words_around(model, text))


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's rank correlation of the sizes of two attributions, -1 to 1.

    Sizes without signs, since attention has none. NaN for less than two words, or where all have
    one rank.

    >>> round(rank_correlation([0.1, -0.9, 0.5], [1, 3, 2]), 9)
    1.0
    """
    sizes = (np.abs(np.array(each, dtype=float)) for each in (first, second))
    return spearman(*sizes, np.ones((1, len(first)), dtype=int)).item()
