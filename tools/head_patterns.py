"""Measure what the bundled models' heads attend to in our sentences.

    make stored STORED=head_patterns    mlm_core/data/head_patterns.json, in a minute

Each model reads the sentences of its language.

Read before this: ../mlm_core/inside/head_patterns.py.
"""

import json
from collections.abc import Iterator

from mlm_core.encoder.model_list import READERS
from mlm_core.encoder.pretrained import load
from mlm_core.inside.head_patterns import HeadPatterns, head_patterns
from mlm_core.stored.head_patterns import PATTERNS_FILE
from mlm_core.text.corpora import sentences


def make_patterns() -> Iterator[str]:
    """Measure and write what each model's heads attend to; yield lines for a log."""
    of_models = []
    for language, name in READERS.items():
        found = head_patterns(load(name), sentences(language), language)
        of_models.append(f'"{name}": {_written(found)}')
        yield f"{name}: {found.n_queries:,} tokens of {found.n_sentences:,} sentences"
    PATTERNS_FILE.write_text("{" + ",\n".join(of_models) + "}\n", encoding="utf-8")


def _written(found: HeadPatterns) -> str:
    rows = []
    for head, shares in found.shares.items():
        pairs = [(*pair[:3], round(pair.weight, 4)) for pair in found.pairs[head]]
        row = {"head": head, "shares": _rounded(shares), "pairs": pairs}
        rows.append(json.dumps(row, ensure_ascii=False))
    about = {"n_sentences": found.n_sentences, "n_queries": found.n_queries}
    about = json.dumps(about | {"chance": _rounded(found.chance)})[:-1]
    return about + ', "heads": [\n' + ",\n".join(rows) + "\n]}"


def _rounded(shares: tuple[float, ...]) -> list[float]:
    return [round(share, 4) for share in shares]
