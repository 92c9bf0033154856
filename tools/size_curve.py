"""Measure the tokens per word of each algorithm and size of the vocabulary.

    make stored STORED=size_curve    mlm_core/data/size_curve.json, in seconds

Run it after a change of the sentences or the trainers.

Read before this: ../mlm_core/text/size_curve.py.
"""

from collections.abc import Iterator
from dataclasses import asdict

from mlm_core.stored.size_curve import CURVE_FILE
from mlm_core.text.size_curve import SIZES, measure
from mlm_core.text.subword_trainers import ALGORITHMS
from tools.stored_finetunes import write_rows


def make_curve() -> Iterator[str]:
    """Measure all algorithms and sizes and write the file; yield a line for each."""
    points = []
    for algorithm in ALGORITHMS:
        for size in SIZES:
            point = measure(algorithm, size)
            points.append(point)
            yield f"{algorithm}, {size:,} entries: {point.tokens_per_word:.2f} tokens a word"
    write_rows(map(asdict, points), CURVE_FILE)
