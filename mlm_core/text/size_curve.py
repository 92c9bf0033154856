"""Tokens per word by size of the vocabulary, measured on our sentences.

Measuring all sizes takes some seconds, so the result is stored; a test measures some sizes again.
After a change of the sentences or the trainers make it again:

    python -m mlm_core.text.size_curve

Read before this: corpora.py.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from mlm_core.text import corpora
from mlm_core.text.cutting import tokens_per_word
from mlm_core.text.subword_trainers import ALGORITHMS, Algorithm
from mlm_core.text.tokens import train_tokenizer

CURVE_FILE = Path(__file__).parents[1] / "data" / "size_curve.json"
SIZES = (100, 200, 400, 800, 1500, 3000, 5000, 8000)  # about even steps on a log scale


@dataclass(frozen=True, kw_only=True)
class SizePoint:
    """One vocabulary, and the tokens per word of the text it was learnt from."""

    algorithm: Algorithm
    size: int  # entries asked for
    reached: int  # entries that it has
    tokens_per_word: float  # words are separated by spaces


def measure(algorithm: Algorithm, size: int) -> SizePoint:
    """Train on our sentences and tokenize the same sentences."""
    lines = corpora.sentences()
    tokenizer = train_tokenizer(algorithm, lines, size)
    return SizePoint(
        algorithm=algorithm,
        size=size,
        reached=tokenizer.get_vocab_size(),
        tokens_per_word=tokens_per_word(tokenizer, lines),
    )


def stored_curve() -> tuple[SizePoint, ...]:
    """Return the stored points of all algorithms and sizes."""
    return tuple(SizePoint(**point) for point in json.loads(CURVE_FILE.read_text(encoding="utf-8")))


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
