"""What every number type, constant and way of masking makes of one row."""

import pandas as pd
import streamlit as st

from mlm_core.encoder import precision
from pages.shared.frame import Page

# The constants by the names that links and labels have for them.
CONSTANTS = dict(zip(("inf", "1e9", "65504", "1e4"), precision.CONSTANTS, strict=True))


def show_combinations(page: Page, trials: tuple[precision.MaskingTrial, ...]) -> None:
    """Show one line a type and constant, one column a way."""
    words = page.words
    names = dict(zip(CONSTANTS.values(), CONSTANTS, strict=True))
    lines: dict[tuple[str, float], dict[str, str]] = {}
    for trial in trials:
        line = lines.setdefault(
            (trial.number_type, trial.constant),
            {
                words.label("precision_type"): trial.number_type,
                words.label("precision_constant"): words.label(
                    f"precision_constant_{names[trial.constant]}"
                ),
            },
        )
        line[words.label(f"precision_way_{trial.way}")] = words.label(f"precision_{trial.outcome}")
    st.markdown(f"**{words.label('precision_all')}**")
    st.table(pd.DataFrame(list(lines.values())).set_index(words.label("precision_type")))
