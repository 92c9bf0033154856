"""What this lesson works out and keeps, each for one text with one blank; its summary's numbers."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import NamedTuple

import torch

from mlm_core.encoder.fetching import refuse_too_large
from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.encoder.model_list import BUNDLED_FOLDERS, READERS
from mlm_core.inside import attribution, patching, quantized
from mlm_core.inside import lens as logit_lens
from mlm_core.inside.attribution import IntegratedGradients
from mlm_core.inside.known_by_layer import KnownByLayer, ProbeTask, ReadAt, known_by_layer
from mlm_core.inside.lens import LensRow
from mlm_core.inside.patching import Followed, Pair, Way
from mlm_core.inside.quantized import FULL_BITS
from mlm_core.inside.switches import Head, loss_on, switch_off
from mlm_core.inside.templates import Expected, expected_at_blank
from mlm_core.prediction.fillers import Filler, only_blank, rank_of, top_fillers
from mlm_core.shapes import Float, Tensor
from mlm_core.stored.heads_off import read_losses
from mlm_core.stored.patched_pairs import PatchedPair, read_patched
from mlm_core.stored.probes import read_probes
from pages.kit.remember import (
    long_work_lock,
    model,
    read,
    read_examples,
    read_words,
    reader,
    remembered,
)

N_WORDS = 3  # of each layer


class ReadByLayer(NamedTuple):
    """What the head reads from each layer's state at a text's blank, without the logits."""

    rows: tuple[LensRow, ...]
    answer: Filler  # the model's likeliest token
    ranks: tuple[int, ...]  # of the followed token
    n_tokens: int  # of the vocabulary


@remembered(256)  # some kilobytes each: all logits would be 13 MB with xlm-roberta-base
def lens(model_name: str, text: str, followed: int | None = None) -> ReadByLayer:
    """Return what the head reads from each layer's state at a text's blank."""
    found = logit_lens.lens(*read(model_name, text), n=N_WORDS, followed=followed)
    return ReadByLayer(
        rows=found.rows, answer=found.answer, ranks=found.ranks, n_tokens=found.logits.shape[1]
    )


@remembered(256)
def answer(model_name: str, text: str) -> Filler:
    """Return the likeliest token at a text's one blank."""
    asked, tokenized = read(model_name, text)
    logits = asked.vocabulary_logits(tokenized)[only_blank(tokenized, asked.tokenizer)]
    return top_fillers(logits, 1, asked.tokenizer)[0]


@remembered(256)  # some floats. One at a time: a hundred passes forwards and backwards
def integrated_gradients(model_name: str, text: str, token: int) -> IntegratedGradients:
    """Return each word's part in log P of a token. Raises ModelUnavailableError: no memory."""
    asked, tokenized = read(model_name, text)
    with long_work_lock():
        refuse_too_large(asked.name, attribution.pass_bytes(asked, tokenized))
        return attribution.integrated_gradients(asked, tokenized, token)


@remembered(256)  # at most 40 tokens of a dozen layers: some kilobytes
def followed(
    model_name: str, clean: str, corrupted: str, answers: tuple[int, int] | None
) -> tuple[Pair, Followed, Way]:
    """Return which part of the gap between two sentences each state closes.

    Raises PairError, NoGapError, UnknownLayersError; ModelUnavailableError: no memory.
    """
    asked, texts = model(model_name), (read(model_name, one)[1] for one in (clean, corrupted))
    pair = patching.pair_of(asked.tokenizer, *texts)
    refuse_too_large(asked.name, patching.batch_bytes(asked, pair))
    with long_work_lock():
        found = patching.follow(asked, pair, answers)
    return pair, found, patching.way_of(found.closed, pair.word, pair.blank)


@remembered(1024)  # some hundred bytes each
def words_of_runs(
    model_name: str, pair: Pair, layer: int, position: int, n: int
) -> tuple[tuple[Filler, ...], ...]:
    """Return the likeliest tokens of both sentences, and of the second with one state exchanged."""
    asked, n_tokens = model(model_name), len(pair.clean.ids)
    runs = [torch.ones(n_tokens), torch.zeros(n_tokens), torch.eye(n_tokens)[position]]
    logits = patching.patched_logits(asked, pair, layer, torch.stack(runs).bool())
    return tuple(top_fillers(row, n, asked.tokenizer) for row in logits)


@remembered(len(READERS))
def stored_pairs(language: str) -> tuple[PatchedPair, ...]:
    """Return where the answer is in our pairs of sentences, stored."""
    return tuple(read_patched(language))


@remembered(256)
def occlusion(model_name: str, text: str, token: int) -> tuple[float, ...]:
    """Return by how much log P of a token falls without each word."""
    return attribution.occlusion(*read(model_name, text), token)


class AtBlank(NamedTuple):
    """What a model that lacks something predicts at a text's blank."""

    top: tuple[tuple[str, float], ...]  # the likeliest tokens with their probabilities
    probability: float  # of the whole model's likeliest token
    rank: int  # of that token


@remembered(2048)  # some hundred bytes each; a board of heads asks for one for each
def blank_without(
    model_name: str, text: str, word: int, off: tuple[Head, ...], bits: int, n: int
) -> AtBlank:
    """Return the prediction at a text's blank without heads, with so many bits a weight.

    `word` is the id of the whole model's word. Head 0 of a layer is the whole layer. Raises
    UnknownHeadsError or UnknownLayersError for an unknown architecture.
    """
    asked, tokenized = read(model_name, text)
    blank = only_blank(tokenized, asked.tokenizer)
    # With all bits it is one pass, as in any click.
    with nullcontext() if bits == FULL_BITS else long_work_lock():
        logits = _without(asked, off, bits).vocabulary_logits(tokenized)[blank]
    names = asked.tokenizer.id_to_token  # some models have more rows than tokens
    top = ((names(one.id) or f"row {one.id}", one.probability) for one in top_fillers(logits, n))
    return AtBlank(
        top=tuple(top),
        probability=logits.softmax(dim=-1)[word].item(),
        rank=rank_of(logits, word),
    )


@remembered(len(BUNDLED_FOLDERS))
def stored_losses(model_name: str) -> tuple[tuple[str, ...], Mapping[tuple[Head, ...], float]]:
    """Return ten sentences, and a bundled model's loss on them by the heads that are off."""
    return read_losses(model_name)


@remembered(2048)
def loss_without(
    model_name: str, sentences: tuple[str, ...], off: tuple[Head, ...], bits: int
) -> float:
    """Return the loss on some sentences without heads, with so many bits a weight."""
    if model_name in BUNDLED_FOLDERS and bits == FULL_BITS:
        measured, losses = stored_losses(model_name)
        if sentences == measured and off in losses:
            return losses[off]
    texts = [read(model_name, each)[1] for each in sentences]
    with long_work_lock():
        return loss_on(_without(model(model_name), off, bits), texts)


@remembered(64)
def model_bytes(model_name: str, bits: int) -> int:
    """Return the bytes of a model's weights with so many bits each."""
    return quantized.model_bytes(model(model_name), bits)


def _without(asked: MaskedLanguageModel, off: tuple[Head, ...], bits: int) -> MaskedLanguageModel:
    """Return a model that lacks something. Raises ModelUnavailableError: no memory."""
    if bits != FULL_BITS:
        refuse_too_large(asked.name, model_bytes(asked.name, FULL_BITS))
    heads = [one for one in off if one.head]
    layers = [one.layer for one in off if not one.head]
    return switch_off(quantized.quantize(asked, bits), heads, layers)


@remembered(8)  # the probes' weights: 30 kB with a bundled model
def stored_probes(task: ProbeTask, read_at: ReadAt, language: str) -> KnownByLayer:
    """Return what is stored of the layers of the bundled model that reads a language."""
    return read_probes(task, read_at, language)


@remembered(16)  # with a model of BERT-base's size 300 kB
def probes(
    model_name: str,
    task: ProbeTask,
    read_at: ReadAt,
    language: str,
    _told: Callable[[int, int], None],
) -> KnownByLayer:
    """Return what linear probes find in a model's layers; `_told` gets the progress."""
    lock = long_work_lock()

    def told(n_done: int, n: int) -> None:
        # Between two batches or layers others may take the lock.
        lock.release()
        try:
            _told(n_done, n)
        finally:
            lock.acquire()

    with lock:
        return known_by_layer(model(model_name), task, read_at, language=language, on_progress=told)


@remembered(64)
def states_at(model_name: str, text: str, position: int) -> Float[Tensor, "layer hidden"]:
    """Return the states of every layer at one position of a text."""
    asked, tokenized = read(model_name, text)
    return torch.stack([state[0, position] for state in asked.encode(tokenized).states]).cpu()


@remembered(256)  # a template with a dozen words takes as many passes: 0.2 s
def expected(
    model_name: str, template: str, words: tuple[str, ...], answers: tuple[str, ...]
) -> tuple[Expected, ...]:
    """Return the answers' probabilities at a template's blank: the control's, then each word's."""
    return tuple(expected_at_blank(model(model_name), template, words, answers))


def in_short() -> Mapping[str, object]:
    """Return the rank of the opening's final word at the embedding and in a middle layer."""
    words, name = read_examples("inside_a_prediction"), reader("inside_a_prediction")
    text = words.plain("default_text")
    read = lens(name, text)
    middle = len(read.rows) // 2
    return {
        "model": name,
        "sentence": text,
        "word": read.answer.token,
        "first": read.ranks[0],
        "layer": middle,
        "middle": read.ranks[middle],
    }


def get_ready_in(language: str, let_pass: Callable[[], None]) -> None:
    """Explain the sentence that the lesson opens with, and follow the answer of its pair."""
    # Plain, as a field gives it: Streamlit's caches tell a `Text` from it.
    words = read_words("inside_a_prediction", language)
    text, *pair = (
        str(words.label(f"default_{one}")) for one in ("text", "follow_clean", "follow_other")
    )
    name = READERS[language]
    integrated_gradients(name, text, answer(name, text).id)
    let_pass()
    followed(name, *pair, None)
    let_pass()
