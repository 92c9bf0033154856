"""Is it the mean or the deviation? Taking away only one of the two."""

import streamlit as st

from mlm_core.figures.charts import histogram_chart, marked
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.shared.caches import cache_vectors
from pages.shared.figures.show import show_chart
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
    cosines = {name: pair_cosines(half, pairs).cosines.tolist() for name, half in halves.items()}
    show_chart(
        histogram_chart(
            {words.plain(name): cosines[name] for name in HALVES},
            low=LOW,
            high=HIGH,
            x_title=words.plain("axis_cosine"),
            y_title=words.plain("axis_pairs"),
            marks=[
                marked(f"{words.plain('mark_mean')}, {words.plain(name)}", means[name])
                for name in HALVES
            ],
        ),
        key="isotropy_centred",
        alt=setting.histogram_alt(page, {words.plain(name): means[name] for name in HALVES}),
        table=lambda: Table({words.plain(name): cosines[name] for name in HALVES}),
        source=setting.source(page, view),
    )
    told = {name: formatted(mean, ".3f") for name, mean in means.items()}
    told["raw"] = formatted(corpus.proportions.mean_cosine, ".3f")
    st.markdown(words.section("questions.centre_answer", **told))
    show_source(standardize, key="isotropy_centre_code")
