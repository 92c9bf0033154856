"""Nearest neighbours of a word in the embedding table, and in its sentence.

    word     row of the embedding matrix E, before any context       cosine with other rows
    state    last layer's vector of a word in a sentence             cosine with other occurrences

The first is one vector for all uses of a word; the second is computed for each sentence, so a
blank has neighbours too: the words of similar contexts.

Source: SLP3 section 11.3 (contextual embeddings; cosine as their likeness).
Departs: special tokens are never neighbours; a word of several subwords has the mean of their
states.

Read before this: ../encoder/language_model.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch.nn import functional as F

from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.shapes import Float, Tensor
from mlm_core.text.tokens import TokenizedText, entry_of, special_token_ids, tokenize

SENTENCES_A_PASS = 32


@dataclass(frozen=True, kw_only=True)
class NearToken:
    """A neighbour among the rows of the embedding matrix."""

    id: int
    text: str  # as the vocabulary writes it
    cosine: float  # -1 to 1


@dataclass(frozen=True, kw_only=True)
class NearOccurrence:
    """A neighbour among the words of a bank."""

    occurrence: MarkedSentence
    cosine: float  # -1 to 1


@dataclass(frozen=True, eq=False, kw_only=True)
class StateBank:
    """The words of some sentences, each with its vector of length 1."""

    occurrences: tuple[MarkedSentence, ...]
    vectors: Float[Tensor, "occurrence hidden"]
    causal: bool  # read from the left only


def nearest_tokens(model: MaskedLanguageModel, id_: int, n: int = 10) -> tuple[NearToken, ...]:
    """Return the tokens whose embeddings have the largest cosine with one token's.

    Raises ValueError if the model gives no embeddings, or has no such token.
    """
    if model.bert is None:
        raise ValueError(f"{model.name} runs through another library: choose a BERT")
    table = model.bert.embeddings.token.weight.detach()
    if not 0 <= id_ < len(table):
        raise ValueError(f"token {id_}: the vocabulary has the ids 0 to {len(table) - 1}")
    cosines = F.normalize(table, dim=-1) @ F.normalize(table[id_], dim=-1)
    cosines[[id_, *special_token_ids(model.tokenizer)]] = -torch.inf
    found = cosines.topk(min(n, int(cosines.isfinite().sum())))
    return tuple(
        NearToken(id=near, text=entry_of(model.tokenizer, near), cosine=cosine)
        for near, cosine in zip(found.indices.tolist(), found.values.tolist(), strict=True)
    )


def make_bank(
    model: MaskedLanguageModel, sentences: Sequence[str], *, causal: bool = False
) -> Iterator[StateBank | None]:
    """Yield None after each few sentences, and the bank of all their words at the end.

    Raises ValueError if there is no word.
    """
    occurrences: list[MarkedSentence] = []
    vectors: list[Tensor] = []
    for start in range(0, len(sentences), SENTENCES_A_PASS):
        some = sentences[start : start + SENTENCES_A_PASS]
        texts = [tokenize(model.tokenizer, one, max_tokens=model.max_tokens) for one in some]
        states = model.encode_batch(texts, causal=causal).last
        for sentence, text, state in zip(some, texts, states, strict=True):
            for word in text.words:
                if any(letter.isalnum() for letter in word.text):
                    occurrences.append(
                        MarkedSentence(text=sentence, start=word.start, end=word.stop)
                    )
                    vectors.append(_mean_state(state, word.positions))
        yield None
    if not occurrences:
        raise ValueError("no word to compare with: give sentences")
    unit_vectors = F.normalize(torch.stack(vectors), dim=-1)
    yield StateBank(occurrences=tuple(occurrences), vectors=unit_vectors, causal=causal)


def nearest_occurrences(
    model: MaskedLanguageModel,
    bank: StateBank,
    text: TokenizedText,
    positions: Sequence[int],
    n: int = 10,
) -> tuple[NearOccurrence, ...]:
    """Return the words whose states are nearest to that of a word, or a blank.

    `positions` are the tokens of the word (one for a blank). Words of the same sentence are
    left out. Raises ValueError if there is no such position.
    """
    if not positions or not all(0 <= position < len(text.tokens) for position in positions):
        raise ValueError(f"positions {list(positions)}: the text has {len(text.tokens)} tokens")
    states = model.encode(text, causal=bank.causal).last[0]
    cosines = bank.vectors @ F.normalize(_mean_state(states, positions), dim=-1)
    order = cosines.argsort(descending=True).tolist()
    elsewhere = [i for i in order if bank.occurrences[i].text != text.text][:n]
    return tuple(
        NearOccurrence(occurrence=bank.occurrences[i], cosine=float(cosines[i])) for i in elsewhere
    )


def _mean_state(
    states: Float[Tensor, "token hidden"], positions: Sequence[int]
) -> Float[Tensor, " hidden"]:
    return states[list(positions)].mean(dim=0)
