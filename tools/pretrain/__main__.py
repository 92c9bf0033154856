"""The command `python -m tools.pretrain --train a.txt --held-out b.txt ...`.

Run the same command again after an interruption: it goes on at the last saved step.

Read before this: run.py.
"""

import argparse
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import torch

from mlm_core.masking.rule import CorruptionRule
from tools.pretrain.record import duration
from tools.pretrain.run import PretrainingRun
from tools.pretrain.settings import PretrainingSettings, prepare_text
from tools.pretrain.speed import Machine, bfloat16_gain, plan_steps


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    options = _parser().parse_args(arguments)
    settings = PretrainingSettings(
        train_files=tuple(options.train),
        held_out_files=tuple(options.held_out),
        folder=options.folder,
        start_from=options.start_from,
        corruption=CorruptionRule(mlm_probability=options.mlm_probability),
        **{name: getattr(options, name) for name in _NUMBERS},
    )
    if not options.prepared:
        for line in prepare_text(settings):
            print(line, flush=True)
    if options.prepare_only:
        return
    machine, n_steps = _machine(options), options.steps
    if n_steps is None:
        n_steps = plan_steps(settings, machine, options.minutes * 60)
    run = PretrainingRun(settings, machine, n_steps)
    n_parameters = sum(parameter.numel() for parameter in run.bert.parameters())
    gain = machine.bfloat16_gain
    measured = "" if gain is None else f", since bf16 is {gain:.1f} times as fast as fp32 here"
    print(
        f"{n_parameters:,} parameters on {machine.device}"
        f" ({'bf16' if machine.bfloat16 else 'fp32'}{measured});"
        f" {run.n_steps:,} steps of {settings.tokens_a_batch:,} tokens, {run.step:,} done",
        flush=True,
    )
    for row in run.go_on(until_seconds=options.stop_after):
        print(row.line(), flush=True)
    if run.is_finished:
        print(f"done in {duration(run.seconds)}: {settings.folder / 'model'}")
    else:
        print(f"stopped at step {run.step:,} of {run.n_steps:,}: the same command goes on")


# The settings that are options: all numbers but dropout_rate. run.json records them all.
_NUMBERS = tuple(
    field.name
    for field in fields(PretrainingSettings)
    if isinstance(field.default, int | float) and field.name != "dropout_rate"
)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.pretrain", description=__doc__)
    parser.add_argument("--train", type=Path, nargs="+", required=True, help=".txt or .txt.xz")
    parser.add_argument("--held-out", type=Path, nargs="+", required=True, help="never trained on")
    parser.add_argument("--folder", type=Path, required=True, help="where the run lives")
    parser.add_argument("--start-from", type=Path, metavar="FOLDER", help="go on from this BERT")
    budget = parser.add_mutually_exclusive_group(required=True)
    budget.add_argument("--steps", type=int, help="length of the run")
    budget.add_argument("--minutes", type=float, help="or its time on this machine, measured first")
    parser.add_argument("--stop-after", type=float, metavar="SECONDS", help="save and stop by then")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--bf16", choices=("auto", "yes", "no"), default="auto")
    parser.add_argument("--compile", choices=("auto", "yes", "no"), default="auto")
    parser.add_argument(
        "--prepared", action="store_true", help="the folder's vocabulary and tokens are final"
    )
    parser.add_argument(
        "--prepare-only", action="store_true", help="make vocabulary and tokens, then stop"
    )
    parser.add_argument(
        "--mlm-probability", type=float, default=0.15, help="proportion of tokens chosen (0.15)"
    )
    for name in _NUMBERS:
        default = getattr(PretrainingSettings, name)
        option = "--" + name.replace("_", "-")
        parser.add_argument(option, type=type(default), default=default, help=f"({default})")
    return parser


def _machine(options: argparse.Namespace) -> Machine:
    device = torch.device(options.device)
    choice = {"auto": None, "yes": True, "no": False}
    bfloat16, compiled = choice[options.bf16], choice[options.compile]
    gain = bfloat16_gain(device) if bfloat16 is None else None
    return Machine(
        device=device,
        bfloat16=gain > 1 if gain is not None else bool(bfloat16),
        bfloat16_gain=gain,
        compiled=device.type == "cuda" if compiled is None else compiled,
    )


if __name__ == "__main__":
    main()
