"""Measure the tokens per word of each algorithm and size of the vocabulary.

    python -m tools.size_curve    (re)makes mlm_core/data/size_curve.json, in seconds

Run it after a change of the sentences or the trainers.

Read before this: ../mlm_core/text/size_curve.py.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from mlm_core.stored.size_curve import CURVE_FILE
from mlm_core.text.size_curve import SIZES, measure
from mlm_core.text.subword_trainers import ALGORITHMS


def make_curve(path: Path = CURVE_FILE) -> Iterator[str]:
    """Measure all algorithms and sizes and write the file; yield a line for each."""
    points = []
    for algorithm in ALGORITHMS:
        for size in SIZES:
            point = measure(algorithm, size)
            points.append(point)
            yield f"{algorithm}, {size:,} entries: {point.tokens_per_word:.2f} tokens a word"
    rows = ",\n".join(json.dumps(asdict(point)) for point in points)
    path.write_text(f"[\n{rows}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    for line in make_curve():
        print(line, flush=True)
