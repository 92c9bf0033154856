"""What the parts of this lesson share: the word, the layer, and how a vector is made."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, cast

from mlm_core.embeddings.contextual import POOLINGS, Layer, Pooling
from mlm_core.embeddings.senses_data import SenseWord
from mlm_core.embeddings.word_senses import METHODS, Method
from pages.kit.caches import cache_senses
from pages.kit.part import Part
from pages.lessons.word_senses.lesson import MIXES, START

Name = TypeVar("Name", bound=str)


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What the lesson is about just now."""

    name: str  # of the stored word
    layer: Layer
    pooling: Pooling
    method: Method

    @property
    def word(self) -> SenseWord:
        """Return the stored word with its senses and sentences."""
        return cache_senses.stored_word(self.name)


def current(p: Part) -> Setting:
    """Return the setting as the opening's controls have it."""
    mix = _chosen(p, "mix", MIXES)
    return Setting(
        name=_chosen(p, "word", (START[p.language], *cache_senses.stored_names())),
        layer=current_layer(p) if mix == "one" else cast("Layer", mix),
        pooling=_chosen(p, "join", POOLINGS),
        method=_chosen(p, "method", METHODS),
    )


def with_layer(p: Part) -> Setting:
    """Show a part's own layer, at first that of the map, in a fold-out; return the setting."""
    now, names = current(p), layers(p)
    if not isinstance(now.layer, int):  # several are mixed
        return now
    with p.popover("choose_layer", "layers"):
        return replace(now, layer=int(p.choice("own_layer", names, start=names[-1])))


def _chosen(p: Part, name: str, options: Sequence[Name]) -> Name:
    """Return which option a control of the opening shows; the first if there is no such option."""
    value = p.chosen(name)
    return next((one for one in options if one == value), options[0])


def layers(p: Part) -> list[str]:
    """Return the names of the model's layers, from the embedding output, 0, to the last."""
    return [str(i) for i in range(p.model.n_layers + 1)]


def current_layer(p: Part) -> int:
    """Return the layer of the slider, whether or not the last four are mixed instead."""
    names, value = layers(p), p.chosen("layer")
    return int(value if value in names else names[-1])


def layer_name(p: Part, layer: Layer) -> str:
    """Return a layer's name for captions: "layer 5", "mean of the last 4 layers"."""
    if isinstance(layer, int):
        return p.plain("layer_named", layer=layer)
    return p.plain(f"named_{layer}")
