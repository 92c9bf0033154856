"""Stored: what each head of the bundled models attends to in our sentences of its language.

`make stored STORED=head_patterns` makes the file: proportions by kind of token, and each head's
strongest pairs.

Read before this: ../inside/head_patterns.py.
"""

import json
from pathlib import Path

from mlm_core.inside.head_patterns import HeadPair, HeadPatterns
from mlm_core.inside.switches import Head

PATTERNS_FILE = Path(__file__).parents[1] / "data" / "head_patterns.json"


def read_patterns(model_name: str) -> HeadPatterns:
    """Return what is stored of a bundled model's heads, with four decimals."""
    stored = json.loads(PATTERNS_FILE.read_text(encoding="utf-8"))[model_name]
    rows = {Head(*row["head"]): row for row in stored["heads"]}
    return HeadPatterns(
        n_sentences=stored["n_sentences"],
        n_queries=stored["n_queries"],
        chance=tuple(stored["chance"]),
        shares={head: tuple(row["shares"]) for head, row in rows.items()},
        pairs={head: tuple(HeadPair(*one) for one in row["pairs"]) for head, row in rows.items()},
    )
