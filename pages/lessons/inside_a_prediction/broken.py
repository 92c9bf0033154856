"""The model that "break it" shows: a sentence, what is switched off, and how exact weights are."""

from dataclasses import dataclass
from math import log

from mlm_core.figures.inside.heads_off import BoardNames
from mlm_core.inside.quantized import FULL_BITS
from mlm_core.inside.switches import Head, heads_of
from pages.kit.part import Part
from pages.kit.remember import model
from pages.lessons.inside_a_prediction import computed

N_WORDS = 5
PATIENCE_SECONDS = 0.5  # before a bar of progress shows


@dataclass(frozen=True, kw_only=True)
class Broken:
    """A sentence and a model that lacks something."""

    model_name: str
    text: str
    word: int  # the whole model's word at the blank
    sentences: tuple[str, ...]
    n_layers: int
    n_heads: int
    off: tuple[Head, ...]  # head 0 is the whole layer
    bits: int

    def blank(self, off: tuple[Head, ...] = (), bits: int = FULL_BITS) -> computed.AtBlank:
        """Return the prediction of a model without some heads, with so many bits a weight."""
        return computed.blank_without(self.model_name, self.text, self.word, off, bits, N_WORDS)

    def loss(self, off: tuple[Head, ...] = (), bits: int = FULL_BITS) -> float:
        """Return the loss of such a model on the ten sentences."""
        return computed.loss_without(self.model_name, self.sentences, off, bits)

    @property
    def is_whole(self) -> bool:
        """Return whether nothing is off or rounded."""
        return not self.off and self.bits == FULL_BITS

    @property
    def heads(self) -> tuple[Head, ...]:
        """Return all heads, layer by layer."""
        return heads_of(model(self.model_name))


def rise_without_each_head(p: Part, broken: Broken, kind: str) -> dict[Head, float]:
    """Return by how much the loss of the ten sentences, or of the blank, rises without a head."""
    changes = {}
    for head in p.progress("measuring", broken.heads, patience=PATIENCE_SECONDS):
        if kind == "loss":
            changes[head] = broken.loss((head,)) - broken.loss()
        else:
            changes[head] = _surprise(broken, (head,)) - _surprise(broken, ())
    return changes


def _surprise(broken: Broken, off: tuple[Head, ...]) -> float:
    """Return -log P of the word that the whole model predicts."""
    return -log(max(broken.blank(off).probability, 1e-300))


def board_names(p: Part) -> BoardNames:
    """Return what the board of switches calls a layer and a head."""
    return BoardNames(layer=p.plain("layer_word"), head=p.plain("head_word"))
