"""What the files of a sentence encoder say about its vectors, and the vectors that follow.

    prompt + text  ->  window  ->  encoder  ->  pooling  ->  Dense, LayerNorm, Normalize

    modules.json                       the modules, in their order, with their folders
    sentence_bert_config.json          the window; whether texts are read in lower case
    config_sentence_transformers.json  prompts: what is put before a query or a text
    1_Pooling/config.json              one pooling or several, whose vectors are joined
    2_Dense/config.json, ...           a layer over the pooled vector

A recipe with a module that is none of these is not applied at all: part of it would be another one.

Source: sentence-transformers, base/model.py, modules/pooling.py and modules/dense.py. The vectors
were compared once with those of version 6.2, for ten recipes: equal to 4e-7.
Departs: an empty prompt counts as none, so that one named `passage` and the default prompt apply
where the library's encode_query() and encode_document() take an empty one.

Read before this: vectors.py, ../encoder/folders.py.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import torch
from torch.nn import functional as F

from mlm_core.encoder.folders import (
    CheckpointError,
    encoder_folder,
    module_folder,
    read_json,
    read_modules,
)
from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.search.vectors import read_in_batches
from mlm_core.shapes import Float, Tensor
from mlm_core.text.tokens import tokenize

LIBRARY = "sentence_transformers"
# The settings of the pooling until version 5.3, in the order in which vectors are joined.
OLD_POOLINGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
PROMPTS = {"query": ("query",), "text": ("document", "passage", "corpus")}  # by role, their names
ACTIVATIONS = {
    "torch.nn.modules.linear.Identity": torch.clone,
    "torch.nn.modules.activation.Tanh": torch.tanh,
    "torch.nn.modules.activation.ReLU": F.relu,
    "torch.nn.modules.activation.GELU": F.gelu,
    "torch.nn.modules.activation.Sigmoid": torch.sigmoid,
}
Role = Literal["query", "text"]
Layer = Callable[[torch.Tensor], torch.Tensor]


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How a sentence encoder's authors make a vector of a text."""

    poolings: tuple[str, ...] = ()
    include_prompt: bool = True  # False: the prompt's tokens are not pooled
    layers: tuple[tuple[str, Layer], ...] = ()  # over the pooled vector, by their names
    max_tokens: int | None = None  # the window; None: the model's
    is_lower_case: bool = False
    query_prompt: str = ""
    text_prompt: str = ""
    similarity: str = "cosine"  # by which its authors compare two vectors
    left_out: tuple[str, ...] = ()  # modules that can't be applied here; then nothing is


def read_recipe(model: MaskedLanguageModel) -> Recipe | None:
    """Return what a model's files say; None if it was not published as a sentence encoder."""
    folder = model.folder
    if folder is None or not (folder / "modules.json").is_file():
        return None
    try:
        first, *others = read_modules(folder)
    except CheckpointError:
        return Recipe(left_out=("modules.json",))  # a damaged file, not one without modules
    poolings, include_prompt = (), True
    layers: list[tuple[str, Layer]] = []
    left_out = [] if _name(first) == "Transformer" else [_name(first)]
    for module in others:
        name, inside = _name(module), module_folder(folder, module)
        try:
            if inside is None:
                raise ValueError(module)
            if name == "Pooling" and not poolings and not layers:
                poolings, include_prompt = _pooling(read_json(inside / "config.json"))
                width = model.hidden_size * len(poolings)
            elif poolings:
                layer, width = _layer(name, inside, width)
                layers.append((name, layer))
            else:
                raise ValueError(name)  # there is no pooled vector yet
        except (OSError, ValueError, KeyError, TypeError):
            left_out.append(name)
    said = _optional(folder / f"config_{LIBRARY}.json")
    window, is_lower_case = _reading(encoder_folder(folder))
    return Recipe(
        poolings=poolings,
        include_prompt=include_prompt,
        layers=tuple(layers),
        max_tokens=window,
        is_lower_case=is_lower_case,
        query_prompt=_prompt(said, "query"),
        text_prompt=_prompt(said, "text"),
        similarity=str(said.get("similarity_fn_name") or "cosine"),
        left_out=tuple(left_out if poolings else dict.fromkeys([*left_out, "Pooling"])),
    )


@torch.inference_mode()
def recipe_vectors(
    model: MaskedLanguageModel, recipe: Recipe, texts: Sequence[str], role: Role
) -> Float[Tensor, "text width"]:
    """Return one vector for each text, read as a query or as a text that is searched.

    Raises ValueError if there is no text, or the recipe can't be applied.
    """
    if recipe.left_out:
        raise ValueError(
            f"{model.name} makes its vectors with {', '.join(recipe.left_out)}, which is not"
            " applied here: compare its states by another pooling"
        )
    prompt = recipe.query_prompt if role == "query" else recipe.text_prompt
    # Of the prompt's own special tokens, only the first is before the text.
    is_pooled = recipe.include_prompt or not prompt
    skipped = 0 if is_pooled else len(tokenize(model.tokenizer, prompt).tokens) - 1
    window = min(recipe.max_tokens or model.max_tokens, model.max_tokens)
    asked = [prompt + text for text in texts]
    asked = [text.lower() for text in asked] if recipe.is_lower_case else asked
    read = [tokenize(model.tokenizer, text, max_tokens=window) for text in asked]
    found: dict[int, torch.Tensor] = {}
    for numbers, states, not_padding in read_in_batches(model, read):
        for of_text, state, real in zip(numbers, states, not_padding, strict=True):
            vector = torch.cat([_pooled(state[real], one, skipped) for one in recipe.poolings])
            found |= dict.fromkeys(of_text, vector)
    vectors = torch.stack([found[number] for number in range(len(read))]).cpu()
    for _, layer in recipe.layers:
        vectors = layer(vectors)
    return vectors


def _pooled(
    states: Float[Tensor, "token hidden"], pooling: str, skipped: int
) -> Float[Tensor, " hidden"]:
    n_tokens = len(states)
    states = states[min(skipped, n_tokens - 1) :]
    if pooling == "max":
        return states.amax(dim=0)
    if pooling == "mean":
        return states.mean(dim=0)
    if pooling == "mean_sqrt_len_tokens":
        return states.sum(dim=0) / math.sqrt(len(states))
    if pooling == "weightedmean":  # by the position, counted from 1
        weights = torch.arange(n_tokens - len(states), n_tokens, device=states.device) + 1.0
        return weights @ states / weights.sum()
    return states[0 if pooling == "cls" else -1]


def _name(module: dict) -> str:
    """Return a module's class if it is the library's own, else its whole name."""
    whole = str(module.get("type"))
    return whole.rpartition(".")[2] if whole.startswith(f"{LIBRARY}.") else whole


def _pooling(config: dict) -> tuple[tuple[str, ...], bool]:
    """Return the poolings. Raises ValueError for an unknown one."""
    given = config.get("pooling_mode")
    old = tuple(ours for theirs, ours in OLD_POOLINGS.items() if config.get(theirs))
    poolings = (given,) if isinstance(given, str) else tuple(given or old or ("mean",))
    if not set(poolings) <= set(OLD_POOLINGS.values()):
        raise ValueError(f"poolings {poolings}")
    return poolings, bool(config.get("include_prompt", True))


def _layer(name: str, folder: Path, width: int) -> tuple[Layer, int]:
    """Return a layer over vectors of this width, and the width of what it gives.

    Raises ValueError, KeyError or OSError if it is an unknown one or lacks something.
    """
    if name == "Normalize":
        return F.normalize, width
    if name == "Dropout":  # in training alone
        return torch.clone, width
    config, tensors = read_json(folder / "config.json"), _tensors(folder)
    if name == "LayerNorm":
        weight, bias = tensors["norm.weight"], tensors["norm.bias"]
        _refuse_shape(weight, (width,))
        return lambda vectors: F.layer_norm(vectors, (width,), weight, bias), width
    if name != "Dense" or config.get("use_residual"):
        raise ValueError(name)
    if {config.get(f"module_{end}_name") for end in ("input", "output")} - {
        None,
        "sentence_embedding",
    }:
        raise ValueError(name)  # over something else than the pooled vector
    activation = ACTIVATIONS[config.get("activation_function", "torch.nn.modules.activation.Tanh")]
    weight, bias = tensors["linear.weight"], tensors.get("linear.bias")
    _refuse_shape(weight, (len(weight), width))
    return lambda vectors: activation(F.linear(vectors, weight, bias)), len(weight)


def _tensors(folder: Path) -> dict[str, torch.Tensor]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        tensors = load_file(folder / "model.safetensors")
    except SafetensorError as error:
        raise ValueError(str(error)) from error
    if not all(tensor.is_floating_point() for tensor in tensors.values()):
        raise ValueError("quantized weights")
    return {name: tensor.float() for name, tensor in tensors.items()}


def _refuse_shape(weight: torch.Tensor, shape: tuple[int, ...]) -> None:
    if tuple(weight.shape) != shape:
        raise ValueError(f"shape {list(weight.shape)}, expected {list(shape)}")


def _reading(folder: Path) -> tuple[int | None, bool]:
    """Return the window and whether texts are lowercased, of the encoder's own folder."""
    config: dict = {}
    for path in sorted(folder.glob("sentence_*_config.json")):
        config |= _optional(path)
    window = config.get("max_seq_length")
    if window is None:
        window = _optional(folder / "tokenizer_config.json").get("model_max_length")
    is_window = isinstance(window, int) and 2 < window < 10**6  # transformers writes 10 ** 30
    return (window if is_window else None), config.get("do_lower_case") is True


def _prompt(said: dict, role: Role) -> str:
    prompts = said.get("prompts")
    prompts = prompts if isinstance(prompts, dict) else {}
    names = (*PROMPTS[role], said.get("default_prompt_name"))
    found = (prompts.get(name) for name in names if isinstance(name, str))
    return next((one for one in found if isinstance(one, str) and one), "")


def _optional(path: Path) -> dict:
    try:
        return read_json(path)
    except CheckpointError:
        return {}
