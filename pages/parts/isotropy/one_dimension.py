"""One dimension's values over all words, on the axis that all dimensions share."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.charts import histogram_chart
from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.shared.caches import cache_vectors
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.embeddings.postprocessing import LayerStatistics
    from mlm_core.shapes import Tensor

RANK = "isotropy_rank"
N_DRAWN = 20  # dimensions to choose from


def look_at(page: Page, view: setting.View, corpus: "LayerStatistics", vectors: "Tensor") -> None:
    """Let the learner choose a dimension; say its mean and deviation, and draw its values."""
    words = page.words
    ranked = corpus.proportions.ranked
    options = {
        str(i): words.plain("rank_name", rank=i + 1, dimension=ranked[i])
        for i in range(min(N_DRAWN, len(ranked)))
    }
    dimension = ranked[int(inputs.listed(words.label("rank"), options, key=RANK))]
    mean, deviation = corpus.mean[dimension].item(), corpus.deviation[dimension].item()
    values = vectors[:, dimension].tolist()
    same_sign = sum((value > 0) == (mean > 0) for value in values) / len(values)
    told = {
        "dimension": dimension,
        "mean": significant(mean, 3),
        "deviation": significant(deviation, 3),
        "typical": significant(corpus.mean.abs().median().item(), 3),
        "typical_deviation": significant(corpus.deviation.median().item(), 3),
        "same_sign": formatted(100 * same_sign, ".0f"),
        "share": formatted(100 * corpus.proportions.proportions[dimension].item(), ".1f"),
    }
    st.markdown(words.section("dimensions.one", **told))
    axis = words.plain("axis_dimension", dimension=dimension)
    show_chart(
        histogram_chart(
            {axis: values},
            low=min(0.0, vectors.min().item()),
            high=max(0.0, vectors.max().item()) + 1e-6,
            x_title=axis,
            y_title=words.plain("axis_words"),
        ),
        key="isotropy_dimension",
        alt=words.plain("dimension_alt", **told),
        table=lambda: Table(
            {
                "word": [word.target for word in cache_vectors.corpus_words(view.corpus).words],
                "value": values,
            }
        ),
        source=setting.source(page, view),
    )
