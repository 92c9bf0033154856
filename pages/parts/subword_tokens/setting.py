"""What the whole lesson shares: the learner's text and the size of the trained vocabularies."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from mlm_core.number_format import formatted
from mlm_core.text.size_curve import SIZES
from mlm_core.text.tokens import ALGORITHMS, TokenizedText, tokenize
from pages.shared.caches import cache_vocabularies
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.kit.part import Part
from pages.shared.link import inputs

USUAL_SIZE = "3000"  # as in controls.py, for when the widget isn't drawn


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What the learner chose at the top of the page."""

    text: str
    size: int  # entries asked for

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing to cut."""
        return not self.text.strip()


def show(page: Page) -> None:
    """Show the two widgets of the whole lesson; what they change draws the whole page."""
    p = Part(page, "setting")
    text, size = st.columns([3, 2], gap="medium")
    with text:
        p.text("text")
    with size:
        p.choice("size", {str(n): formatted(n, ",") for n in SIZES})


def current(p: Part) -> Setting:
    """Return what is chosen now; a part that reruns by itself asks here."""
    text = st.session_state.get(p.key("text")) or ""
    size = int(st.session_state.get(p.key("size"), USUAL_SIZE))
    return Setting(text=text[: inputs.LONGEST_TEXT], size=size)


def cut_by_all(
    text: str, size: int, corpus: str | None = None
) -> list[tuple[str, TokenizedText, int]]:
    """Return each algorithm's name, its tokens of `text` and the size its vocabulary reached."""
    rows = []
    for algorithm in ALGORITHMS:
        tokenizer = cache_vocabularies.trained_tokenizer(algorithm, size, corpus)
        rows.append((algorithm, tokenize(tokenizer, text), tokenizer.get_vocab_size()))
    return rows


def labelled(rows: Sequence[tuple[str, TokenizedText]]) -> list[tuple[str, TokenizedText]]:
    """Return the rows with the number of their pieces behind the name, for a drawing."""
    return [(f"{name} · {n_pieces(tokenized)}", tokenized) for name, tokenized in rows]


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
        ],
        columns=["tokenizer", "position", "token", "id", "from", "to", "characters", "word"],
    )


def short(model_name: str) -> str:
    """Return a model's name without its owner."""
    return model_name.rsplit("/", 1)[-1]
