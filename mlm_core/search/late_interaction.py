"""Late interaction: each token of a query looks for its best match among a text's tokens.

    s(q, d) = 1/n Σ_i max_j cos(q_i, d_j)    q_i, d_j: states of the query's n tokens and of the
                                             text's; all real ones, [CLS] and [SEP] included

    one vector each      a cosine; query and text are read apart
    late interaction     the mean of the best cosines (MaxSim); also read apart, so the states of
                         texts can be stored, a vector for each token
    cross-encoder        query and text are one input: reranking.py

Source: Khattab & Zaharia 2020, section 3.3 (ColBERT).
Departs: the mean over the query's tokens in place of the sum, which ranks equally and stays between
-1 and 1; no projection to 128 dimensions, no marks of queries and texts, no added [MASK] tokens.

Read before this: vectors.py. Read next: expansion.py.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

from mlm_core.embeddings.word_senses import cosines
from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.search.vectors import read_in_batches
from mlm_core.shapes import Bool, Float, Int, Tensor
from mlm_core.text.tokens import tokenize

QUERIES_AT_ONCE = 16  # of 16 queries and 280 texts, the cosines of all tokens take 3 MB


def max_sim(
    queries: Float[Tensor, "query token hidden"],
    query_is_real: Bool[Tensor, "query token"],
    texts: Float[Tensor, "candidate other hidden"],
    text_is_real: Bool[Tensor, "candidate other"],
) -> Float[Tensor, "query candidate"]:
    """Return the mean over each query's real tokens of the best cosine in a text, -1 to 1.

    >>> query, text = torch.eye(2).unsqueeze(0), torch.tensor([[[3.0, 0.0]]])
    >>> real = torch.ones(1, 2, dtype=torch.bool)
    >>> max_sim(query, real, text, real[:, :1])  # one token finds itself, the other nothing
    tensor([[0.5000]])
    """
    first, second = F.normalize(queries, dim=-1), F.normalize(texts, dim=-1)
    found = torch.einsum("qih,cjh->qcij", first, second)
    best = found.masked_fill(~text_is_real[:, None, :], -torch.inf).amax(dim=-1)
    real = query_is_real.unsqueeze(1)
    return best.masked_fill(~real, 0.0).sum(dim=-1) / real.sum(dim=-1)


def best_matches(
    query: Float[Tensor, "token hidden"], text: Float[Tensor, "other hidden"]
) -> tuple[Int[Tensor, " token"], Float[Tensor, " token"]]:
    """Return the position in the text that each token of a query matches, and the cosine."""
    found = cosines(query, text).max(dim=1)
    return found.indices, found.values


def token_states(
    model: MaskedLanguageModel, sentences: Sequence[str]
) -> list[Float[Tensor, "_ hidden"]]:
    """Return the last states of each sentence's tokens.

    Raises ValueError if there is no sentence.
    """
    texts = [tokenize(model.tokenizer, one, max_tokens=model.max_tokens) for one in sentences]
    found: dict[int, Tensor] = {}
    for numbers, states, not_padding in read_in_batches(model, texts):
        for of_text, one, is_real in zip(numbers, states, not_padding, strict=True):
            found |= dict.fromkeys(of_text, one[is_real])
    return [found[i] for i in range(len(texts))]


@torch.inference_mode()
def late_scores(
    queries: Sequence[Float[Tensor, "_ hidden"]], texts: Sequence[Float[Tensor, "_ hidden"]]
) -> Float[np.ndarray, "query candidate"]:
    """Return the score of each query with each text, from the states of their tokens."""
    searched = _padded(texts)
    rows = [
        max_sim(*_padded(queries[begin : begin + QUERIES_AT_ONCE]), *searched)
        for begin in range(0, len(queries), QUERIES_AT_ONCE)
    ]
    return torch.cat(rows).cpu().numpy()


def _padded(
    states: Sequence[Float[Tensor, "_ hidden"]],
) -> tuple[Float[Tensor, "batch token hidden"], Bool[Tensor, "batch token"]]:
    lengths = torch.tensor([len(one) for one in states], device=states[0].device)
    not_padding = torch.arange(int(lengths.max()), device=lengths.device) < lengths[:, None]
    return pad_sequence(list(states), batch_first=True), not_padding
