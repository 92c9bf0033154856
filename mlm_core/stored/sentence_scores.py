"""Stored: how predictable 200 sentences of ours are to the bundled models.

`make stored STORED=sentence_scores` makes the file: the pseudo-perplexity of each sentence, all its
tokens masked in turn.

Read before this: ../prediction/fillers.py.
"""

import json
from pathlib import Path

SCORES_FILE = Path(__file__).parents[1] / "data" / "sentence_scores.json"


def read_scores(model_name: str) -> list[tuple[int, float]]:
    """Return the tokens of each sentence and its pseudo-perplexity; nothing for other models."""
    stored = json.loads(SCORES_FILE.read_text(encoding="utf-8"))
    return [(n_tokens, perplexity) for n_tokens, perplexity in stored.get(model_name, [])]


def perplexities_near(model_name: str, n_tokens: int, n: int = 40) -> list[float]:
    """Return the pseudo-perplexity of the `n` sentences that are nearest in length."""
    nearest = sorted(read_scores(model_name), key=lambda one: abs(one[0] - n_tokens))
    return [perplexity for _, perplexity in nearest[:n]]
