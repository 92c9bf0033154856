"""Packing in numbers: every window of one layout, and all layouts side by side."""

import streamlit as st

from mlm_core.number_format import formatted
from mlm_core.prediction.packing import Packing
from pages.shared.frame import Page
from pages.shared.show import keep
from pages.shared.table import Table


def window_table(packing: Packing) -> Table:
    """Return every window: the documents in it, its tokens of text and of padding."""
    return Table(
        {
            "window": range(1, len(packing.windows) + 1),
            "documents": [
                " ".join(str(document + 1) for document in window.documents)
                for window in packing.windows
            ],
            "text": [
                sum(piece.n_tokens for piece in window.pieces if piece.document is not None)
                for window in packing.windows
            ],
            "padding": [window.n_padding for window in packing.windows],
        }
    )


def compare_layouts(page: Page, packings: dict[str, Packing], layouts: dict[str, str]) -> None:
    """Show padding, windows and crossings of all layouts as one table."""
    words = page.words
    table = Table(
        {
            words.plain("layout"): [layouts[name] for name in packings],
            words.plain("packing_share"): [
                f"{formatted(100 * packing.padding_proportion, '.1f')} %"
                for packing in packings.values()
            ],
            words.plain("packing_windows"): [len(p.windows) for p in packings.values()],
            words.plain("packing_crossing"): [p.n_crossing for p in packings.values()],
        }
    )
    st.markdown(f"**{words.label('packing_compared')}**")
    table.show()
    size = next(iter(packings.values())).window_size
    keep(
        "sentence_pairs_layouts",
        table=table,
        source=f"{page.model_name}, N = {size}",
    )
