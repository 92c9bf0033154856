"""A guess: what are the weights in a row where everything is masked?"""

import streamlit as st

from mlm_core.encoder import precision
from mlm_core.figures.matrix import matrix_svg
from pages.parts.attention_mask.score_row import ScoreRow
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page

GUESSES = ("zeros", "equal", "nan", "unmasked")  # outcomes of precision.py


def guess_blocked_row(page: Page, row: ScoreRow) -> None:
    """Ask what a row with everything masked comes to, and show what five programs answer."""
    import torch

    words = page.words
    guess = ask_for_guess(page, "precision", GUESSES, key="attention_mask_guess")
    if guess is None:
        return
    nothing = torch.zeros(len(row.tokens), dtype=torch.bool)
    answers = precision.answer_blocked_row(row.query, row.key)
    trials = {
        way: precision.mask_scores(
            row.scores, nothing, number_type="float32", constant=constant, way=way
        )
        for way, constant in (("write", -1e9), ("add", -1e4))
    }
    weights = {
        words.label("precision_ours"): answers.ours,
        words.label("precision_torchs"): answers.torchs,
        words.label("precision_softmax"): answers.softmax,
        words.label("precision_written"): trials["write"].weights,
        words.label("precision_added"): trials["add"].weights,
    }
    agree = [
        name for name, w in weights.items() if precision.name_blocked_row(w, row.scores) == guess
    ]
    st.markdown(
        words.section(
            "precision.right" if agree else "precision.wrong",
            guess=words.label(f"precision_guess_{guess}"),
            n=len(agree),
            programs=", ".join(agree),
        )
    )
    values = [w.tolist() for w in weights.values()]
    show_drawing(
        matrix_svg(values, list(weights), row.tokens, alt=words.plain("precision_answers_alt")),
        key="attention_mask_answers",
        table=Table({"token": row.tokens} | {n: w.tolist() for n, w in weights.items()}),
        source=words.label("precision_answers_source", **row.place),
    )
    st.markdown(words.section("precision.answers_notice"))
