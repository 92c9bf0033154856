"""The machine of a run: its settings, and how many steps it makes in a given time.

Read before this: settings.py.
"""

import copy
import json
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

from mlm_core.encoder.bert import Bert
from mlm_core.pretraining.objectives import Phase, PretrainingTask
from mlm_core.text.tokens import load_tokenizer
from mlm_core.training.loop import TrainingSettings, generator_of_step, train
from tools.pretrain.settings import PretrainingSettings, make_task

N_WARM = 4  # untimed steps, in which kernels are compiled and memory is allocated
N_TIMED = 10


@dataclass(frozen=True, kw_only=True)
class Machine:
    """The machine of a run; it changes the speed and not the model."""

    device: torch.device
    bfloat16: bool
    bfloat16_gain: float | None = None  # what bfloat16_gain() measured, if it was asked
    compiled: bool = False  # torch.compile for the encoder blocks


def bfloat16_gain(device: torch.device, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return how many times as fast a product of a training step is in bfloat16 as in float32.

    Measured in some 30 ms: of two processors that report the same instructions for bfloat16, one
    multiplied four times as fast in it, the other at half the speed. The best of five times
    counts, since other processes disturb.
    """
    seconds = []
    for dtype in (torch.float32, torch.bfloat16):
        left = torch.ones(2048, 256, dtype=dtype, device=device)
        right = torch.ones(256, 1024, dtype=dtype, device=device)
        times = []
        for _ in range(6):
            begun = clock()
            float((left @ right)[0, 0])  # which waits for the device
            times.append(clock() - begun)
        seconds.append(min(times[1:]))  # the first one allocates and compiles
    return seconds[0] / seconds[1]


def compile_blocks(bert: Bert) -> None:
    """Compile the encoder blocks; all share the compiled code.

    A block at a time compiles in seconds, where the whole encoder takes minutes.
    """
    for block in bert.blocks:
        block.compile(dynamic=False)


def plan_steps(settings: PretrainingSettings, machine: Machine, seconds: float) -> int:
    """Return how many steps fit into a time, measured here; of a begun run, its steps.

    Evaluating and saving get 3 % of the time.
    """
    path = settings.folder / "run.json"
    if path.is_file():
        return json.loads(path.read_text(encoding="utf-8"))["n_steps"]
    tokenizer = load_tokenizer(settings.folder / "vocabulary")
    phases = settings.phases(1000)  # any number: only the proportions count
    task = make_task(settings.folder / "train", tokenizer, phases, settings, machine.device)
    config = settings.bert_config(tokenizer.get_vocab_size(), settings.dropout_rate)
    bert = Bert(config, generator_of_step(settings.seed, "speed", "cpu"))
    bert.to(machine.device)
    if machine.compiled:
        compile_blocks(bert)
    a_step = seconds_a_step(bert, task, phases, bfloat16=machine.bfloat16)
    return max(1, int(seconds * 0.97 / a_step))


def seconds_a_step(
    bert: Bert,
    task: PretrainingTask,
    phases: tuple[Phase, ...],
    *,
    bfloat16: bool,
) -> float:
    """Return the seconds of an average step over `phases`; the steps change `bert`.

    Each kind of batch is timed alone and weighted by its proportion of the run.
    """
    n_steps = N_WARM + N_TIMED
    settings = TrainingSettings(
        n_steps=n_steps, peak_learning_rate=1e-5, bfloat16=bfloat16, check_every=n_steps + 1
    )
    only, seconds = copy.copy(task), {}
    for shape in task.tables:
        only.phases = (Phase(until_step=n_steps, shapes=(shape,)),)
        begun = 0.0
        for step in train(bert, only, settings, seed=0):
            if step.number in (N_WARM, n_steps):
                step.loss.item()  # wait for the device
                now = time.perf_counter()
                begun, seconds[shape] = now, (now - begun) / N_TIMED
    total, begin = 0.0, 0
    for phase in phases:
        mean = sum(seconds[shape] for shape in phase.shapes) / len(phase.shapes)
        total += mean * (phase.until_step - begin)
        begin = phase.until_step
    return total / begin
