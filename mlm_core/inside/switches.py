"""Switch off heads, layers and dimensions of a model, and see what it can't do without.

    attention output = sum over heads of  (weights_h @ value_h) W_h,  then the bias
    head h off       = weights_h @ value_h is zero
    layer off        = the layer passes its input on
    dimension held   = it has one value in all tokens: the last LayerNorm's weight is 0 there
    change of h      = loss without h alone - loss with all heads

The given model is shared and stays as it is: what is switched is a copy of the same weights, so
undoing it is exact. Layers and heads are counted from 1.

Source: Michel et al. 2019 for heads, one at a time and the least important first; Fan et al. 2020
for layers; Kovaleva et al. 2021 for dimensions. Departs: Michel et al. estimate by a gradient which
head is the least important; here each is switched off. Kovaleva et al. set the LayerNorm's bias to
0, too, and in all layers at once; here it may have any value, in one layer.

What this can't show: what one part is for. Another head may do the same work (Michel et al. 2019),
and later layers make up for some of what is missing (McGrath et al. 2023).

Read before this: ../encoder/bert.py, ../prediction/one_step.py. Read next: quantized.py.
"""

import copy
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

import torch
from torch import nn
from torch.nn import functional as F

from mlm_core.encoder.language_model import MaskedLanguageModel
from mlm_core.encoder.model_list import MissingLensError, UnknownHeadsError, UnknownLayersError
from mlm_core.encoder.transformers_model import TransformersModel
from mlm_core.encoder.trial import NUMBER, columns_last
from mlm_core.prediction.fillers import positions_to_score
from mlm_core.prediction.masked_words import hide
from mlm_core.prediction.one_step import copy_with
from mlm_core.shapes import Float, Tensor
from mlm_core.text.tokens import TokenizedText

FIRST_MASKED, MASKED_EVERY = 3, 5  # a fifth of a sentence is masked, the fourth token first


class Head(NamedTuple):
    """One attention head; layers and heads are counted from 1."""

    layer: int
    head: int


def heads_of(model: MaskedLanguageModel) -> tuple[Head, ...]:
    """Return all heads of a model, layer by layer."""
    return tuple(
        Head(layer, head)
        for layer in range(1, model.n_layers + 1)
        for head in range(1, model.n_heads + 1)
    )


def switch_off(
    model: MaskedLanguageModel, heads: Iterable[Head] = (), layers: Iterable[int] = ()
) -> MaskedLanguageModel:
    """Return a model without these heads and layers; the given one stays as it is.

    The layers that are left are counted from 1 again.
    Raises ValueError for a head or layer that isn't there, UnknownHeadsError or UnknownLayersError
    for one that isn't found.
    """
    heads, layers = set(heads), set(layers)
    if not heads and not layers:
        return model
    unknown = [*(heads - set(heads_of(model))), *(layers - set(range(1, model.n_layers + 1)))]
    if unknown:
        raise ValueError(
            f"{unknown[0]}: this model has {model.n_layers} layers of {model.n_heads} heads, which"
            " are counted from 1"
        )
    if heads and not model.head_projection:
        raise UnknownHeadsError(model.name)
    copied = copy_with(module_of(model), {})
    for layer in {head.layer for head in heads}:
        name = NUMBER.sub(str(layer - 1), model.head_projection, count=1)
        off = [one.head for one in heads if one.layer == layer]
        _hide_heads(copied.get_submodule(name), off, model.n_heads)
    switched = with_module(model, copied)
    if layers:
        name = blocks_of(model)
        encoder = copied.get_submodule(name.rpartition(".")[0])
        # NeoMME's gives a layer input by its number, which would be that of another one.
        if hasattr(encoder, "value_embedding_layers"):
            raise UnknownLayersError(model.name)
        blocks = cast("nn.ModuleList", copied.get_submodule(name))
        for layer in sorted(layers, reverse=True):
            del blocks[layer - 1]
        _count_layers(encoder, len(blocks))
        switched.n_layers = len(blocks)
    return switched


def _hide_heads(projection: nn.Module, heads: Sequence[int], n_heads: int) -> None:
    """Let the module that reads the heads of a layer side by side read zeros for some of them."""

    def hide(module: nn.Module, given: tuple) -> tuple:
        joined = given[0].clone()
        of_heads = columns_last(module, joined).unflatten(-1, (n_heads, -1))
        of_heads[..., [head - 1 for head in heads], :] = 0.0
        return joined, *given[1:]

    projection.register_forward_pre_hook(hide)


def hold_dimension(
    model: MaskedLanguageModel, layer: int, dimension: int, value: float
) -> MaskedLanguageModel:
    """Return a model in which one dimension of a layer's state has the same value in all tokens.

    Raises ValueError for a layer or dimension that isn't there, and for a model of another
    architecture than BERT's.
    """
    if model.bert is None:
        raise ValueError(
            f"a dimension is held in models of BERT's architecture only, and {model.name} has"
            f" {model.architecture}: choose a bundled model"
        )
    if not (1 <= layer <= model.n_layers and 0 <= dimension < model.hidden_size):
        raise ValueError(
            f"layer {layer}, dimension {dimension}: this model has layers 1 to {model.n_layers} and"
            f" dimensions 0 to {model.hidden_size - 1}"
        )
    name = f"blocks.{layer - 1}.feed_forward_norm"
    weights = dict(model.bert.get_submodule(name).named_parameters(prefix=name))
    held = {name: one.detach().clone() for name, one in weights.items()}
    held[f"{name}.weight"][dimension] = 0.0
    held[f"{name}.bias"][dimension] = value
    return with_module(model, copy_with(model.bert, held))


def loss_on(model: MaskedLanguageModel, sentences: Sequence[TokenizedText]) -> float:
    """Return the mean loss at the masked tokens of some sentences, in nats; see losses_on."""
    return losses_on(model, sentences).mean().item()


@torch.inference_mode()
def losses_on(
    model: MaskedLanguageModel, sentences: Sequence[TokenizedText]
) -> Float[Tensor, " masked"]:
    """Return the loss at each masked token of some sentences, in nats.

    The fourth token of each is masked and every fifth one after it: the same ones each time.
    Raises ValueError if no sentence has a fourth token, MissingHeadError if the model has no
    masked-language head.
    """
    chosen = [positions_to_score(text)[FIRST_MASKED::MASKED_EVERY] for text in sentences]
    if not any(chosen):
        raise ValueError("no sentence has a fourth token, so there is no loss: pass longer ones")
    seen = [hide(text, at, model.tokenizer) for text, at in zip(sentences, chosen, strict=True)]
    states = model.encode_batch(seen).last
    rows = [state[list(at)] for state, at in zip(states, chosen, strict=True)]
    try:
        logits = model.logits_of_states(torch.cat(rows))
    except MissingLensError:  # then its head is run with the whole model, text by text
        each = zip(seen, chosen, strict=True)
        logits = torch.cat([model.vocabulary_logits(text)[list(at)] for text, at in each])
    true_ids = [text.ids[i] for text, at in zip(sentences, chosen, strict=True) for i in at]
    true = torch.tensor(true_ids, device=logits.device)
    return F.cross_entropy(logits, true, reduction="none")


def module_of(model: MaskedLanguageModel) -> nn.Module:
    """Return the torch module that has a model's weights, whichever library runs it.

    ALBERT runs one layer, or few, many times: it gets a module for each run, of the same weights.
    """
    if model.bert is not None:
        return model.bert
    assert isinstance(model, TransformersModel)
    if not hasattr(model.model.config, "num_hidden_groups"):
        return model.model
    module, n = copy_with(model.model, {}), model.n_layers
    encoder: Any = module.base_model.encoder
    groups = encoder.albert_layer_groups
    runs = (copy_with(groups[i * len(groups) // n], {}) for i in range(n))
    encoder.albert_layer_groups = nn.ModuleList(runs)
    _count_layers(encoder, n)
    return module


def _count_layers(encoder: nn.Module, n: int) -> None:
    """Write the number of layers where an encoder that isn't shared reads it, if it does."""
    for name in ("num_hidden_layers", "num_hidden_groups"):
        if hasattr(getattr(encoder, "config", None), name):
            encoder.config = copy.copy(encoder.config)
            setattr(encoder.config, name, n)


def with_module(model: MaskedLanguageModel, module: nn.Module) -> MaskedLanguageModel:
    """Return a model with other weights, and all else the same."""
    changed = copy.copy(model)
    setattr(changed, "bert" if model.bert is not None else "model", module)
    return changed


def blocks_of(model: MaskedLanguageModel) -> str:
    """Return the name of the model's list of layers.

    Raises UnknownLayersError unless there is just one: XLM has one for each of a layer's
    operations.
    """
    found: list[str] = []
    for name, module in module_of(model).named_modules():
        is_inside = any(name.startswith(f"{outer}.") for outer in found)
        if isinstance(module, nn.ModuleList) and len(module) == model.n_layers and not is_inside:
            found.append(name)
    if len(found) != 1:
        raise UnknownLayersError(model.name)
    return found[0]
