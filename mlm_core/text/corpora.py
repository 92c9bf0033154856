"""Sentences written for this project, in English and in German.

data/sentences_en.txt and data/sentences_de.txt hold one sentence a line and a blank line between
documents. The sentences of a document are in order. Random words and their vectors come from
these, and small vocabularies are trained on them. Of German there are few, so that its vocabularies
also learn from the sentences of German labelled sets.

Read before this: tokens.py.
"""

import json
from pathlib import Path
from typing import TypeVar

Row = TypeVar("Row")
DATA_FOLDER = Path(__file__).parents[1] / "data"
# By language: tables of data/classification, and how many of the last columns are sentences.
MORE_SENTENCES = {
    "de": {
        "sentiment_de_train": 1,
        "sentiment_de_dev": 1,
        "sentiment_de_test": 1,
        "paraphrase_de": 2,
    }
}


def name_in(language: str, name: str) -> str:
    """Return the name of what is stored in a language, "en" or "de"; English has the name alone.

    >>> name_in("en", "paraphrase"), name_in("de", "paraphrase")
    ('paraphrase', 'paraphrase_de')
    """
    return name if language == "en" else f"{name}_{language}"


def read_rows(path: Path, kind: type[Row]) -> tuple[Row, ...]:
    """Return a dataclass for each object of a JSON file, with tuples for lists.

    Raises OSError or ValueError if the file can't be read.
    """
    return tuple(make_row(row, kind) for row in json.loads(path.read_text(encoding="utf-8")))


def make_row(row: dict, kind: type[Row]) -> Row:
    """Return a dataclass with the fields of a JSON object, with tuples for lists."""
    return kind(**{name: tuple(x) if isinstance(x, list) else x for name, x in row.items()})


def documents(language: str = "en") -> tuple[tuple[str, ...], ...]:
    """Return the documents of a language in order, each as its sentences in order."""
    text = (DATA_FOLDER / f"sentences_{language}.txt").read_text(encoding="utf-8")
    return tuple(tuple(block.splitlines()) for block in text.strip().split("\n\n"))


def sentences(language: str = "en") -> tuple[str, ...]:
    """Return all sentences of all documents of a language, in order."""
    return tuple(sentence for document in documents(language) for sentence in document)


def training_sentences(language: str = "en") -> tuple[str, ...]:
    """Return the sentences of a language that small vocabularies are trained on, each once."""
    found = list(sentences(language))
    for name, n_columns in MORE_SENTENCES.get(language, {}).items():
        table = (DATA_FOLDER / "classification" / f"{name}.tsv").read_text(encoding="utf-8")
        for row in table.splitlines():
            if row and not row.startswith("#"):
                found += row.split("\t")[-n_columns:]
    return tuple(dict.fromkeys(found))
