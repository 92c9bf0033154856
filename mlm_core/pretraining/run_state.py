"""A run on disk, so that it survives being cut off at any moment.

state.safetensors holds the weights, AdamW's two memories, the step, and the seconds spent. It
is written under another name and then renamed: a kill leaves the old state or the new one, never
half of one. Nothing else is needed, because each step's chance comes from (seed, step).

Read before this: ../training/adamw.py, ../encoder/checkpoints.py.
"""

import os
from pathlib import Path

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.training.adamw import MEMORIES, AdamW
from mlm_core.training.loop import NonFiniteLossError


def save_state(path: Path, bert: Bert, optimizer: AdamW, *, step: int, seconds: float) -> None:
    """Write the state after `step` steps, replacing the last one in a single move.

    Raises NonFiniteLossError, and keeps the state saved before, if a number is NaN or infinite: a
    loss is taken before its update, so a finite loss doesn't say that the weights are finite.
    """
    from safetensors.torch import save_file

    tensors = {f"weight.{name}": weight.detach() for name, weight in bert.named_parameters()}
    for name, weight in bert.named_parameters():
        for memory in MEMORIES:
            tensors[f"{memory}.{name}"] = optimizer.state[weight][memory]
    tensors = {name: tensor.cpu().contiguous() for name, tensor in tensors.items()}
    damaged = [name for name, tensor in tensors.items() if not tensor.isfinite().all()]
    if damaged:
        raise NonFiniteLossError(
            f"{damaged[0]} is NaN or infinite after step {step}: {path.parent} keeps what was"
            " saved before; start in a new folder with a lower peak rate or a longer warm-up"
        )
    unfinished = path.with_suffix(".unfinished")
    save_file(tensors, unfinished, metadata={"step": str(step), "seconds": repr(seconds)})
    os.replace(unfinished, path)


def load_state(path: Path, bert: Bert, optimizer: AdamW) -> tuple[int, float]:
    """Put the state in place; return the steps done and the seconds they took.

    Raises ValueError if the file belongs to a model of other sizes.
    """
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        names = set(file.keys())
        metadata = file.metadata()
        step = int(metadata["step"])
        with torch.no_grad():
            for name, weight in bert.named_parameters():
                key = f"weight.{name}"
                if key not in names or file.get_slice(key).get_shape() != list(weight.shape):
                    raise ValueError(
                        f"{path} belongs to a model of other sizes ({name} differs): use the"
                        " settings it was made with, or a new folder"
                    )
                weight.copy_(file.get_tensor(key))
                optimizer.state[weight] = {
                    "step": torch.tensor(float(step), device=weight.device),
                    **{
                        memory: file.get_tensor(f"{memory}.{name}").to(weight.device)
                        for memory in MEMORIES
                    },
                }
    return step, float(metadata["seconds"])
