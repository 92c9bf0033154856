"""More than one neighbour: how accuracy changes with k, at the layer of the map."""

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from pages.parts.word_senses import setting
from pages.parts.word_senses.setting import Setting
from pages.shared.caches import cache_senses
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame import helper_work
from pages.shared.frame.page_frame import Page
from pages.shared.frame.source import show_source
from pages.shared.link import inputs


def show(page: Page, now: Setting) -> None:
    """Show for more than one neighbour the accuracy of k-NN for each k, and of the centroids."""
    words = page.words
    st.markdown(words.section("k_neighbours.lead", word=now.word.word))
    options = {str(k): str(k) for k in cache_senses.ALL_K}
    k = int(inputs.step(words.label("k"), options, key="word_senses_k", default="1"))
    if k == 1:
        return
    asked = (page.model_name, now.name, now.pooling, now.layer)
    found = helper_work.asked(lambda: cache_senses.neighbour_work(*asked), "sklearn")
    if found is None:
        return
    by_k = dict(found.by_k)
    best = max(by_k, key=by_k.__getitem__)
    _draw(page, now, by_k)
    st.markdown(
        words.section(
            "k_neighbours.said",
            k=k,
            accuracy=formatted(100 * by_k[k], ".0f"),
            one=formatted(100 * by_k[1], ".0f"),
            best=best,
            top=formatted(100 * by_k[best], ".0f"),
            centroid=formatted(100 * found.centroid, ".0f"),
        )
    )
    from mlm_core.embeddings.sense_measures import neighbour_scores

    show_source(neighbour_scores, key="word_senses_k_code")


def _draw(page: Page, now: Setting, by_k: dict[int, float]) -> None:
    words = page.words
    show_drawing(
        bars_svg(
            [f"k = {k}" for k in by_k],
            list(by_k.values()),
            longest=1.0,
            alt=words.plain(
                "k_alt",
                first=formatted(100 * by_k[1], ".0f"),
                last=formatted(100 * by_k[max(by_k)], ".0f"),
            ),
        ),
        key="word_senses_by_k",
        table=Table({"k": list(by_k), "accuracy": list(by_k.values())}),
        source=words.label(
            "source",
            model=page.model_name,
            layer=setting.layer_name(page, now.layer),
            n=len(now.word.sentences),
        ),
    )
