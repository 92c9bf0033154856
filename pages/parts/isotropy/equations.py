"""Eq 11.8 to 11.10 as lines of LaTeX, each with its numbers."""

import streamlit as st

from mlm_core.figures.theme import significant
from mlm_core.number_format import in_formula
from pages.parts.isotropy import setting
from pages.shared.caches import cache_vectors
from pages.shared.frame.page_frame import Page

DIGITS = 4


def write_out(page: Page, view: setting.View, dimension: int, x: float) -> None:
    """Write the three equations with the numbers of one dimension and one word's value `x`."""
    corpus = cache_vectors.learned(view.corpus, view.layer)
    values = cache_vectors.corpus_states(view.corpus, view.layer)[:, dimension].tolist()
    mean, deviation = corpus.mean[dimension].item(), corpus.deviation[dimension].item()
    n, d = len(values), f"_{{{dimension}}}"
    first, second = (_number(value) for value in values[:2])
    m, s = _number(mean), _number(deviation)
    over_all = r"\frac{1}{|C|} \sum_{x \in C}"
    _equation(
        rf"\mu{d}",
        rf"{over_all} x{d} \quad (11.8)",
        rf"\frac{{{_bracket(first)} + {_bracket(second)} + \dots}}{{{n}}} = {m}",
    )
    _equation(
        rf"\sigma{d}",
        rf"\sqrt{{{over_all} (x{d} - \mu{d})^2}} \quad (11.9)",
        rf"\sqrt{{\frac{{({first} - {_bracket(m)})^2 + \dots}}{{{n}}}}} = {s}",
    )
    # Where nothing varies there is nothing to divide by.
    z = (x - mean) / deviation if deviation > 0 else x - mean
    _equation(
        rf"z{d}",
        rf"\frac{{x{d} - \mu{d}}}{{\sigma{d}}} \quad (11.10)",
        rf"\frac{{{_number(x)} - {_bracket(m)}}}{{{s}}} = {_number(z)}",
    )
    _say(page, n, dimension, z, is_still=not deviation > 0)


def _equation(symbol: str, formula: str, numbers: str) -> None:
    """Write the formula and, on a line of its own for narrow screens, its numbers."""
    st.latex(rf"\small \begin{{aligned}} {symbol} &= {formula} \\ &= {numbers} \end{{aligned}}")


def _say(page: Page, n: int, dimension: int, z: float, *, is_still: bool) -> None:
    """Say in words what z means."""
    told = {
        "n": n,
        "dimension": dimension,
        "z": significant(abs(z), 3),
        "side": page.words.plain("formula_above" if z >= 0 else "formula_below"),
    }
    st.markdown(page.words.section("formula.still" if is_still else "formula.said", **told))


def _number(value: float) -> str:
    return in_formula(value, f".{DIGITS}g")


def _bracket(shown: str) -> str:
    return f"({shown})" if shown.startswith("-") else shown
