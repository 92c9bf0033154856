"""The opening's answer: a histogram of thousands of random pairs, with the learner's in it."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.charts import histogram_chart, marked
from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.shared.caches import cache_vectors
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.embeddings.isotropy import CosineSample

LOW, HIGH = -0.4, 1.0


def show_answer(page: Page, view: setting.View, cosine: float, guess: float) -> None:
    """Draw the histogram of random pairs with the pair, the guess and the mean."""
    words = page.words
    setting.read_corpus(page, view.corpus)
    many, apart = cache_vectors.random_cosines(view.corpus, view.layer, "raw", 0)
    values = many.cosines.tolist()
    above = sum(value >= cosine for value in values) / len(values)
    told = {
        "mean": formatted(many.mean, ".3f"),
        "error": formatted(apart.standard_error, ".3f"),
        "n": formatted(len(values), ","),
        "n_apart": len(apart.cosines),
        "cosine": formatted(cosine, ".3f"),
        "above": formatted(100 * above, ".0f"),
        "guess": significant(guess),
        "layer": view.layer,
    }
    marks = (
        marked(words.plain("mark_mean"), many.mean),
        marked(words.plain("mark_pair"), cosine),
        marked(words.plain("mark_guess"), guess),
    )
    show_chart(
        histogram_chart(
            {words.plain("treatment_raw"): values},
            low=LOW,
            high=HIGH,
            x_title=words.plain("axis_cosine"),
            y_title=words.plain("axis_pairs"),
            marks=marks,
        ),
        key="isotropy_random",
        alt=words.plain("kinship_alt", **told),
        table=lambda: _table(view, many),
        source=setting.source(page, view),
    )
    st.markdown(words.section("kinship.answer", **told))
    is_narrow = many.mean > 3 * apart.standard_error and many.mean > 0.1
    st.markdown(words.section("kinship.narrow" if is_narrow else "kinship.wide", **told))
    st.caption(words.section("kinship.no_more"))


def _table(view: setting.View, many: "CosineSample") -> Table:
    """Return every pair with its words and its cosine."""
    drawn = cache_vectors.corpus_words(view.corpus).words
    pairs = many.pairs.tolist()
    return Table(
        {
            "first": [drawn[first].target for first, _ in pairs],
            "second": [drawn[second].target for _, second in pairs],
            "cosine": many.cosines.tolist(),
        }
    )
