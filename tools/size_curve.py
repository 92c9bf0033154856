"""Measure the tokens per word of each algorithm and size of the vocabulary.

    make stored STORED=size_curve    mlm_core/data/size_curve.json and _de, in a minute

Run it after a change of the sentences or the trainers.

Read before this: ../mlm_core/text/size_curve.py.
"""

from collections.abc import Iterator
from dataclasses import asdict

from mlm_core.stored.size_curve import CURVE_FILES
from mlm_core.text.size_curve import SIZES, measure
from mlm_core.text.subword_trainers import ALGORITHMS
from tools.stored_finetunes import write_rows


def make_curves() -> Iterator[str]:
    """Measure all algorithms and sizes of each language and write the files; yield their lines."""
    for language, file in CURVE_FILES.items():
        points = []
        for algorithm in ALGORITHMS:
            for size in SIZES:
                point = measure(algorithm, size, language)
                points.append(point)
                rate = f"{point.tokens_per_word:.2f} tokens a word"
                yield f"{language}, {algorithm}, {size:,} entries: {rate}"
        write_rows(map(asdict, points), file)
