"""Is it the mean or the deviation? Taking away only one of the two."""

import streamlit as st

from mlm_core.figures.embeddings.isotropy import Mark, histogram_svg
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.shared.caches import cache_vectors
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.source import show_source

LOW, HIGH = -0.5, 1.0
HALVES = ("centred", "scaled")


def show_centring(page: Page, view: setting.View) -> None:
    """Draw random cosines with the mean taken away, and with the deviation divided by."""
    from random import Random

    import torch

    from mlm_core.embeddings.isotropy import dimension_proportions, pair_cosines, random_pairs
    from mlm_core.embeddings.postprocessing import standardize

    words = page.words
    setting.read_corpus(page, view.corpus)
    vectors = cache_vectors.corpus_states(view.corpus, view.layer)
    corpus = cache_vectors.learned(view.corpus, view.layer)
    drawn = cache_vectors.corpus_words(view.corpus)
    pairs = random_pairs(drawn.sentence_numbers, cache_vectors.N_PAIRS, Random(view.corpus.seed))
    none, one = torch.zeros_like(corpus.mean), torch.ones_like(corpus.deviation)
    halves = {
        "centred": standardize(vectors, corpus.mean, one),
        "scaled": standardize(vectors, none, corpus.deviation),
    }
    means = {
        name: dimension_proportions(half, drawn.groups).mean_cosine for name, half in halves.items()
    }
    for name, column in zip(HALVES, st.columns(2), strict=True):
        cosines = pair_cosines(halves[name], pairs).cosines.tolist()
        with column:
            st.markdown(f"**{words.label(name)}**")
            show_drawing(
                histogram_svg(
                    cosines,
                    low=LOW,
                    high=HIGH,
                    x_title=words.plain("axis_cosine"),
                    alt=words.plain(
                        "histogram_alt",
                        treatment=words.plain(name),
                        mean=formatted(means[name], ".3f"),
                    ),
                    marks=(Mark(name=words.plain("mark_mean"), value=means[name]),),
                    width=360,
                ),
                key=f"isotropy_{name}",
                table=lambda cosines=cosines: Table({"cosine": cosines}),
                source=setting.source(page, view),
            )
    told = {name: formatted(mean, ".3f") for name, mean in means.items()}
    told["raw"] = formatted(corpus.proportions.mean_cosine, ".3f")
    st.markdown(words.section("questions.centre_answer", **told))
    show_source(standardize, key="isotropy_centre_code")
