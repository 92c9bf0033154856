"""Raw, dropped, z-scored: the same histogram, the same word pairs, the same neighbours."""

import streamlit as st

from mlm_core.figures.embeddings.isotropy import Mark, histogram_svg
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.parts.isotropy.neighbours import show_neighbours
from pages.parts.isotropy.word_pairs import show_pairs
from pages.shared.caches import cache_vectors
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source

LOW, HIGH = -0.5, 1.0


@part
def show(page: Page) -> None:
    """Show the three treatments beside each other."""
    words = page.words
    st.markdown(words.section("treatments.lead"))
    view = setting.choose(page)
    setting.read_corpus(page, view.corpus)
    means = _histograms(page, view)
    st.markdown(
        words.section(
            "treatments.notice",
            k=view.n_dropped,
            **{
                name.replace("-", "_"): formatted(mean, ".3f")
                for name, mean in zip(setting.POSTPROCESSINGS, means, strict=True)
            },
        )
    )
    st.divider()
    pairs = show_pairs(page, view)
    if pairs:
        st.divider()
        show_neighbours(page, view, pairs)
    show_source(*_sources(), key="isotropy_treatments_code")


def _histograms(page: Page, view: setting.View) -> list[float]:
    """Draw the random pairs' cosines under each treatment, on one axis; return the means."""
    words, means = page.words, []
    titles = setting.postprocessing_names(page, view.n_dropped)
    for postprocessing, column in zip(setting.POSTPROCESSINGS, st.columns(3), strict=True):
        many, apart = cache_vectors.random_cosines(
            view.corpus, view.layer, postprocessing, view.n_dropped
        )
        means.append(many.mean)
        told = {
            "treatment": titles[postprocessing],
            "mean": formatted(many.mean, ".3f"),
            "error": formatted(apart.standard_error, ".3f"),
            "spread": formatted(many.cosines.std().item(), ".3f"),
        }
        with column:
            st.markdown(f"**{words.label(f'treatment_{postprocessing}', k=view.n_dropped)}**")
            show_drawing(
                histogram_svg(
                    many.cosines.tolist(),
                    low=LOW,
                    high=HIGH,
                    x_title=words.plain("axis_cosine"),
                    alt=words.plain("histogram_alt", **told),
                    marks=(Mark(name=words.plain("mark_mean"), value=many.mean),),
                    width=320,
                ),
                key=f"isotropy_random_{postprocessing}",
                table=lambda many=many: Table({"cosine": many.cosines.tolist()}),
                source=words.label("histogram_source", **told),
            )
    st.caption(setting.source(page, view))
    return means


def _sources() -> tuple:
    from mlm_core.embeddings.postprocessing import drop_dimensions, learn_from_corpus, standardize

    return learn_from_corpus, standardize, drop_dimensions
