"""The vector of a word in its sentence, from any layer.

    h^L                       the last layer's output, and any other layer's
    (h^L + ... + h^(L-3)) / 4   the mean of the last four, or their sum
    E[w]                      beside them the static input vector, the same in every sentence

A word of several subwords has the mean of their vectors, or the first one's. Sentences are read
in batches of similar length, so that little padding is computed; the vectors are those that each
sentence would get alone (tested to 1e-5).

Source: SLP3 section 11.3, Fig 11.5. The mean and the sum of the last four layers point in the
same direction, so no cosine tells them apart.
Departs: of a model with fewer than four layers, all layers are taken.

Read before this: ../small_runs/run.py; also locating.py. Read next: word_senses.py.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import torch

from mlm_core.embeddings.locating import LocatedWord, locate_words
from mlm_core.embeddings.senses_data import MarkedSentence
from mlm_core.encoder.fast_paths import states_at_positions
from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.shapes import Float, Int, Tensor
from mlm_core.short_repr import short_repr
from mlm_core.text.tokens import TokenizedText

LayerPooling = Literal["mean_last_4", "sum_last_4"]
Layer = int | LayerPooling  # 0 is the embedding output, n_layers the last layer's
Pooling = Literal["mean", "first"]
POOLINGS: tuple[Pooling, ...] = get_args(Pooling)
N_POOLED = 4  # layers
# Measured: the time is the same from 256 to 2,048, and the states of a batch take memory.
TOKENS_A_BATCH = 1024
ENOUGH_TOKENS = 256  # in a batch, before padding costs more than another batch


@short_repr()
@dataclass(frozen=True, kw_only=True)
class WordVectors:
    """One word in each of several sentences, at every layer."""

    sentences: tuple[MarkedSentence, ...]
    located: tuple[LocatedWord, ...]  # one a sentence
    pooling: Pooling
    states: Float[Tensor, "layer sentence hidden"]  # layer 0 is the embedding output
    static: Float[Tensor, "sentence width"]  # from the input table, no sentence in it

    @property
    def n_left_out(self) -> tuple[int, ...]:
        """Return for each sentence the tokens that found no room in the model's window."""
        return tuple(word.text.n_left_out for word in self.located)

    def at(self, layer: Layer) -> Float[Tensor, "sentence hidden"]:
        """Return the vectors of one layer, or of the last four mixed."""
        return take_layer(self.states, layer)


def all_layers_word_vectors(
    model: MaskedLanguageModel,
    sentences: Sequence[MarkedSentence],
    *,
    pooling: Pooling = "mean",
    on_progress: Callable[[int, int], None] | None = None,
) -> WordVectors:
    """Return the marked words' vectors at every layer, each distinct text encoded once.

    `on_progress` is called after each batch with the number of texts done and of all texts.
    Raises ValueError if there is no sentence, or a word can't be found among the tokens.
    """
    located = _locate(model, sentences, pooling)
    table = model.token_embedding
    size = (model.n_layers + 1, len(sentences), model.hidden_size)
    states = torch.empty(size, device=table.device)
    batches = list(_word_batches(located, pooling))
    n_done, n_all = 0, sum(len(batch.texts) for batch in batches)
    for batch in batches:
        layers, at = model.encode_batch(batch.texts).states, batch.at.to(table.device)
        for layer, of_texts in enumerate(layers):
            states[layer, batch.sentences] = batch.pooled(states_at_positions(of_texts, at))
        n_done += len(batch.texts)
        if on_progress is not None:
            on_progress(n_done, n_all)
    static = torch.stack(
        [
            table[_pooled([subword.id for subword in word.subwords], pooling)].mean(dim=0)
            for word in located
        ]
    )
    return WordVectors(
        sentences=tuple(sentences), located=located, pooling=pooling, states=states, static=static
    )


def word_vectors(
    model: MaskedLanguageModel,
    sentences: Sequence[MarkedSentence],
    *,
    layer: Layer,
    pooling: Pooling = "mean",
) -> Float[Tensor, "sentence hidden"]:
    """Return the marked words' vectors at one layer, or of the last four layers mixed.

    Of one layer nothing more is computed than is asked for: of the last, a tenth less than of all.
    Raises ValueError if there is no sentence or no such layer.
    """
    _refuse_layer(layer, model.n_layers)
    if not isinstance(layer, int):
        return all_layers_word_vectors(model, sentences, pooling=pooling).at(layer)
    vectors = torch.empty(len(sentences), model.hidden_size, device=model.token_embedding.device)
    for batch in _word_batches(_locate(model, sentences, pooling), pooling):
        vectors[batch.sentences] = batch.pooled(model.states_at(batch.texts, layer, batch.at))
    return vectors


@dataclass(frozen=True, eq=False, kw_only=True)
class _WordBatch:
    """Some texts that go through the model together, and the words marked in them."""

    texts: list[TokenizedText]
    at: Int[Tensor, "text position"]  # the positions of each text's marked words
    sentences: list[int]  # the number of each marked word
    text_of_word: list[int]
    proportions: Float[Tensor, "word 1 position"]  # of each position's vector in the word's

    def pooled(
        self, at_words: Float[Tensor, "text position hidden"]
    ) -> Float[Tensor, "word hidden"]:
        """Return each word's vector from those of its subwords."""
        return (self.proportions.to(at_words.device) @ at_words[self.text_of_word]).squeeze(1)


def _locate(
    model: MaskedLanguageModel, sentences: Sequence[MarkedSentence], pooling: Pooling
) -> tuple[LocatedWord, ...]:
    if not sentences:
        raise ValueError("no sentence: give at least one with the word in it")
    if pooling not in POOLINGS:
        raise ValueError(f"pooling {pooling!r}: choose one of {', '.join(POOLINGS)}")
    return tuple(locate_words(model, sentences))


def _word_batches(located: Sequence[LocatedWord], pooling: Pooling) -> Iterator[_WordBatch]:
    """Yield the texts in batches; those that are the same to the model are in them once."""
    wanted: dict[tuple[int, ...], list[int]] = {}
    for i, word in enumerate(located):
        wanted.setdefault(tuple(word.text.ids), []).append(i)
    for batch in batches_by_length(list(wanted)):
        words_of_text = [wanted[ids] for ids in batch]
        in_text = [
            sorted({position for i in words for position in _pooled(located[i].positions, pooling)})
            for words in words_of_text
        ]
        at = torch.zeros(len(batch), max(map(len, in_text)), dtype=torch.long)
        for row, positions in zip(at, in_text, strict=True):
            row[: len(positions)] = torch.tensor(positions)
        sentences = [i for words in words_of_text for i in words]
        text_of_word = [number for number, words in enumerate(words_of_text) for _ in words]
        among_positions = [
            [in_text[text].index(position) for position in _pooled(located[i].positions, pooling)]
            for i, text in zip(sentences, text_of_word, strict=True)
        ]
        yield _WordBatch(
            texts=[located[words[0]].text for words in words_of_text],
            at=at,
            sentences=sentences,
            text_of_word=text_of_word,
            proportions=_proportions(among_positions, at.shape[1]),
        )


def take_layer(
    states: Float[Tensor, "layer sentence hidden"], layer: Layer
) -> Float[Tensor, "sentence hidden"]:
    """Return one layer of all, or the mean or sum of the last four.

    Raises ValueError if there is no such layer.

    >>> take_layer(torch.tensor([[[9.0]], [[1.0]], [[3.0]]]), "mean_last_4")  # state 0 stays out
    tensor([[2.]])
    """
    _refuse_layer(layer, len(states) - 1)
    if isinstance(layer, int):
        return states[layer]
    last = states[1:][-N_POOLED:]
    return last.mean(dim=0) if layer == "mean_last_4" else last.sum(dim=0)


def batches_by_length(texts: Sequence[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    """Yield the texts, given as ids, from short to long, as many at once as fill a batch.

    A longer text opens a new batch as soon as the last is big enough to be worth its while, so
    that where there are many texts hardly any padding is computed.
    """
    batch: list[tuple[int, ...]] = []
    for ids in sorted(texts, key=len):
        n_tokens = len(batch) * len(ids)
        is_longer = batch and len(ids) > len(batch[-1])
        if n_tokens + len(ids) > TOKENS_A_BATCH or (is_longer and n_tokens >= ENOUGH_TOKENS):
            if batch:
                yield batch
            batch = []
        batch.append(ids)
    if batch:
        yield batch


def _pooled(subwords: Sequence[int], pooling: Pooling) -> list[int]:
    """Return those of a word's subwords whose mean it gets."""
    return list(subwords[:1] if pooling == "first" else subwords)


def _proportions(
    positions_of_words: Sequence[Sequence[int]], n_positions: int
) -> Float[Tensor, "word 1 position"]:
    """Return how much of the vector at each place goes into each word's."""
    proportions = torch.zeros(len(positions_of_words), 1, n_positions)
    for word, positions in enumerate(positions_of_words):
        proportions[word, 0, list(positions)] = 1 / len(positions)
    return proportions


def _refuse_layer(layer: Layer, n_layers: int) -> None:
    if isinstance(layer, int) and not isinstance(layer, bool) and 0 <= layer <= n_layers:
        return
    if layer not in get_args(LayerPooling):
        raise ValueError(
            f"layer {layer!r}: choose a number from 0 to {n_layers}, or one of"
            f" {', '.join(get_args(LayerPooling))}"
        )
