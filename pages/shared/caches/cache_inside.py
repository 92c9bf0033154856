"""Why a model predicts what it predicts, for one text with one blank."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from mlm_core.encoder.model_list import BUNDLED_FOLDERS
from mlm_core.text.tokens import tokenize
from pages.shared.caches.cache import long_work_lock, model

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import MaskedLanguageModel
    from mlm_core.inside.attribution import IntegratedGradients
    from mlm_core.inside.known_by_layer import KnownByLayer, ProbeTask, ReadAt
    from mlm_core.inside.lens import LensRow
    from mlm_core.inside.switches import Head
    from mlm_core.inside.templates import Expected
    from mlm_core.prediction.fillers import Filler
    from mlm_core.shapes import Float, Tensor

N_WORDS = 3  # of each layer


class ReadByLayer(NamedTuple):
    """What the head reads from each layer's state at a text's blank, without the logits."""

    rows: tuple["LensRow", ...]
    answer: "Filler"  # the model's likeliest token
    ranks: tuple[int, ...]  # of the followed token
    n_tokens: int  # of the vocabulary


# Some kilobytes each: the logits of all layers would be 13 MB with xlm-roberta-base.
@st.cache_resource(max_entries=256, show_spinner=False)
def lens(model_name: str, text: str, followed: int | None = None) -> ReadByLayer:
    """Return what the head reads from each layer's state at a text's blank."""
    from mlm_core.inside import lens

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    read = lens.lens(asked, tokenized, n=N_WORDS, followed=followed)
    return ReadByLayer(
        rows=read.rows, answer=read.answer, ranks=read.ranks, n_tokens=read.logits.shape[1]
    )


# Some floats a text. One at a time: a hundred passes forwards and backwards.
@st.cache_data(max_entries=256, show_spinner=False)
def integrated_gradients(model_name: str, text: str, token: int) -> "IntegratedGradients":
    """Return each word's part in log P of a token at a text's blank.

    Raises ModelUnavailableError if memory lacks.
    """
    from mlm_core.encoder.fetching import refuse_too_large
    from mlm_core.inside import attribution

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    with long_work_lock():
        refuse_too_large(asked.name, attribution.pass_bytes(asked, tokenized))
        return attribution.integrated_gradients(asked, tokenized, token)


@st.cache_data(max_entries=256, show_spinner=False)
def occlusion(model_name: str, text: str, token: int) -> tuple[float, ...]:
    """Return by how much log P of a token at a text's blank falls without each word."""
    from mlm_core.inside import attribution

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    return attribution.occlusion(asked, tokenized, token)


class AtBlank(NamedTuple):
    """What a model that lacks something predicts at a text's blank."""

    top: tuple[tuple[str, float], ...]  # the likeliest tokens with their probabilities
    probability: float  # of the whole model's likeliest token
    rank: int  # of that token


# Some hundred bytes each; "measure all heads" asks for one for each head.
@st.cache_data(max_entries=2048, show_spinner=False)
def blank_without(
    model_name: str, text: str, word: int, off: tuple["Head", ...], bits: int, n: int
) -> AtBlank:
    """Return the prediction at a text's blank without heads, with so many bits a weight.

    `word` is the id of the whole model's word. Head 0 of a layer is the whole layer. Raises
    UnknownHeadsError for an unknown architecture.
    """
    from mlm_core.inside.quantized import FULL_BITS
    from mlm_core.prediction.fillers import only_blank, rank_of, top_fillers

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    blank = only_blank(tokenized, asked.tokenizer)
    # With all bits it is one pass, as in any click.
    with nullcontext() if bits == FULL_BITS else long_work_lock():
        logits = _without(asked, off, bits).vocabulary_logits(tokenized)[blank]
    return AtBlank(
        top=tuple(
            # Some models have more rows than their tokenizer has tokens.
            (asked.tokenizer.id_to_token(filler.id) or f"row {filler.id}", filler.probability)
            for filler in top_fillers(logits, n)
        ),
        probability=logits.softmax(dim=-1)[word].item(),
        rank=rank_of(logits, word),
    )


@st.cache_resource(max_entries=len(BUNDLED_FOLDERS), show_spinner=False)
def stored_losses(model_name: str) -> "tuple[tuple[str, ...], Mapping[tuple[Head, ...], float]]":
    """Return ten sentences, and a bundled model's loss on them by the heads that are off."""
    from mlm_core.stored.heads_off import read_losses

    return read_losses(model_name)


@st.cache_data(max_entries=2048, show_spinner=False)
def loss_without(
    model_name: str, sentences: tuple[str, ...], off: tuple["Head", ...], bits: int
) -> float:
    """Return the loss on some sentences without heads, with so many bits a weight."""
    from mlm_core.inside.quantized import FULL_BITS
    from mlm_core.inside.switches import loss_on

    if model_name in BUNDLED_FOLDERS and bits == FULL_BITS:
        measured, losses = stored_losses(model_name)
        if sentences == measured and off in losses:
            return losses[off]
    asked = model(model_name)
    texts = [tokenize(asked.tokenizer, each, max_tokens=asked.max_tokens) for each in sentences]
    with long_work_lock():
        return loss_on(_without(asked, off, bits), texts)


@st.cache_data(max_entries=64, show_spinner=False)
def model_bytes(model_name: str, bits: int) -> int:
    """Return the bytes of a model's weights with so many bits each."""
    from mlm_core.inside import quantized

    return quantized.model_bytes(model(model_name), bits)


def _without(
    asked: "MaskedLanguageModel", off: tuple["Head", ...], bits: int
) -> "MaskedLanguageModel":
    """Return a model that lacks something. Raises ModelUnavailableError if memory lacks."""
    from mlm_core.encoder.fetching import refuse_too_large
    from mlm_core.inside.quantized import FULL_BITS, quantize
    from mlm_core.inside.switches import switch_off

    if bits != FULL_BITS:
        refuse_too_large(asked.name, model_bytes(asked.name, FULL_BITS))
    heads = [one for one in off if one.head]
    layers = [one.layer for one in off if not one.head]
    return switch_off(quantize(asked, bits), heads, layers)


# The probes' weights: 30 kB with a bundled model.
@st.cache_resource(max_entries=8, show_spinner=False)
def stored_probes(task: "ProbeTask", read_at: "ReadAt", language: str) -> "KnownByLayer":
    """Return what is stored of the layers of the bundled model that reads a language."""
    from mlm_core.stored.probes import read_probes

    return read_probes(task, read_at, language)


# With a model of BERT-base's size 300 kB.
@st.cache_resource(max_entries=16, show_spinner=False)
def probes(
    model_name: str,
    task: "ProbeTask",
    read_at: "ReadAt",
    language: str,
    _told: Callable[[int, int], None],
) -> "KnownByLayer":
    """Return what linear probes find in a model's layers; `_told` hears how far it is."""
    from mlm_core.inside.known_by_layer import known_by_layer

    lock = long_work_lock()

    def told(n_done: int, n: int) -> None:
        # Between two batches or layers others have their turn.
        lock.release()
        try:
            _told(n_done, n)
        finally:
            lock.acquire()

    with lock:
        return known_by_layer(model(model_name), task, read_at, language=language, on_progress=told)


@st.cache_resource(max_entries=64, show_spinner=False)
def states_at(model_name: str, text: str, position: int) -> "Float[Tensor, 'layer hidden']":
    """Return the states of every layer at one position of a text."""
    import torch

    asked = model(model_name)
    tokenized = tokenize(asked.tokenizer, text, max_tokens=asked.max_tokens)
    return torch.stack([state[0, position] for state in asked.encode(tokenized).states]).cpu()


# A template with a dozen words takes as many passes: 0.2 s with the bundled model.
@st.cache_resource(max_entries=256, show_spinner=False)
def expected(
    model_name: str, template: str, words: tuple[str, ...], answers: tuple[str, ...]
) -> tuple["Expected", ...]:
    """Return the answers' probabilities at a template's blank: the control's, then each word's."""
    from mlm_core.inside.templates import expected_at_blank

    return tuple(expected_at_blank(model(model_name), template, words, answers))
