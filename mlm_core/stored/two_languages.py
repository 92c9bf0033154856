"""What alpha does with a frequent and a rare language: stored runs, stored vocabularies.

`make stored STORED=languages` makes the runs, `python -m tools.mixed_vocabularies` the others.

Read before this: ../small_runs/two_languages.py, ../pretraining/mixed_vocabulary.py.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from mlm_core.pretraining.mixed_vocabulary import MixedVocabulary, ModelVocabulary
from mlm_core.small_runs.two_languages import LanguagesRun
from mlm_core.text.corpora import DATA_FOLDER, make_row, read_rows
from mlm_core.text.mini_world.second_language import Kinship

LANGUAGES_FILE = DATA_FOLDER / "two_languages.json"
VOCABULARIES_FILE = DATA_FOLDER / "mixed_vocabularies.json"
ALPHAS: dict[Kinship, tuple[float, ...]] = {
    "related": (0.0, 0.3, 0.5, 0.7, 1.0),
    "unrelated": (0.0, 1.0),
}
SEEDS = (1, 2, 3)
MIXED_ALPHAS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
MIXED_SEEDS = (1,)  # a second one moved the numbers by up to 0.002 (alpha 0, 0.1 and 0.2)


@dataclass(frozen=True, kw_only=True)
class HeldOutText:
    """The text of one language in which words are cut, and where the vocabulary's text is from."""

    language: str  # ISO 639-1
    learnt_from: tuple[str, ...]  # names of files
    held_out: str
    n_bytes: int  # of the held-out text, in UTF-8
    n_words: int  # of letters, in the held-out text


@dataclass(frozen=True, kw_only=True)
class StoredVocabularies:
    """Vocabularies of a model's size, by alpha and seed, and those of models."""

    natural: tuple[int, int]  # words of the frequent language for so many of the rare one
    words: int  # that each was learnt from
    entries: int
    texts: tuple[HeldOutText, ...]  # the frequent language first
    models: tuple[ModelVocabulary, ...]
    mixed: tuple[MixedVocabulary, ...]

    def of_model(self, name: str) -> ModelVocabulary:
        """Return the vocabulary of a model. Raises StopIteration for another name."""
        return next(one for one in self.models if one.name == name)


def read_runs() -> tuple[LanguagesRun, ...]:
    """Return the stored runs."""
    return read_rows(LANGUAGES_FILE, LanguagesRun)


def read_vocabularies(path: Path = VOCABULARIES_FILE) -> StoredVocabularies:
    """Return the stored vocabularies."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    kinds = {"texts": HeldOutText, "models": ModelVocabulary, "mixed": MixedVocabulary}
    for name, kind in kinds.items():
        stored[name] = [make_row(row, kind) for row in stored[name]]
    return make_row(stored, StoredVocabularies)
