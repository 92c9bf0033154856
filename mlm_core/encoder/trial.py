"""Whether a model means what its shapes promise: tried on some texts before anybody sees it.

A folder of the right shapes can still hold weights that are no numbers, a tokenizer that puts
nothing around a text, or an attention whose rows don't sum to 1. Drawn, such a model would teach
what is not so.

Read before this: language_model.py, transformers_model.py.
"""

import re
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import nn
from torch.utils.hooks import RemovableHandle

from mlm_core.encoder.folders import CheckpointError
from mlm_core.encoder.language_model import OwnModel
from mlm_core.encoder.transformers_model import TransformersModel
from mlm_core.text.tokens import TokenizedText, role_id, special_token_ids, tokenize

SHORT, LONG = "a", "the old man went to the market, and the dog waited"
# The same operations in float32 on tables of other sizes differ by less than 1e-6 of the largest
# number; MobileBERT, which joins each token with its neighbours, by 5e-5 and more.
TOLERANCE = 1e-5
NUMBER = re.compile(r"(?<=\.)\d+(?=\.)")  # of a layer, the first in a name


def try_out(model: OwnModel | TransformersModel) -> None:
    """Raise CheckpointError unless the model gives what its numbers are shown as.

    A model that computes a text otherwise beside a longer one is told to run each alone. One whose
    attention can't be drawn, whose head can't be asked about lower states, or that predicts
    something else from vectors, says so where these are asked for.
    """
    _refuse_broken_weights(model)
    texts = [tokenize(model.tokenizer, *pair) for pair in ((SHORT, None), (LONG, None), ("", None))]
    texts.append(tokenize(model.tokenizer, SHORT, LONG))
    for text in texts:
        _refuse_missing_ends(text)
    _refuse_missing_roles(model)
    texts = [text for text in texts if len(text.tokens) <= model.max_tokens]
    for text in texts:
        _refuse_other_shapes(model, text)
    if isinstance(model, TransformersModel):
        _refuse_a_shorter_window(model)
        short, long = texts[0], max(texts, key=lambda text: len(text.tokens))
        model.has_attention_weights = _has_attention_weights(model, long)
        if model.n_heads:
            words = tokenize(model.tokenizer, LONG, max_tokens=model.max_tokens)
            model.head_projection = _head_projection(model, words)
        if model.has_language_head:
            model.has_lens = _has_lens(model, long)
            model.takes_vectors = _takes_vectors(model, long)
        beside = torch.stack(model.encode_batch([short, long]).states)[:, 0, : len(short.tokens)]
        alone = torch.stack(model.encode(short).states)[:, 0]
        model.takes_padding = bool((beside - alone).abs().max() < TOLERANCE * alone.abs().max())


def _refuse_broken_weights(model: OwnModel | TransformersModel) -> None:
    module = model.bert if isinstance(model, OwnModel) else model.model
    for name, weights in module.named_parameters():
        if not weights.isfinite().all():
            raise CheckpointError(
                f"its weights {name} are not all numbers: the training went wrong (often a"
                " learning rate too high, or 16-bit numbers), take an earlier checkpoint"
            )


def _refuse_missing_ends(text: TokenizedText) -> None:
    first, last = text.tokens[:1], text.tokens[-1:]
    if not all(token.is_special and token.word is None for token in (*first, *last)) or not first:
        raise CheckpointError(
            f"its tokenizer.json cuts {text.text!r} into {text.texts}, with no special token at"
            " both ends, as an encoder is trained with ([CLS] and [SEP] in BERT): save the"
            " tokenizer again with save_pretrained(), which writes its template, too"
        )


def _refuse_missing_roles(model: OwnModel | TransformersModel) -> None:
    for role in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"):
        try:
            role_id(model.tokenizer, role)
        except ValueError as error:
            raise CheckpointError(
                f"{error}, by that name or by RoBERTa's: choose a model that has one"
            ) from error


def _refuse_other_shapes(model: OwnModel | TransformersModel, text: TokenizedText) -> None:
    n_tokens = len(text.tokens)
    try:
        tensors = list(model.encode(text).states)
        tensors += [model.vocabulary_logits(text)] if model.has_language_head else []
        came = [tuple(tensor.shape) for tensor in tensors]
    except Exception as error:  # each architecture fails in its own way
        raise CheckpointError(not_drawable(model.architecture, str(error))) from error
    expected: list[tuple[int, ...]] = [(1, n_tokens, model.hidden_size)] * (model.n_layers + 1)
    expected += [(n_tokens, model.tokenizer.get_vocab_size())] * model.has_language_head
    if came != expected:
        raise CheckpointError(
            not_drawable(model.architecture, f"shapes {came}, expected {expected}")
        )
    if not all(tensor.isfinite().all() for tensor in tensors):
        raise CheckpointError(f"what it computes for {text.text!r} is not all numbers")


def _has_attention_weights(model: TransformersModel, text: TokenizedText) -> bool:
    """Return whether it gives weights of each head that sum to 1; Longformer's are of a window."""
    n_tokens = len(text.tokens)
    try:
        weights = model.encode(text, record=True).weights
    except Exception:  # each architecture fails in its own way
        return False
    return len(weights) == model.n_layers and all(
        layer.shape == (1, model.n_heads, n_tokens, n_tokens)
        and (layer.sum(dim=-1) - 1).abs().max() < TOLERANCE
        for layer in weights
    )


def _head_projection(model: TransformersModel, text: TokenizedText) -> str:
    """Return the first layer's module that reads what its heads have joined; "" if there is none.

    Up to its heads each token is alone. So of the layer's modules it is the first that reads most
    tokens otherwise where other tokens are in the text's second half; and where it reads zeros,
    fewer tokens change in the layer's state. In ConvBERT half of the heads are convolutions.
    """
    read: dict[str, list[torch.Tensor]] = {}
    hooks: list[RemovableHandle] = []

    def note(name: str, module: nn.Module, given: tuple) -> None:
        # A convolution over values reads four axes: batch, heads, tokens, dimensions of a head.
        if given and given[0].ndim == 3:
            read.setdefault(name, []).append(columns_last(module, given[0]))

    try:
        texts = text, _with_another_half(model, text)
        for name, module in model.model.named_modules():
            number, weight = NUMBER.search(name), getattr(module, "weight", None)
            is_of_first = number is not None and number[0] == "0" and not list(module.children())
            if is_of_first and weight is not None and weight.ndim > 1:
                hooks.append(module.register_forward_pre_hook(partial(note, name)))
        for one in texts:
            model.encode(one)
        # ALBERT runs its layer several times for each text.
        counts = {name: _n_changed(of[0], of[len(of) // 2]) for name, of in read.items()}
        name = max(counts, key=counts.__getitem__)
        hooks.append(
            model.model.get_submodule(name).register_forward_pre_hook(
                lambda _, given: (torch.zeros_like(given[0]), *given[1:])
            )
        )
        without = [model.encode(one).states[1] for one in texts]
        is_split = read[name][0].shape[-1] % model.n_heads == 0
    except Exception:  # each architecture fails in its own way
        return ""
    finally:
        for hook in hooks:
            hook.remove()
    return name if is_split and _n_changed(*without) < counts[name] else ""


def _with_another_half(model: TransformersModel, text: TokenizedText) -> TokenizedText:
    """Return a text with other tokens of the vocabulary in its second half.

    In a vocabulary without Latin letters the text's own are all [UNK].
    """
    known = {*model.tokenizer.get_vocab().values()}
    others = sorted(known - {*text.ids} - special_token_ids(model.tokenizer))
    half = len(text.tokens) // 2
    second = text.tokens[half:-1]
    spread = (others[i * len(others) // len(second)] for i in range(len(second)))
    changed = (replace(one, id=other) for one, other in zip(second, spread, strict=True))
    return replace(text, tokens=(*text.tokens[:half], *changed, *text.tokens[-1:]))


def columns_last(module: nn.Module, states: torch.Tensor) -> torch.Tensor:
    """Return what a module reads with a token's numbers in the last axis, as all have but one.

    SqueezeBERT's convolutions have its tokens there.
    """
    return states.mT if isinstance(module, nn.Conv1d) else states


def _n_changed(one: torch.Tensor, other: torch.Tensor) -> int:
    """Return how many rows of two tensors differ."""
    rows = (one - other).abs().flatten(0, -2).amax(dim=-1)
    return int((rows > TOLERANCE / 10 * one.abs().max()).sum())


def _has_lens(model: TransformersModel, text: TokenizedText) -> bool:
    """Find what normalizes the last layer's state; return whether the head reads such a state.

    Layers are in a list, so their names have a number. What runs after the last one belongs to no
    layer, such as ModernBERT's final norm; lower states go through it before the head.
    """
    calls: list[tuple[str, torch.Tensor]] = []
    outputs: list[Any] = []

    def note(name: str, output: Any) -> None:
        while not isinstance(output, torch.Tensor):  # the state comes first
            output = next(iter(output.values() if isinstance(output, dict) else output))
        calls.append((name, output))

    of_layer, encoder = re.compile(r"(^|\.)\d+(\.|$)"), model.model.base_model
    hooks = [
        module.register_forward_hook(lambda _, __, output, name=name: note(name, output))
        for name, module in encoder.named_modules()
        if of_layer.search(name) or not list(module.children())
    ]
    hooks += [encoder.register_forward_hook(lambda _, __, output: outputs.append(output))]
    try:
        expected, last = model.vocabulary_logits(text), model.encode(text).last
        n = max(i for i, (name, _) in enumerate(calls) if of_layer.search(name))
        model.last_norms = tuple(name for name, of in calls[n + 1 :] if of.shape == last.shape)
        # Heads ask for fields of their own class: Longformer's for global_attentions.
        model.output_class = type(outputs[-1])
        state = calls[n][1]
        if state.shape[-1] != last.shape[-1]:  # SqueezeBERT's have the tokens in the last axis
            state = state.transpose(1, 2)
        state = state[0, : last.shape[1]]  # Longformer fills its windows with padding
        read = [model.logits_of_states(state, is_last=False), model.logits_of_states(last[0])]
    except Exception:  # each architecture fails in its own way
        return False
    finally:
        for hook in hooks:
            hook.remove()
    return all(_are_same(logits, expected) for logits in read)


def _takes_vectors(model: TransformersModel, text: TokenizedText) -> bool:
    """Return whether the tokens' input vectors in their place give the same prediction."""
    expected, middle = model.vocabulary_logits(text), len(text.tokens) // 2
    try:
        read = model.logits_of_vectors(model.token_embedding[text.ids][None], text, middle)
    except Exception:  # each architecture fails in its own way
        return False
    return _are_same(read[0], expected[middle])


def _are_same(logits: torch.Tensor, expected: torch.Tensor) -> bool:
    return bool((logits - expected).abs().max() < TOLERANCE * expected.abs().max())


def _refuse_a_shorter_window(model: TransformersModel) -> None:
    text = tokenize(model.tokenizer, LONG * model.max_tokens, max_tokens=model.max_tokens)
    try:
        model.encode(text)
    except Exception as error:  # each architecture fails in its own way
        raise CheckpointError(
            f"its config.json promises texts of {len(text.tokens)} tokens, and at that length it"
            f" fails ({error}): the weights don't belong to this config.json"
        ) from error


def not_drawable(architecture: str, reason: str) -> str:
    """Return why a model of an architecture can't be shown."""
    return (
        f"the architecture {architecture!r} doesn't give one state for each layer"
        f" ({reason}): choose an encoder such as BERT or RoBERTa"
    )
