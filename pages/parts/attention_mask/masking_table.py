"""What every number type, constant and way of masking makes of one row."""

import streamlit as st

from mlm_core.encoder import precision
from pages.shared.frame import Page
from pages.shared.table import Table

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
                words.plain("precision_type"): trial.number_type,
                words.plain("precision_constant"): words.plain(
                    f"precision_constant_{names[trial.constant]}"
                ),
            },
        )
        line[words.plain(f"precision_way_{trial.way}")] = words.plain(f"precision_{trial.outcome}")
    st.markdown(f"**{words.label('precision_all')}**")
    Table(list(lines.values())).show()
