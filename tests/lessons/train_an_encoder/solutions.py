"""The exercises of this lesson solved by another route than the one that checks them."""

import math
from collections.abc import Iterator
from functools import cache

import numpy as np

from mlm_core.exercises.exercise import Task
from tests.exercises.learners import number


def how_many_parameters(task: Task) -> Iterator[str]:
    """From the shapes of a real encoder, its heads left out."""
    import torch

    from mlm_core.encoder.bert import Bert, BertConfig

    v, d, n, window = (
        int(number(task.values[k])) for k in ("vocabulary", "width", "layers", "window")
    )
    config = BertConfig(
        vocabulary_size=v,
        hidden_size=d,
        n_layers=n,
        n_heads=2,
        intermediate_size=4 * d,
        n_positions=window,
    )
    with torch.device("meta"):
        bert = Bert(config)
    yield str(sum(p.numel() for name, p in bert.named_parameters() if "head" not in name))


def nearest_token(task: Task) -> Iterator[str]:
    table, ids = stored_table()
    word = table[ids[task.values["word"]]]

    def cosine(letter: str) -> float:
        other = table[ids[task.values[f"word_{letter}"]]]
        return float(word @ other / np.linalg.norm(word) / np.linalg.norm(other))

    yield max("abcd", key=cosine)


@cache
def stored_table() -> tuple[np.ndarray, dict[str, int]]:
    from mlm_core.small_runs.snapshot import model_at
    from mlm_core.stored.runs import read_stored

    model = model_at(read_stored("default"))
    return model.token_embedding.double().numpy(), model.tokenizer.get_vocab()


def nsp_ablation(task: Task) -> Iterator[str]:
    lead = task.values["right_a"] - task.values["right_b"]
    z = lead / math.sqrt(task.values["n_apart"])
    yield "a" if z > 2 else "b" if z < -2 else "no_difference"


def rate_of_step(task: Task) -> Iterator[str]:
    """As the height of a broken line at the step."""
    n, warm, step = (number(task.values[name]) for name in ("n", "n_warm", "step"))
    peak = task.values["peak"]
    yield str(np.interp(step, [0, warm, warm + 1, n + 1], [0, peak, peak, 0]))


def hidden_shape(task: Task) -> Iterator[str]:
    """From a real encoder of that width."""
    import torch

    from mlm_core.encoder.bert import Bert, BertConfig

    batch, length, width = (task.values[name] for name in ("batch", "length", "after"))
    config = BertConfig(
        vocabulary_size=7,
        hidden_size=width,
        n_layers=1,
        n_heads=1,
        intermediate_size=8,
        n_positions=length,
    )
    ids = torch.zeros(batch, length, dtype=torch.long)
    yield str(Bert(config).encode(ids, ids).last.numel())
