"""Raw, dropped, z-scored: the same histogram, the same word pairs, the same neighbours."""

import streamlit as st

from mlm_core.figures.charts import histogram_chart, marked
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.parts.isotropy.neighbours import show_neighbours
from pages.parts.isotropy.word_pairs import show_pairs
from pages.shared.caches import cache_vectors
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

LOW, HIGH = -0.5, 1.0
HISTOGRAMS, ALL = "isotropy_histograms", "all"


@part
def show(page: Page) -> None:
    """Show the three treatments over each other."""
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
    """Draw the random pairs' cosines under each treatment in one chart; return the means."""
    words, samples, figures = page.words, {}, []
    titles = setting.postprocessing_names(page, view.n_dropped)
    for name, title in titles.items():
        many, apart = cache_vectors.random_cosines(view.corpus, view.layer, name, view.n_dropped)
        samples[name] = many
        told = {
            "mean": formatted(many.mean, ".3f"),
            "error": formatted(apart.standard_error, ".3f"),
            "spread": formatted(many.cosines.std().item(), ".3f"),
        }
        figures.append(f"{title}: {words.label('histogram_source', **told)}")
    means = {titles[name]: many.mean for name, many in samples.items()}
    columns = {name: many.cosines.tolist() for name, many in samples.items()}
    mark = words.plain("mark_mean")
    shown = inputs.choice(
        words.label("histograms"), {ALL: words.label("histograms_all")} | titles, key=HISTOGRAMS
    )
    if shown == ALL:
        groups = {titles[name]: values for name, values in columns.items()}
        marks = [marked(f"{mark}, {name}", mean) for name, mean in means.items()]
    else:  # one name for whichever it is: then it moves to the next one's place
        groups = {words.plain("axis_cosine"): columns[shown]}
        marks = [marked(f"{mark}, {titles[shown]}", samples[shown].mean)]
    show_chart(
        histogram_chart(
            groups,
            low=LOW,
            high=HIGH,
            x_title=words.plain("axis_cosine"),
            y_title=words.plain("axis_pairs"),
            marks=marks,
        ),
        key="isotropy_random_treatments",
        alt=setting.histogram_alt(page, means),
        table=lambda: Table(columns),
        source=setting.source(page, view),
    )
    st.caption("  \n".join(figures))
    return list(means.values())


def _sources() -> tuple:
    from mlm_core.embeddings.postprocessing import drop_dimensions, learn_from_corpus, standardize

    return learn_from_corpus, standardize, drop_dimensions
