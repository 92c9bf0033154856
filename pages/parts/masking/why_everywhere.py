"""What the model gives to the original token at every place, also where nothing was done."""

import streamlit as st

from mlm_core.figures.matrix import matrix_svg
from mlm_core.masking.steps import why_excluded
from pages.parts.masking.setting import Setting
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table

BRANCHES = ("mask", "random", "keep")


def show_everywhere(page: Page, now: Setting, at: int, own: dict[str, list[float]]) -> None:
    """Show the probability of the original at every place, also where nothing was done."""
    words = page.words
    st.markdown(words.section("why.everywhere"))
    real = [i for i, token in enumerate(now.text.tokens) if why_excluded(token) is None]
    columns = [f"{now.names[i]}" for i in real]
    svg = matrix_svg(
        [[own[branch][i] for i in real] for branch in BRANCHES],
        [words.plain(f"branch_{branch}") for branch in BRANCHES],
        columns,
        alt=words.plain("everywhere_alt", at=at),
    )
    given = {branch: [own[branch][i] for i in real] for branch in BRANCHES}
    table = Table({"position": real, "token": columns} | given)
    show_drawing(
        svg,
        key="masking_everywhere",
        table=table,
        source=words.label("everywhere_source", model=page.model_name, at=at),
    )
    others = [own["keep"][i] for i in real if i != at]
    if others:
        st.markdown(words.section("why.copies", n=sum(p > 0.5 for p in others), of=len(others)))
