"""A run on disk, so that it survives being cut off at any moment.

state.safetensors holds the weights, AdamW's two moments, the step, and the seconds spent. It
is written under another name and then renamed: a killed process leaves the old state or the new
one, never half of one. Nothing else is needed: each step's random numbers come from (seed, step).

Read before this: ../training/adamw.py, ../encoder/checkpoints.py.
"""

import os
from pathlib import Path

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.training.adamw import MOMENTS, AdamW
from mlm_core.training.loop import NonFiniteLossError


def save_state(path: Path, bert: Bert, optimizer: AdamW, *, step: int, seconds: float) -> None:
    """Write the state after `step` steps; replace the last state by renaming.

    Raises NonFiniteLossError, and keeps the state saved before, if a weight is NaN or infinite:
    the loss is computed before the update, so it can be finite when the weights are not.
    """
    from safetensors.torch import save_file

    tensors = {f"weight.{name}": weight.detach() for name, weight in bert.named_parameters()}
    for name, weight in bert.named_parameters():
        for moment in MOMENTS:
            tensors[f"{moment}.{name}"] = optimizer.state[weight][moment]
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
    """Load a state into `bert` and `optimizer`; return its steps and seconds.

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
                        moment: file.get_tensor(f"{moment}.{name}").to(weight.device)
                        for moment in MOMENTS
                    },
                }
    return step, float(metadata["seconds"])
