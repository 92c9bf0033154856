"""Measure the app beside what it is compared with: `make bench`, or `make bench BENCH=lessons`.

`BENCH=training_bundled` is the bundled model's size alone, and `BENCH="training --repetitions 3"`
a quick look.

Both sides of a comparison take turns within one run, so that whatever else the machine does
falls on both. Printed are medians; they are this machine's, only the ratios travel.
"""

import argparse
import sys
from collections.abc import Callable, Iterable

from bench import lessons, pocket, sent_bytes, training
from bench.comparison import Comparison, Remark

REPETITIONS = 20


def main(arguments: list[str]) -> None:
    """Run the named measurements, or all, and print one table."""
    parser = argparse.ArgumentParser(prog="python -m bench.run")
    parser.add_argument("names", nargs="*", help="of measurements; all by default")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help=f"({REPETITIONS})")
    options = parser.parse_args(arguments)
    measurements: dict[str, Callable[[int], Iterable[Comparison | Remark]]] = {
        "training": training.measure,
        "lessons": lessons.measure,
        "bytes": sent_bytes.measure,
        "pocket": pocket.measure,
    }
    # Parts of the above, that only run when they are named.
    parts = {"training_bundled": training.measure_bundled}
    choices = measurements | parts
    unknown = set(options.names) - set(choices)
    if unknown:
        sys.exit(f"no measurement {', '.join(unknown)}: choose from {', '.join(choices)}")
    print(
        f"{'medians':<44} {'ours':>12} {'theirs':>12} {'ratio':>8} {'difference':>12}"
        f"  {'n':>4}  {'aim':<16} theirs is"
    )
    for name in options.names or measurements:
        for row in choices[name](options.repetitions):
            print(row.line(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
