"""Eq 11.8 to 11.10 with the numbers of one dimension of one word."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.charts import histogram_chart, marked
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.parts.isotropy.equations import write_out
from pages.shared.caches import cache, cache_vectors
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.shapes import Tensor


@part
def show(page: Page) -> None:
    """Take a word and a dimension; write the three equations out, and draw x and z."""
    words = page.words
    st.markdown(words.section("formula.lead"))
    left, right = st.columns(2)
    with left:
        marked = setting.own_word(page, name="formula", key="isotropy_formula")
    view = setting.choose(page, with_dropped=False)
    setting.read_corpus(page, view.corpus)
    corpus = cache_vectors.learned(view.corpus, view.layer)
    largest = cache.model(page.model_name).hidden_size - 1
    with right:
        dimension = inputs.slider(
            words.label("dimension", largest=largest),
            0,
            largest,
            corpus.proportions.ranked[0],
            key="isotropy_formula_dimension",
        )
        ranked = ", ".join(map(str, corpus.proportions.ranked[:5]))
        st.caption(words.section("formula.largest", ranked=ranked))
    if marked is None:
        return
    uses = setting.vectors_of(page, (marked,))
    if uses is None:
        return
    x = uses.at(view.layer)[0, dimension].item()
    write_out(page, view, dimension, x)
    _draw(page, view, dimension, uses.at(view.layer))
    show_source(*_sources(), key="isotropy_formula_code")


def _draw(page: Page, view: setting.View, dimension: int, vectors: "Tensor") -> None:
    """Draw the dimension's values over the corpus, raw and z-scored, with the word in them."""
    words = page.words
    corpus = cache_vectors.learned(view.corpus, view.layer)
    states = cache_vectors.corpus_states(view.corpus, view.layer)
    names, sides = setting.postprocessing_names(page, view.n_dropped), st.columns(2)
    for postprocessing, column in zip(("raw", "z-scored"), sides, strict=True):
        values = corpus.postprocess(states, postprocessing)[:, dimension].tolist()
        value = corpus.postprocess(vectors, postprocessing)[0, dimension].item()
        reach = max(map(abs, [*values, value])) or 1.0
        with column:
            show_chart(
                histogram_chart(
                    {names[postprocessing]: values},
                    low=-reach,
                    high=reach * (1 + 1e-6),
                    x_title=words.plain(f"axis_formula_{postprocessing}", dimension=dimension),
                    y_title=words.plain("axis_words"),
                    marks=(marked(words.plain(f"mark_{postprocessing}"), value),),
                ),
                key=f"isotropy_formula_{postprocessing}",
                alt=words.plain(
                    "formula_alt",
                    treatment=names[postprocessing],
                    value=formatted(value, ".3f"),
                ),
                table=lambda values=values: Table({"value": values}),
                source=setting.source(page, view),
            )


def _sources() -> tuple:
    from mlm_core.embeddings.postprocessing import learn_from_corpus, standardize

    return learn_from_corpus, standardize
