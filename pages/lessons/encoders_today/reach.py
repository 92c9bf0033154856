"""How far it reads: learned or rotated positions, or a window; and what a long text costs.

made_modern.py shows it in a fold.
"""

from collections.abc import Sequence
from functools import partial
from statistics import mean

import torch

from mlm_core.encoder.cost import BYTES_A_NUMBER
from mlm_core.encoder.local_attention import attended_pairs, local_mask, pairs_by_layer
from mlm_core.encoder.rotary import position_cosines, rotate, score_by_distance
from mlm_core.figures.encoder.cost import growth_chart
from mlm_core.figures.matrix import matrix_svg
from pages.kit.part import Part, Text, part

N_DRAWN, DRAWN_WINDOW = 16, 6  # positions and window of the picture
HEAD_SIZE = 64  # dimensions, as in BERT and ModernBERT
# The sizes of ModernBERT-base: Warner et al. 2024, and ModernBertConfig in transformers.
N_LAYERS, N_HEADS, WINDOW, GLOBAL_EVERY = 22, 12, 128, 3
BERT_POSITIONS = 512
SIZES = (512, 1024, 2048, 4096, 8192)


@part()
def show(p: Part) -> None:
    """Draw who reads whom in three ways, and what a text costs by its length."""
    p.say("reach_lead")
    way = p.choice("reach_way")
    _draw_way(p, way)
    _draw_cost(p)
    p.say("reach_notice")
    p.code("reach", rotate, local_mask, attended_pairs)


def _draw_way(p: Part, way: str) -> None:
    """Draw a number for each pair of positions."""
    values = _values(p, way)
    if values is None:
        p.note("no_positions", model=p.model_name)
        return
    names = [Text(i) for i in range(len(values))]
    near = mean(values[i][i + 1] for i in range(len(values) - 1))
    p.figure(
        way,
        partial(matrix_svg, values, names, names, scale="signed"),
        {"position": names} | {name: list(row) for name, row in zip(names, values, strict=True)},
        n=len(values),
        near=near,
        window=DRAWN_WINDOW,
    )
    p.say(f"of_{way}", side=DRAWN_WINDOW // 2, near=near)


def _values(p: Part, way: str) -> Sequence[Sequence[float]] | None:
    positions = torch.arange(N_DRAWN)
    if way == "local":
        return local_mask(N_DRAWN, DRAWN_WINDOW).float().tolist()
    if way == "rotary":
        scores = score_by_distance(positions, HEAD_SIZE)
        return scores[(positions[:, None] - positions).abs()].tolist()
    bert = p.model.bert
    if bert is None:
        return None
    return position_cosines(bert.embeddings.position.weight.detach(), N_DRAWN).tolist()


def _draw_cost(p: Part) -> None:
    """Draw the bytes of all scores of a model, with and without local layers."""
    number = N_HEADS * BYTES_A_NUMBER
    mixed = [
        sum(pairs_by_layer(n, N_LAYERS, window=WINDOW, global_every=GLOBAL_EVERY)) for n in SIZES
    ]
    lines = {
        p.label("all_global"): [number * N_LAYERS * attended_pairs(n) for n in SIZES],
        p.label("mixed"): [number * pairs for pairs in mixed],
        p.label("all_local"): [number * N_LAYERS * attended_pairs(n, WINDOW) for n in SIZES],
    }
    full, part_of_it, _ = (line[-1] for line in lines.values())
    chart = growth_chart(
        SIZES,
        lines,
        marks={p.label("bert_window", n=BERT_POSITIONS): BERT_POSITIONS},
        x_title=p.label("x"),
        y_title=p.label("y"),
    )
    p.figure("cost", chart, {"n_tokens": SIZES} | lines, longest=SIZES[-1])
    p.say(
        "cost",
        n=SIZES[-1],
        n_layers=N_LAYERS,
        layer=full / N_LAYERS / 1e9,
        full=full / 1e9,
        mixed=part_of_it / 1e9,
        share=part_of_it / full,
    )
