"""The exercises of this lesson solved by another route than the one that checks them."""

from collections.abc import Iterator

from mlm_core.exercises.exercise import Task
from tests.exercises.learners import bundled_model


def blank_of(task: Task) -> tuple[list[int], int]:
    """Return the ids of a task's sentence, and the place of its blank."""
    ids = bundled_model().tokenizer.encode(task.values["sentence"]).ids
    return ids, ids.index(bundled_model().tokenizer.token_to_id("[MASK]"))


def log_probabilities(bert, ids: list[int], blank: int):
    """Return log P of each entry at the blank."""
    import torch

    with torch.inference_mode():
        logits = bert.masked_language_logits(bert.encode(torch.tensor([ids])).last[0])
    return logits[blank].log_softmax(dim=-1)


def needed_head(task: Task) -> Iterator[str]:
    """By a copy of the model whose output weights are set to zero and back."""
    from copy import deepcopy

    bert, (ids, blank) = deepcopy(bundled_model().bert), blank_of(task)
    word = int(log_probabilities(bert, ids, blank).argmax())
    found = {}
    for layer in range(int(task.values["first"]), int(task.values["last"]) + 1):
        weight = bert.blocks[layer - 1].attention.output.weight.data
        for head in range(4):
            columns = slice(64 * head, 64 * (head + 1))
            kept = weight[:, columns].clone()
            weight[:, columns] = 0
            found[f"{layer}-{head + 1}"] = log_probabilities(bert, ids, blank)[word].item()
            weight[:, columns] = kept
    yield min(found, key=found.__getitem__)


def settled_layer(task: Task) -> Iterator[str]:
    import torch

    bert, (ids, blank) = bundled_model().bert, blank_of(task)
    with torch.inference_mode():
        states = bert.encode(torch.tensor([ids])).states
        words = [int(bert.masked_language_logits(state[0, blank]).argmax()) for state in states]
    layer = len(words) - 1
    while layer and words[layer - 1] == words[-1]:
        layer -= 1
    yield f"{words.index(words[-1])}-{layer}"


def they_disagree(task: Task) -> Iterator[str]:
    """All pairs whose order differs, those that differ most first."""
    import torch

    model, (ids, blank) = bundled_model(), blank_of(task)
    mask, layer = ids[blank], int(task.values["layer"])
    whole = log_probabilities(model.bert, ids, blank)
    word = int(whole.argmax())
    with torch.inference_mode():
        weights = model.bert.encode(torch.tensor([ids]), record=True).weights[layer - 1]
    seen = weights[0, :, blank].mean(dim=0).tolist()
    falls = [
        (whole - log_probabilities(model.bert, [*ids[:i], mask, *ids[i + 1 :]], blank))[word].item()
        for i in range(len(ids))
    ]
    tokens = [model.tokenizer.id_to_token(id_) for id_ in ids]
    places = [i for i in range(1, len(ids) - 1) if i != blank and tokens[i].isalnum()]
    contrast = {
        (i, j): min(seen[i] / seen[j], abs(falls[j]) / max(abs(falls[i]), 1e-9))
        for i in places
        for j in places
        if i != j
    }
    for i, j in sorted(contrast, key=contrast.__getitem__, reverse=True)[:20]:
        yield f"{tokens[i]}\n{tokens[j]}"


def two_patches(task: Task) -> Iterator[str]:
    """By the place of each run on a line from 0, the corrupted one, to 100."""
    import numpy as np

    names = ("corrupted", "clean", "word", "blank", "both")
    low, high, *runs = (float(task.values[name].replace("−", "-")) for name in names)
    slope, offset = np.polyfit([low, high], [0, 100], 1)
    closed = [slope * run + offset for run in runs]
    yield f"{sum(closed[:2]) - closed[2]:.1f} %"


def memory_aside(task: Task) -> Iterator[str]:
    """By the words that are left when those learned from are taken away."""
    words = task.values
    left = words["n"] - words["n_seen"]
    yield f"{(words['right'] / left - words['control'] / left) * 100:.1f} %"


def random_heads(task: Task) -> Iterator[str]:
    """By the place of the head's change among all that are printed, from the largest down."""
    printed = f"{task.values['rise']}; {task.values['others']}".replace("−", "-")
    own, *changes = map(float, printed.split("; "))
    ranked = sorted([*changes, own], reverse=True)
    yield f"{(len(ranked) - ranked[::-1].index(own)) / len(ranked):.2f}"
