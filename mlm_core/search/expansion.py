"""Expansion: a text as weighted words of the vocabulary, also of words that it does not have.

    w_v   = max_i ln(1 + relu(l_iv))         l_iv: the masked-language head's logit of v at token i
    score = cosine of the idf-weighted words of query and text, as in tf_idf.py

Texts that share no word can share a word of their expansions. Such weights fit into the inverted
index of a search engine.

Source: Formal et al. 2021 (SPLADE, with the maximum over the tokens).
Departs: the head is as pretraining left it, with no training for search. It is not sparse then: of
16,000 words, some 2,000 have a weight at a token. So the `N_WORDS` heaviest of a text are kept, and
rare ones weigh more, where SPLADE learns both.

Read before this: tf_idf.py, late_interaction.py, ../encoder/bert.py. Read next: reranking.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional as F

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.search.vectors import read_in_batches
from mlm_core.shapes import Float, Int, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.text.tokens import tokenize

# Of 20, 50, 100, 200 and 400, the best by the reciprocal rank on the English dev part.
N_WORDS = 200


@short_repr()
@dataclass(frozen=True, eq=False, kw_only=True)
class Expansion:
    """The heaviest words of some texts, the heaviest first."""

    ids: Int[Tensor, "sentence word"]
    weights: Float[Tensor, "sentence word"]  # 0 or more


def word_weights(logits: Float[Tensor, "token vocabulary"]) -> Float[Tensor, " vocabulary"]:
    """Return the weight of each word: its largest over the tokens.

    >>> word_weights(torch.tensor([[1.0, -5.0], [0.0, -2.0]]).expm1())
    tensor([1., 0.])
    """
    return torch.log1p(F.relu(logits)).amax(dim=0)


@torch.inference_mode()
def expand(
    model: MaskedLanguageModel, sentences: Sequence[str], n_words: int = N_WORDS
) -> Expansion:
    """Return the heaviest words of each sentence.

    Raises ValueError if there is no sentence, MissingHeadError if the model has no such head.
    """
    texts = [tokenize(model.tokenizer, one, max_tokens=model.max_tokens) for one in sentences]
    n_words = min(n_words, model.tokenizer.get_vocab_size())
    ids = torch.empty(len(texts), n_words, dtype=torch.long)
    weights = torch.empty(len(texts), n_words)
    for numbers, states, not_padding in read_in_batches(model, texts):
        for of_text, one, is_real in zip(numbers, states, not_padding, strict=True):
            # One text at a time: a batch's logits over the whole vocabulary would take 60 MB.
            kept = word_weights(model.logits_of_states(one[is_real])).topk(n_words)
            for number in of_text:
                ids[number], weights[number] = kept.indices.cpu(), kept.values.cpu()
    return Expansion(ids=ids, weights=weights)


def by_idf(
    expansion: Expansion, texts: Expansion, n_vocabulary: int
) -> Float[np.ndarray, "sentence word"]:
    """Return the weights of kept words times their idf among the texts that are searched."""
    n_with = np.bincount(texts.ids[texts.weights > 0].numpy(), minlength=n_vocabulary)
    idf = np.log((1 + len(texts.ids)) / (1 + n_with)) + 1
    return expansion.weights.numpy() * idf[expansion.ids.numpy()]


def expansion_scores(
    queries: Expansion, texts: Expansion, n_vocabulary: int
) -> Float[np.ndarray, "query candidate"]:
    """Return the cosine of each query's words with each text's, 0 to 1; rare words weigh more."""
    ids = texts.ids.numpy()
    of_queries, of_texts = (by_idf(one, texts, n_vocabulary) for one in (queries, texts))
    scores = np.zeros((len(queries.ids), len(texts.ids)))
    weights = np.zeros(n_vocabulary)
    for row, words, found in zip(scores, queries.ids.numpy(), of_queries, strict=True):
        weights[words] = found
        row[:] = (weights[ids] * of_texts).sum(axis=1) / np.linalg.norm(found)
        weights[words] = 0.0
    return scores / np.linalg.norm(of_texts, axis=1)
