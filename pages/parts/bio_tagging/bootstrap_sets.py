"""The first drawn sets one by one: which sentences they hold, and how much A leads on each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.resamples import strips_svg
from mlm_core.number_format import formatted
from pages.shared.frame import Page
from pages.shared.show import show_drawing
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.evaluation.bootstrap import Resample


def show_first_sets(page: Page, sets: "Sequence[Resample]", source: str) -> None:
    """Draw how often each sentence is in each set; the leads stand in a table below."""
    words = page.words
    first = sets[0]
    most = max(first.times)
    st.markdown(
        words.section(
            "bootstrap.drawn",
            n=len(first.times),
            left_out=first.n_left_out,
            share=formatted(100 * first.n_left_out / len(first.times), ".0f"),
            most=most,
            number=first.times.index(most),
        )
    )
    names = [words.plain("resample", n=i) for i in range(1, len(sets) + 1)]
    table = Table(
        {
            words.plain("resample_set"): names,
            words.plain("resample_left_out"): [one.n_left_out for one in sets],
            words.plain("resample_a"): [round(one.score_a, 4) for one in sets],
            words.plain("resample_b"): [round(one.score_b, 4) for one in sets],
            words.plain("resample_delta"): [round(one.delta, 4) for one in sets],
        }
    )
    show_drawing(
        strips_svg(
            [words.plain("resample_all"), *names],
            [(1,) * len(first.times), *(one.times for one in sets)],
            alt=words.plain("resample_alt", n=len(sets)),
        ),
        key="bio_tagging_sets",
        table=lambda: _all_sentences(names, sets),
        source=source,
    )
    table.show()


def _all_sentences(names: Sequence[str], sets: "Sequence[Resample]") -> Table:
    return Table(
        {
            "sentence": range(len(sets[0].times)),
            **{name: one.times for name, one in zip(names, sets, strict=True)},
        }
    )
