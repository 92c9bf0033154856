"""Stored runs with a frequent and a rare language; `python -m tools.two_languages` makes them.

Read before this: ../small_runs/two_languages.py.
"""

import json
from pathlib import Path

from mlm_core.small_runs.two_languages import LanguagesRun
from mlm_core.text.mini_world.second_language import Kinship

LANGUAGES_FILE = Path(__file__).parents[1] / "data" / "two_languages.json"
ALPHAS: dict[Kinship, tuple[float, ...]] = {
    "related": (0.0, 0.3, 0.5, 0.7, 1.0),
    "unrelated": (0.0, 1.0),
}
SEEDS = (1, 2, 3)


def read_runs() -> tuple[LanguagesRun, ...]:
    """Return the stored runs."""
    rows = json.loads(LANGUAGES_FILE.read_text(encoding="utf-8"))
    pairs = ("loss", "tokens_per_word")
    return tuple(LanguagesRun(**(row | {name: tuple(row[name]) for name in pairs})) for row in rows)
