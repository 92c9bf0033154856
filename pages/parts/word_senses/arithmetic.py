"""One cosine written out: the first products of the sum, the lengths, the division."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.theme import significant
from mlm_core.number_format import in_formula
from pages.shared.figures.show import keep
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.shapes import Tensor

N_TERMS = 2  # products that are written out


def show_arithmetic(page: Page, use: "Tensor", centroid: "Tensor", sense: str) -> None:
    """Write out the cosine of a use and a sense's centroid."""
    products = (use * centroid).tolist()
    dot, first, second = sum(products), use.norm().item(), centroid.norm().item()
    terms = " + ".join(
        rf"({in_formula(use[i].item(), '.3f')} \cdot {in_formula(centroid[i].item(), '.3f')})"
        for i in range(N_TERMS)
    )
    st.latex(rf"t \cdot v_s = {terms} + \dots = {in_formula(dot, '.3f')}")
    lengths = rf"{in_formula(first, '.3f')} \cdot {in_formula(second, '.3f')}"
    st.latex(
        rf"\cos(t, v_s) = \frac{{t \cdot v_s}}{{|t|\,|v_s|}} ="
        rf" \frac{{{in_formula(dot, '.3f')}}}{{{lengths}}}"
        rf" = {in_formula(dot / (first * second), '.4f')}"
    )
    largest = max(range(len(products)), key=lambda i: abs(products[i]))
    st.markdown(
        page.words.section(
            "disambiguate.arithmetic",
            n=len(products),
            sense=sense,
            largest=largest,
            share=significant(100 * products[largest] / dot, 2),
        )
    )
    keep(
        "word_senses_arithmetic",
        table=lambda: Table(
            {
                "dimension": list(range(len(products))),
                "t": use.tolist(),
                "v_s": centroid.tolist(),
                "product": products,
            }
        ),
        source=page.words.label("arithmetic_source", sense=sense),
    )
