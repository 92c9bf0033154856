"""The arithmetic of one cell of the attention chain, with its numbers.

Each stage is one line of LaTeX with numbers only, never a learner's text. Long sums show their
first terms and the number of terms.
"""

from typing import Literal

from mlm_core.encoder.attention import AttentionSteps
from mlm_core.figures.theme import tex

Stage = Literal["scores", "scaled_scores", "masked_scores", "weights", "output"]

MOST_TERMS = 4  # of a sum, before "..."


def cell_arithmetic(
    steps: AttentionSteps, stage: Stage, row: int, column: int, *, undivided: str, blocked: str
) -> str:
    """Return the LaTeX line for one cell of a stage; `steps` are those of a single head.

    Row and column count from 0 and are printed as they are, as everywhere in the app. The words
    for a score that is not divided and for one that is blocked stand in the line.
    """
    i, j = row, column
    head_size = steps.query.shape[-1]
    value = getattr(steps, stage)[i, j].item()
    if stage == "scores":
        terms = [
            rf"({tex(q)})({tex(k)})"
            for q, k in zip(steps.query[i].tolist(), steps.key[j].tolist(), strict=True)
        ]
        return rf"q_{{{i}}} \cdot k_{{{j}}} = {sum_tex(terms)} = {tex(value)}"
    if stage == "scaled_scores":
        score = tex(steps.scores[i, j].item())
        if steps.scores[i, j] == steps.scaled_scores[i, j] != 0 and head_size > 1:
            return rf"{score} \quad \text{{({undivided})}}"
        return rf"\frac{{{score}}}{{\sqrt{{{head_size}}}}} = {tex(value)}"
    if stage == "masked_scores":
        scaled = tex(steps.scaled_scores[i, j].item())
        is_blocked = not steps.attention_mask[i, j]
        arrow = rf"\;\xrightarrow{{\text{{{blocked}}}}}\;" if is_blocked else r"\;\to\;"
        return rf"{scaled} {arrow} {tex(value)}"
    if stage == "weights":
        scores = steps.masked_scores[i].tolist()
        terms = [rf"e^{{{tex(score)}}}" for score in scores]
        top = terms[j]
        return rf"\frac{{{top}}}{{{sum_tex(terms)}}} = {tex(value)}"
    terms = [
        rf"({tex(w)})({tex(v)})"
        for w, v in zip(steps.weights[i].tolist(), steps.value[:, j].tolist(), strict=True)
    ]
    return rf"o_{{{i},{j}}} = {sum_tex(terms)} = {tex(value)}"


def sum_tex(terms: list[str]) -> str:
    """Return the sum of terms; of many the first ones and the number of the rest."""
    if len(terms) <= MOST_TERMS + 1:
        return " + ".join(terms)
    more = len(terms) - MOST_TERMS
    shown = " + ".join(terms[:MOST_TERMS])
    return rf"{shown} + \underbrace{{\cdots}}_{{{more}}}"
