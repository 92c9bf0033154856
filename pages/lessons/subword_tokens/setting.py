"""What the lesson shares: the learner's sentence and the size of the trained vocabularies."""

from collections.abc import Sequence
from typing import Any

from mlm_core.number_format import formatted
from mlm_core.text.size_curve import SIZES
from mlm_core.text.tokens import ALGORITHMS, TokenizedText, tokenize
from pages.kit.part import LONGEST_TEXT, Part, Table, part
from pages.lessons.subword_tokens import computed

USUAL_SIZE = "3000"  # as in lesson.py, for a link that names none of the sizes


@part(redraws_page=True)
def show(p: Part) -> None:
    """Show the two widgets of the whole lesson."""
    text, size = p.columns(3, 2)
    with text:
        p.text("text")
    with size:
        p.choice("size", _sizes())


def opening_text(p: Part) -> str:
    """Return the opening's sentence."""
    return p.chosen("text")[:LONGEST_TEXT]


def opening_size(p: Part) -> int:
    """Return the size that the lesson's vocabularies are asked for."""
    asked = p.chosen("size")
    return int(asked if asked in _sizes() else USUAL_SIZE)


def choose_size(p: Part) -> int:
    """Show the opening's slider once more, in a part that depends on it; return the size."""
    size = opening_size(p)
    p.once_more("size", _sizes(), str(size))
    return size


def _sizes() -> dict[str, str]:
    return {str(n): formatted(n, ",") for n in SIZES}


def cut_by_all(
    p: Part, text: str, size: int, corpus: str | None = None
) -> list[tuple[str, TokenizedText, int]]:
    """Return each algorithm's name, its tokens of `text` and the size its vocabulary reached."""
    rows = []
    for algorithm in ALGORITHMS:
        tokenizer = computed.trained_tokenizer(algorithm, size, p.language, corpus)
        rows.append((algorithm, tokenize(tokenizer, text), tokenizer.get_vocab_size()))
    return rows


def of_corpus(p: Part) -> dict[str, Any]:
    """Return what a text says of the sentences that the vocabularies learned from."""
    return {
        "n_words": computed.n_corpus_words(p.language),
        "corpus": p.plain(f"corpus_{p.language}"),
    }


def n_pieces(tokenized: TokenizedText) -> int:
    """Return how many tokens the text itself became, without what was added around it."""
    return sum(token.word is not None for token in tokenized.tokens)


def table_of(rows: Sequence[tuple[str, TokenizedText]]) -> Table:
    """Return all pieces of all rows, one a line."""
    return Table(
        [
            {
                "tokenizer": name,
                "position": position,
                "token": token.text,
                "id": token.id,
                "from": token.start,
                "to": token.stop,
                "characters": tokenized.text[token.start : token.stop],
                "word": token.word,
            }
            for name, tokenized in rows
            for position, token in enumerate(tokenized.tokens)
        ]
    )


def short(model_name: str) -> str:
    """Return a model's name without its owner."""
    return model_name.rsplit("/", 1)[-1]
