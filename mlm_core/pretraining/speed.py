"""How long a step of a run takes on this machine, so that a run can be given minutes.

Read before this: run_state.py. Read next: run.py.
"""

import copy
import time

from mlm_core.encoder.bert import Bert
from mlm_core.pretraining.objectives import BatchShape, Phase, PretrainingTask
from mlm_core.training.loop import TrainingSettings, train

N_WARM = 4  # steps in which kernels are compiled and memory is found


def seconds_a_step(
    bert: Bert,
    task: PretrainingTask,
    phases: tuple[Phase, ...],
    *,
    bfloat16: bool,
    n_timed: int = 10,
) -> float:
    """Return the seconds of an average step over `phases`; the steps change `bert`.

    Each kind of batch is timed by itself and weighed by its share of the run.
    """
    seconds: dict[BatchShape, float] = {}
    for shape in task.tables:
        seconds[shape] = _seconds(bert, task, shape, bfloat16, n_timed)
    total, begin = 0.0, 0
    for phase in phases:
        mean = sum(seconds[shape] for shape in phase.shapes) / len(phase.shapes)
        total += mean * (phase.until_step - begin)
        begin = phase.until_step
    return total / begin


def _seconds(
    bert: Bert, task: PretrainingTask, shape: BatchShape, bfloat16: bool, n_timed: int
) -> float:
    only = copy.copy(task)
    n_steps = N_WARM + n_timed
    only.phases = (Phase(until_step=n_steps, shapes=(shape,)),)
    settings = TrainingSettings(
        n_steps=n_steps, peak_rate=1e-5, bfloat16=bfloat16, check_every=n_steps + 1
    )
    begun = 0.0
    for step in train(bert, only, settings, seed=0):
        if step.number in (N_WARM, n_steps):
            step.loss.item()  # wait for the device
            now = time.perf_counter()
            begun, elapsed = now, now - begun
    return elapsed / n_timed
