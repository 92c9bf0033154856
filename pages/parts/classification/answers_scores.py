"""One answer beside the right one, and the likeliest answers with their arithmetic."""

import math
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted, in_formula
from pages.parts.classification.answers_asked import Asked
from pages.shared.frame import Page
from pages.shared.table import Table
from pages.shared.words import read_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlm_core.answers.words import PassageWord, RankedAnswer


def show_score(page: Page, asked: Asked, answer: str) -> None:
    """Say the answer; where the right one is known, count both measures out."""
    from mlm_core.answers.words import overlap

    words = page.words
    if not asked.right:
        st.markdown(words.section("answers.said", answer=answer))
        return
    found = overlap(answer, asked.right_text)
    kind = "exact" if found.is_exact else "partly" if found.n_shared else "missed"
    st.markdown(
        words.section(
            f"answers.{kind}",
            answer=answer,
            right=asked.right_text,
            shared=found.n_shared,
            given=found.n_given,
            wanted=found.n_right,
        )
    )
    n_given, n_right, shared = found.n_given, found.n_right, found.n_shared
    if n_given and n_right:
        exact = read_words("columns").plain("exact_match")
        st.latex(
            rf"\text{{{exact}}} = {int(found.is_exact)}, \qquad F_1 ="
            rf" \frac{{2 \cdot {shared}}}{{{n_given} + {n_right}}} = {in_formula(found.f1, '.2f')}"
        )


def show_ranked(
    page: Page,
    asked: Asked,
    shown: "Sequence[PassageWord]",
    ranked: "Sequence[RankedAnswer]",
    *,
    longest: int,
) -> None:
    """List the likeliest answers; say where the two likeliest ends make no answer."""
    from mlm_core.answers.words import overlap

    words = page.words
    st.markdown(words.section("answers.ranked", n=len(ranked), longest=longest))
    columns = ["rank", "answer", "log_start", "log_end", "sum", "p"]
    rows: list[list[object]] = [
        [
            rank,
            one.text,
            significant(one.log_start, 3),
            significant(one.log_end, 3),
            significant(one.log_probability, 3),
            formatted(math.exp(one.log_probability), ".3f"),
        ]
        for rank, one in enumerate(ranked, start=1)
    ]
    if asked.right:
        columns.append("f1")
        for row, one in zip(rows, ranked, strict=True):
            row.append(formatted(overlap(one.text, asked.right_text).f1, ".2f"))
    Table(rows, [words.plain(f"answers_column_{name}") for name in columns]).show()
    start = max(shown, key=lambda word: word.p_start)
    end = max(shown, key=lambda word: word.p_end)
    if end.stop <= start.start:
        st.markdown(words.section("answers.crossed", start=start.text, end=end.text))
