"""Agreement of the processes that train one model; one process always agrees.

Source: torch.distributed.

Read before this: loop.py.
"""

import torch
from torch import distributed


def is_first_process() -> bool:
    """Return whether this process writes the files and the log."""
    return not distributed.is_initialized() or distributed.get_rank() == 0


def any_process_says(flag: bool, device: torch.device) -> bool:
    """Return whether the flag is true in any process; all get the same answer."""
    if not distributed.is_initialized():
        return flag
    flags = torch.tensor([float(flag)], device=device)
    distributed.all_reduce(flags, op=distributed.ReduceOp.MAX)
    return bool(flags.item())


def refuse_other_steps(step: int, device: torch.device) -> None:
    """Raise ValueError if the processes would go on from different steps."""
    if not distributed.is_initialized():
        return
    ends = torch.tensor([step, -step], device=device)
    distributed.all_reduce(ends, op=distributed.ReduceOp.MAX)
    last, first = int(ends[0]), -int(ends[1])
    if first != last:
        raise ValueError(
            f"the processes' states are of steps {first} to {last}: copy state.safetensors and"
            " run.json of the first machine to the others"
        )
