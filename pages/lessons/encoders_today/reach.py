"""How far it reads: learned or rotated positions, or a window; and what a long text costs."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import mean

import torch

from mlm_core.encoder.attention import attend
from mlm_core.encoder.cost import BYTES_A_NUMBER
from mlm_core.encoder.local_attention import (
    attend_locally,
    attended_pairs,
    local_mask,
    pairs_by_layer,
)
from mlm_core.encoder.rotary import position_cosines, score_by_distance
from mlm_core.figures.encoder.cost import growth_chart
from mlm_core.figures.matrix import matrix_svg
from pages.kit.part import Part, Text, part

N_DRAWN, DRAWN_WINDOW = 16, 6  # positions and window of the picture
HEAD_SIZE = 64  # dimensions, as in BERT and ModernBERT
# The sizes of ModernBERT-base: Warner et al. 2024, and ModernBertConfig in transformers.
N_LAYERS, N_HEADS, WINDOW, GLOBAL_EVERY = 22, 12, 128, 3
BERT_POSITIONS = 512
SIZES = (512, 1024, 2048, 4096, 8192)
MEASURED_SIZES = (128, 256, 512, 1024)  # 2,048 tokens would take 70 MB a press
REPEATS = 3


@part(
    code=(
        "encoder.rotary:rotate",
        "encoder.local_attention:attend_locally",
        "encoder.local_attention:attended_pairs",
    )
)
def show(p: Part) -> None:
    """Draw who reads whom in three ways, and what a text costs by its length."""
    p.say("lead")
    way = p.choice("reach_way")
    _draw_way(p, way)
    _draw_cost(p)
    p.button("measure", partial(_measure, p), icon="speed")
    if "measured" in p.state:
        _draw_measured(p, p.state["measured"])
    p.say("notice")


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


# What the computer that runs the app takes.


def _measure(p: Part) -> None:
    """Keep the seconds of one head's attention, with all scores and with those of the window."""
    seconds = {"masked": [], "blocks": []}
    rng = torch.Generator().manual_seed(1)
    for n in MEASURED_SIZES:
        query, key, value = (torch.randn(n, HEAD_SIZE, generator=rng) for _ in range(3))
        mask = local_mask(n, WINDOW)
        seconds["masked"].append(_fastest(partial(attend, query, key, value, mask)))
        seconds["blocks"].append(_fastest(partial(attend_locally, query, key, value, WINDOW)))
    p.state["measured"] = seconds


def _fastest(compute: Callable[[], object]) -> float:
    """Return the seconds of the fastest of some runs: others only disturb."""
    found = []
    with torch.inference_mode():
        for _ in range(REPEATS):
            begun = time.perf_counter()
            compute()
            found.append(time.perf_counter() - begun)
    return min(found)


def _draw_measured(p: Part, seconds: Mapping[str, Sequence[float]]) -> None:
    lines = {p.label(name): values for name, values in seconds.items()}
    titles = {"x_title": p.label("x"), "y_title": p.label("seconds")}
    chart = growth_chart(MEASURED_SIZES, lines, marks={}, **titles)
    longest = {name: 1000 * values[-1] for name, values in seconds.items()}  # ms
    p.figure("measured", chart, {"n_tokens": MEASURED_SIZES} | lines, window=WINDOW)
    p.say("measured", n=MEASURED_SIZES[-1], **longest)
