"""The masked-language loss of one text, from the hidden state h to -log P.

    h                                 the encoder's last state at a chosen position
    t = LayerNorm(GELU(h W + c))      BERT's transform; the textbook goes straight to E^T
    u = t E^T + b                     logits: one number for each vocabulary entry
    y = softmax(u)                    probabilities
    -log P(x | h) = -log y[x]         the loss at one position; x is the original token
    L_MLM = 1/|M| sum of these        the mean over the chosen positions M

Only the chosen positions are predicted: all others have the label -100.

Source: SLP3 section 11.2.1, Fig 11.3, Eq 11.3 and 11.4; Devlin et al. 2019, section 3.1;
google-research/bert for the transform and b. The same numbers as torch's
cross_entropy(ignore_index=-100) and transformers' BertForMaskedLM (tested).
Departs: the textbook's text calls the loss "the probability"; it is minus its logarithm.

Read before this: ../training/loop.py; also ../encoder/pretrained.py. Read next:
../pretraining/sentence_pairs.py; also fillers.py.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from tokenizers import Tokenizer
from torch.nn import functional as F

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.encoder.model_list import MissingHeadError
from mlm_core.masking.rule import IGNORED_LABEL
from mlm_core.shapes import Float, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.text.tokens import TokenizedText, role_id

LARGEST_EXPONENT = 709  # of e in a float64


@short_repr()
@dataclass(frozen=True, kw_only=True)
class Predictions:
    """Every step from the states to the losses, one row a chosen position.

    `states` and `transformed` are None for a model that another library runs: it gives logits
    only.
    """

    positions: tuple[int, ...]  # chosen, in the order of the text
    true_ids: tuple[int, ...]  # what the model should predict there
    states: Float[Tensor, "chosen hidden"] | None  # h
    transformed: Float[Tensor, "chosen hidden"] | None  # t
    logits: Float[Tensor, "chosen vocabulary"]  # u
    probabilities: Float[Tensor, "chosen vocabulary"]  # y
    losses: Float[Tensor, " chosen"]  # -log P(true token), in nats

    @property
    def true_probabilities(self) -> list[float]:
        """Return the probability of each true token, 0 to 1."""
        return [row[id_].item() for row, id_ in zip(self.probabilities, self.true_ids, strict=True)]

    @property
    def loss(self) -> float:
        """Return L_MLM, the mean over the chosen positions."""
        return self.losses.mean().item()

    @property
    def perplexity(self) -> float:
        """Return e to the mean loss."""
        return perplexity(self.loss)


def labels_of(ids: Sequence[int], positions: Collection[int]) -> tuple[int, ...]:
    """Return the id where a position is chosen, -100 elsewhere.

    Raises ValueError for a position outside the text.

    >>> labels_of([101, 7, 9, 102], {2})
    (-100, -100, 9, -100)
    """
    outside = [position for position in positions if not 0 <= position < len(ids)]
    if outside:
        raise ValueError(
            f"position {outside[0]} is chosen, but the text has positions 0 to {len(ids) - 1}:"
            " choose among them"
        )
    return tuple(id_ if i in positions else IGNORED_LABEL for i, id_ in enumerate(ids))


def put_tokens(text: TokenizedText, ids: Mapping[int, int], tokenizer: Tokenizer) -> TokenizedText:
    """Return the text with other ordinary tokens at some positions, as the model is to see it.

    Words and characters stay those of the original tokens.
    """
    return _with_tokens(text, ids, tokenizer, are_special=False)


def hide(text: TokenizedText, positions: Iterable[int], tokenizer: Tokenizer) -> TokenizedText:
    """Return the text with [MASK] at some positions; words and characters stay.

    Raises ValueError if the tokenizer has no such token.
    """
    mask_id = role_id(tokenizer, "[MASK]")
    return _with_tokens(text, dict.fromkeys(positions, mask_id), tokenizer, are_special=True)


def _with_tokens(
    text: TokenizedText, ids: Mapping[int, int], tokenizer: Tokenizer, *, are_special: bool
) -> TokenizedText:
    tokens = list(text.tokens)
    for position, id_ in ids.items():
        name = tokenizer.id_to_token(id_) or f"row {id_}"
        tokens[position] = replace(tokens[position], id=id_, text=name, is_special=are_special)
    return replace(text, tokens=tuple(tokens))


@torch.inference_mode()
def predict(
    model: MaskedLanguageModel,
    seen: TokenizedText,
    labels: Sequence[int],
    *,
    causal: bool = False,
) -> Predictions:
    """Return what the model predicts at each labelled position of a text.

    Raises ValueError if no position has a label: a mean over nothing is undefined;
    MissingHeadError if the model has no masked-language head.
    """
    if len(labels) != len(seen.tokens):
        raise ValueError(
            f"{len(labels)} labels for {len(seen.tokens)} tokens: give each token a label,"
            f" {IGNORED_LABEL} where it doesn't count"
        )
    positions = tuple(i for i, label in enumerate(labels) if label != IGNORED_LABEL)
    if not positions:
        raise ValueError("no position is chosen, so there is no loss: choose at least one")
    states = transformed = None
    if model.bert is None:
        logits = model.vocabulary_logits(seen, causal=causal)[list(positions)]
    else:
        head, embedding = model.bert.masked_language_head, model.bert.embeddings.token.weight
        if head is None:
            raise MissingHeadError(model.name)
        states = model.encode(seen, causal=causal).last[0, list(positions)]
        transformed = head.norm(F.gelu(head.transform(states)))
        logits = F.linear(transformed, embedding, head.bias)
    true_ids = torch.tensor([labels[i] for i in positions], device=logits.device)
    log_probabilities = torch.log_softmax(logits, dim=-1)
    return Predictions(
        positions=positions,
        true_ids=tuple(true_ids.tolist()),
        states=states,
        transformed=transformed,
        logits=logits,
        probabilities=log_probabilities.exp(),
        losses=-log_probabilities.gather(-1, true_ids.unsqueeze(-1)).squeeze(-1),
    )


@torch.inference_mode()
def losses_everywhere(
    model: MaskedLanguageModel, seen: TokenizedText, ids: Sequence[int], *, causal: bool = False
) -> Float[Tensor, " token"]:
    """Return -log P of the true token at every position, whether or not it was chosen.

    Pretraining does not compute these. They show the loss that other positions would have.
    """
    log_probabilities = model.vocabulary_logits(seen, causal=causal).log_softmax(dim=-1)
    true_ids = torch.tensor(ids, device=log_probabilities.device)
    return -log_probabilities.gather(-1, true_ids.unsqueeze(-1)).squeeze(-1)


def mean_over(losses: Sequence[float], positions: Collection[int]) -> float:
    """Return the mean loss over some positions.

    Raises ValueError if there are none.

    >>> mean_over([9.0, 1.0, 2.0], {1, 2})
    1.5
    """
    if not positions:
        raise ValueError("no position counts, so there is no loss: let at least one count")
    return sum(losses[i] for i in positions) / len(positions)


def perplexity(loss: float) -> float:
    """Return e to the loss: the number of equally likely tokens that gives this loss.

    >>> round(perplexity(math.log(20)), 9)
    20.0
    """
    return math.exp(loss) if loss < LARGEST_EXPONENT else math.inf


def passes_for_as_many(n_tokens: int, n_chosen: int) -> int:
    """Return the passes until masking has as many losses as one causal pass.

    A causal model has a loss at every token, the first predicted from [CLS]. Source: Clark et al.
    2020 (ELECTRA), section 3.5, which measures the effect.
    Raises ValueError if nothing is chosen, or more than there is.
    """
    if not 1 <= n_chosen <= n_tokens:
        raise ValueError(f"{n_chosen} of {n_tokens} tokens are chosen: choose 1 to {n_tokens}")
    return math.ceil(n_tokens / n_chosen)


def proportion_scored(mlm_probability: float, n_passes: int) -> float:
    """Return the expected proportion of tokens chosen at least once in some passes.

    Each pass chooses anew ("dynamic masking"), so k passes choose none with (1 - p)^k.

    >>> round(proportion_scored(0.15, 10), 3)
    0.803
    """
    return 1.0 - (1.0 - mlm_probability) ** n_passes
