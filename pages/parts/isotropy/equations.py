"""Eq 11.8 to 11.10 as lines of LaTeX, each with its numbers."""

import streamlit as st

from mlm_core.figures.theme import significant
from pages.parts.isotropy import setting
from pages.shared import cache_vectors
from pages.shared.frame import Page

DIGITS = 4


def write_out(page: Page, view: setting.View, dimension: int, x: float) -> None:
    """Write the three lines with their numbers."""
    corpus = cache_vectors.learned(view.corpus, view.layer)
    values = cache_vectors.corpus_states(view.corpus)[view.layer][:, dimension].tolist()
    mean, deviation = corpus.mean[dimension].item(), corpus.deviation[dimension].item()
    n, d = len(values), dimension
    shown = [_number(value) for value in values[:3]]
    m, s = _number(mean), _number(deviation)
    st.latex(
        rf"\mu_{{{d}}} = \frac{{1}}{{|C|}}\sum_{{x \in C}} x_{{{d}}}"
        rf" = \frac{{{' + '.join(map(_bracket, shown))} + \dots}}{{{n}}} = {m} \quad (11.8)"
    )
    squares = " + ".join(f"({v} - {_bracket(m)})^2" for v in shown[:2])
    st.latex(
        rf"\sigma_{{{d}}} = \sqrt{{\frac{{1}}{{|C|}}\sum_{{x \in C}} (x_{{{d}}} - \mu_{{{d}}})^2}}"
        rf" = \sqrt{{\frac{{{squares} + \dots}}{{{n}}}}} = {s} \quad (11.9)"
    )
    z = (x - mean) / deviation if deviation > 0 else x - mean
    st.latex(
        rf"z_{{{d}}} = \frac{{x_{{{d}}} - \mu_{{{d}}}}}{{\sigma_{{{d}}}}}"
        rf" = \frac{{{_number(x)} - {_bracket(m)}}}{{{s}}} = {_number(z)} \quad (11.10)"
    )
    name = "formula.said" if deviation > 0 else "formula.still"
    side = "above" if z >= 0 else "below"
    st.markdown(
        page.words.section(
            name,
            n=n,
            dimension=dimension,
            z=significant(abs(z), 3),
            side=page.words.plain(f"formula_{side}"),
        )
    )


def _number(value: float) -> str:
    return f"{value:.{DIGITS}g}"


def _bracket(shown: str) -> str:
    return f"({shown})" if shown.startswith("-") else shown
