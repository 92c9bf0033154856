"""The verdict of a test of fit, in words."""

import streamlit as st

from mlm_core.masking.goodness_of_fit import Fit
from mlm_core.number_format import formatted
from pages.shared.frame.page_frame import Page


def show_verdict(page: Page, fit: Fit) -> None:
    """Say whether the counts fit, with the numbers behind it."""
    words = page.words
    icon = {"fits": "check", "surprising": "help", "no_fit": "close", "too_few": "hourglass"}
    sentence = words.section(
        f"verdict.{fit.verdict}",
        statistic=formatted(fit.statistic, ".2f"),
        degrees=fit.degrees,
        p=formatted(fit.p_value, ".3f") if fit.p_value >= 0.001 else f"< {formatted(0.001, 'g')}",
        one_in=formatted(1 / fit.p_value, ",.0f") if fit.p_value > 0 else "∞",
    )
    st.markdown(f":material/{icon[fit.verdict]}: {sentence}")
