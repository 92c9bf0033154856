"""Sentences written for this project, to train a small vocabulary on.

data/sentences_en.txt holds one sentence a line and a blank line between documents. The
sentences of a document are in order.

Read before this: tokens.py.
"""

from pathlib import Path

SENTENCES_FILE = Path(__file__).parents[1] / "data" / "sentences_en.txt"


def documents() -> tuple[tuple[str, ...], ...]:
    """Return the documents in order, each as its sentences in order."""
    blocks = SENTENCES_FILE.read_text(encoding="utf-8").strip().split("\n\n")
    return tuple(tuple(block.splitlines()) for block in blocks)


def sentences() -> tuple[str, ...]:
    """Return all sentences of all documents, in order."""
    return tuple(sentence for document in documents() for sentence in document)
