"""Every layer and head of the model at once, on the learner's sentence."""

from functools import partial

import numpy as np
import torch

from mlm_core.encoder.bert import Encoding
from mlm_core.encoder.block_steps import largest_elsewhere, value_lengths
from mlm_core.figures.encoder.heads import heads_svg
from pages.kit.part import Part, part, table_of_heads

# Pixels; a deep model's heads are drawn smaller, so that all fit on a screen or two.
WIDE, NARROW, DEEP = 150, 64, 6


@part(code=("encoder.block_steps:value_lengths", "encoder.block_steps:largest_elsewhere"))
def show(p: Part) -> None:
    """Draw all heads' weights and the lengths of their values; a click opens one."""
    model = p.model
    p.say("lead")
    tokens, encoding = p.encoding(p.text("text"))
    p.say_what_was_left_out(tokens)
    weights = [layer[0].numpy() for layer in encoding.weights]
    lengths, marks = _brought(p, encoding)

    def open_head(value: str) -> None:
        head, _, layer = value.partition(",")
        p.choose("layer", str(int(layer) + 1))
        p.choose("head", str(int(head) + 1))
        p.choose("part", "one_head", on_whole_page=True)

    p.figure(
        "heads",
        partial(
            heads_svg,
            weights,
            lengths,
            marks,
            layer_word=p.label("layer"),
            head_word=p.label("head"),
            widest=NARROW if model.n_layers > DEEP else WIDE,
        ),
        lambda: table_of_heads(weights, tokens.texts, lengths, p.plain("length")),
        on_click=open_head,
        layers=model.n_layers,
        heads=model.n_heads,
    )
    if marks:
        n_marked = sum(int((layer >= 0).sum()) for layer in marks)
        p.say("lengths", n=n_marked, of=sum(layer.size for layer in marks))
    p.say("notice")


@torch.inference_mode()
def _brought(p: Part, encoding: Encoding) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return by layer the lengths of the values, and the keys that bring most with less weight."""
    lengths, marks = [], []
    if p.model.bert is not None:
        for block, steps in zip(p.model.bert.blocks, encoding.attention, strict=True):
            length = value_lengths(block, steps.value)
            lengths.append(length[0].numpy())
            marks.append(largest_elsewhere(steps.weights, length)[0].numpy())
    return lengths, marks
