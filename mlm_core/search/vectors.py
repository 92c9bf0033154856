"""One vector for a whole sentence, and the sentences that are nearest by it.

    cls    h_[CLS]                       the state of the first token
    mean   (h_1 + ... + h_n) / n         over all real tokens, [CLS] and [SEP] included
    z      (v - μ) / σ                   of either; μ, σ: each dimension over a corpus of sentences

    search: the candidates by their cosine with the query's vector, the highest first

Source: Reimers & Gurevych 2019, section 3 (the two poolings, whose mean takes in [CLS] and [SEP],
too); SLP3 Eq 11.8 to 11.10 and Timkey & van Schijndel 2021 (z-scores).
Departs: raw is what the encoder gives; sentence-transformers can append a layer that makes each
vector's length 1, which no cosine notices.

Read before this: ../embeddings/postprocessing.py, ../finetuning/heads.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from mlm_core.embeddings.contextual import batches_by_length
from mlm_core.embeddings.postprocessing import standardize
from mlm_core.embeddings.word_senses import cosines
from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.finetuning.heads import POOLINGS, Pooling, mean_of_tokens
from mlm_core.search.graded_pairs import SearchTask
from mlm_core.shapes import Bool, Float, Tensor
from mlm_core.text.tokens import TokenizedText, tokenize


def pool_states(
    states: Float[Tensor, "batch token hidden"],
    not_padding: Bool[Tensor, "batch token"],
    pooling: Pooling,
) -> Float[Tensor, "batch hidden"]:
    """Return the first token's state of each text, or the mean over all real tokens.

    Raises ValueError for an unknown pooling.
    """
    if pooling not in POOLINGS:
        raise ValueError(f"pooling {pooling!r}: choose one of {', '.join(POOLINGS)}")
    return states[:, 0] if pooling == "cls" else mean_of_tokens(states, not_padding)


@dataclass(frozen=True, kw_only=True)
class Hit:
    """One sentence that a search found."""

    number: int  # among the candidates
    cosine: float  # with the query, -1 to 1


def sentence_vectors(
    model: MaskedLanguageModel,
    sentences: Sequence[str],
    *,
    pooling: Pooling = "mean",
    layer: int | None = None,
) -> Float[Tensor, "sentence hidden"]:
    """Return one vector for each sentence, of a layer's states (0: the input; None: the last).

    A sentence that is longer than the model's window is cut off there. Raises ValueError if there
    is no sentence, no such layer, or no such pooling.
    """
    return pooled_vectors(model, sentences, poolings=(pooling,), layer=layer)[pooling]


@torch.inference_mode()
def pooled_vectors(
    model: MaskedLanguageModel,
    sentences: Sequence[str],
    *,
    poolings: Sequence[Pooling] = POOLINGS,
    layer: int | None = None,
) -> dict[Pooling, Float[Tensor, "sentence hidden"]]:
    """Return by each pooling what sentence_vectors() gives; the sentences are read once."""
    if layer is not None and not 0 <= layer <= model.n_layers:
        raise ValueError(f"layer {layer}: choose a number from 0 to {model.n_layers}")
    texts = [tokenize(model.tokenizer, one, max_tokens=model.max_tokens) for one in sentences]
    device = model.token_embedding.device
    vectors = {
        pooling: torch.empty(len(texts), model.hidden_size, device=device) for pooling in poolings
    }
    for numbers, states, not_padding in read_in_batches(model, texts, layer):
        for pooling, found in vectors.items():
            pooled = pool_states(states, not_padding, pooling)
            for of_text, vector in zip(numbers, pooled, strict=True):
                found[of_text] = vector
    return vectors


def read_in_batches(
    model: MaskedLanguageModel, texts: Sequence[TokenizedText], layer: int | None = None
) -> Iterator[tuple[list[list[int]], Tensor, Tensor]]:
    """Yield batches: the numbers of the texts that each row is of, their states, the real tokens.

    Equal texts are read once. Raises ValueError if there is no text.
    """
    if not texts:
        raise ValueError("no sentence: give at least one")
    numbers: dict[tuple[int, ...], list[int]] = {}
    for i, text in enumerate(texts):
        numbers.setdefault(tuple(text.ids), []).append(i)
    for batch in batches_by_length(list(numbers)):
        states = model.encode_batch([texts[numbers[ids][0]] for ids in batch]).states
        states = states[-1 if layer is None else layer]
        lengths = torch.tensor([len(ids) for ids in batch])
        not_padding = torch.arange(int(lengths.max())) < lengths[:, None]
        yield [numbers[ids] for ids in batch], states, not_padding.to(states.device)


def z_scored(
    vectors: Float[Tensor, "sentence hidden"], corpus: Float[Tensor, "text hidden"]
) -> Float[Tensor, "sentence hidden"]:
    """Return z of each vector, with the mean and deviation of other sentences' vectors.

    >>> z_scored(torch.tensor([[5.0]]), torch.tensor([[1.0], [3.0]]))
    tensor([[3.]])
    """
    return standardize(vectors, corpus.mean(dim=0), corpus.std(dim=0, correction=0))


def search(
    query: Float[Tensor, " hidden"], candidates: Float[Tensor, "candidate hidden"], n: int
) -> tuple[Hit, ...]:
    """Return the `n` nearest candidates, the nearest first; of equal ones, the earlier.

    >>> search(torch.tensor([1.0, 0.0]), torch.tensor([[0.0, 1.0], [2.0, 0.0]]), 1)
    (Hit(number=1, cosine=1.0),)
    """
    found, order = cosines(query.unsqueeze(0), candidates)[0].sort(descending=True, stable=True)
    return tuple(
        Hit(number=number, cosine=cosine)
        for number, cosine in zip(order[:n].tolist(), found[:n].tolist(), strict=True)
    )


def task_cosines(
    model: MaskedLanguageModel,
    task: SearchTask,
    *,
    pooling: Pooling = "mean",
    layer: int | None = None,
    corpus: Sequence[str] = (),
) -> Float[np.ndarray, "query candidate"]:
    """Return the cosine of each query with each candidate.

    With a `corpus` of sentences, which are none of the task's, all vectors are z-scored by it.
    Raises ValueError as sentence_vectors() does.
    """
    texts = [*task.queries, *task.candidates]
    vectors = sentence_vectors(model, texts, pooling=pooling, layer=layer)
    if corpus:
        of_corpus = sentence_vectors(model, corpus, pooling=pooling, layer=layer)
        vectors = z_scored(vectors, of_corpus)
    return cosines(vectors[: task.n_queries], vectors[task.n_queries :]).cpu().numpy()
