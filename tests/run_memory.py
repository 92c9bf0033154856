"""What the largest runs really take: `python -m tests.run_memory small|finetune NAME ...`.

NAME is an objective (mlm, ...) or stored data (sentiment, ...). In a process of its own, which is
set up as the server's is (pages/server/process/process_memory.py). First comes a tiny run of the
same sort, so that all is imported; what the largest one holds at rest after some steps, and its
highest, are counted from there. Prints bytes as JSON, with those that were declared.
"""

import gc
import json
import sys
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

from pages.server.process import process_memory

STEPS = 2  # of the large run; AdamW has all its memories after the first


def status(name: str) -> int:
    """Return a number of bytes that Linux tells of this process: VmRSS or VmHWM."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    raise ValueError(f"no {name} in /proc/self/status")


def settle() -> int:
    """Hand back all that is free, forget the highest so far, and return what is held."""
    gc.collect()
    process_memory.give_memory_back()
    Path("/proc/self/clear_refs").write_text("5")
    return status("VmRSS")


def measure(snapshots: Iterator, n_steps: int) -> tuple[int, int]:
    """Drive a run for so many steps; return what it holds then, and its highest."""
    begun = settle()
    for snapshot in snapshots:
        if snapshot.step >= n_steps:
            break
    highest = status("VmHWM")
    return settle() - begun, highest - begun


def long_sentences(n_characters: int) -> str:
    """Return a text of one's own: long sentences of many words, which fill every window."""
    rng, letters = Random(1), "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(rng.choices(letters, k=rng.randint(3, 9))) for _ in range(6_000)]
    documents, size = [], 0
    while size < n_characters - 3_000:
        sentences = (" ".join(rng.choices(words, k=40)).capitalize() + "." for _ in range(8))
        documents.append(" ".join(sentences))
        size += len(documents[-1]) + 2
    return "\n\n".join(documents)


def largest_small(objective: str) -> dict[str, float]:
    """Return the figures of the largest run of an objective that its settings allow."""
    from mlm_core.small_runs.run import SmallRun
    from mlm_core.small_runs.settings import LONGEST_OWN_TEXT, SmallRunSettings

    tiny = {"vocabulary_size": 200, "hidden_size": 8, "n_heads": 2, "n_layers": 1, "length": 16}
    warm_up = SmallRunSettings(**tiny, batch_size=8, objective=objective, n_steps=STEPS)
    measure(SmallRun(warm_up).go_on(), STEPS)
    text = long_sentences(LONGEST_OWN_TEXT)
    sizes = {"vocabulary_size": 4_000, "hidden_size": 128, "n_layers": 4, "length": 64}
    settings = None
    for batch_size in range(128, 0, -1):
        with suppress(ValueError):
            settings = SmallRunSettings(
                **sizes, batch_size=batch_size, own_text=text, objective=objective
            )
            break
    run = SmallRun(settings)
    held, highest = measure(run.go_on(), STEPS)
    kept = sum(len(one.weights) for one in run.snapshot.checkpoints)  # not all of them yet
    return {
        "declared_held": settings.held_bytes + kept,
        "declared": settings.held_bytes + kept + settings.extra_bytes,
        "held": held,
        "highest": highest,
    }


def largest_finetune(data: str) -> dict[str, float]:
    """Return the figures of a run on stored data nearly as large as the trainer takes."""
    from mlm_core.encoder.model_list import BUNDLED
    from mlm_core.encoder.pretrained import load
    from mlm_core.finetuning import cost as finetune_cost
    from mlm_core.finetuning.run import FineTuneRun
    from mlm_core.finetuning.settings import LARGEST_BATCH, default_settings
    from mlm_core.stored.finetunes import read_dataset
    from pages.server.trainer.jobs import ServiceLimits

    encoder, examples = load(), read_dataset(data)
    few = {"dev": examples.dev[:8], "test": examples.test[:16]}  # measuring keeps nothing
    examples = replace(examples, **few)
    warm_up = default_settings(BUNDLED, data, "head", n_examples=8, batch_size=2, n_epochs=1)
    measure(FineTuneRun(warm_up, examples, encoder).go_on(), STEPS)

    def bytes_of(batch_size: int) -> int:
        settings = default_settings(BUNDLED, data, "all", batch_size=batch_size)
        return finetune_cost.run_bytes(settings, examples, encoder)

    # Two steps seldom meet the longest texts, which count the more the larger a batch is.
    batches, most = range(1, LARGEST_BATCH + 1), 0.8 * ServiceLimits().most_bytes
    batch_size = bisect_right(batches, most, key=bytes_of)
    settings = default_settings(BUNDLED, data, "all", batch_size=batch_size)
    declared = finetune_cost.run_bytes(settings, examples, encoder)
    run = FineTuneRun(settings, examples, encoder)
    held, highest = measure(run.go_on(), STEPS)
    kept = finetune_cost.kept_bytes(settings, encoder)
    return {
        "declared_held": finetune_cost.held_bytes(settings, examples, encoder) + kept,
        "declared": declared + kept,
        "held": held,
        "highest": highest,
    }


def main(which: str, names: list[str]) -> None:
    """Measure one run after another and print the figures by name, as JSON."""
    process_memory.take_little()
    import torch

    torch.set_num_threads(1)
    largest = {"small": largest_small, "finetune": largest_finetune}[which]
    print(json.dumps({name: largest(name) for name in names}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
