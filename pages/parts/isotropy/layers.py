"""Layer by layer: the mean cosine of random words, and 1-NN sense accuracy, three times each."""

import streamlit as st

from mlm_core.figures.charts import by_layer_axis, lines_chart
from mlm_core.figures.curves import Curve, nice_range
from mlm_core.number_format import formatted
from pages.parts.isotropy import setting
from pages.parts.isotropy.sense_words import is_measured, measure, sense_words
from pages.shared.caches import cache, cache_vectors
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source

ASKED = "isotropy_layers_asked"  # session state: the model whose senses were asked for


@part
def show(page: Page) -> None:
    """Draw the mean cosine by layer, and the sense accuracy when asked."""
    words = page.words
    st.markdown(words.section("layers.lead"))
    view = setting.choose(page, with_layer=False)
    setting.read_corpus(page, view.corpus)
    _cosines(page, view)
    st.markdown(words.section("layers.senses", n=len(sense_words())))
    pressed = not is_measured(page, view) and st.button(
        words.label("measure_senses"), icon=":material/play_arrow:", key="isotropy_measure"
    )
    if pressed:
        st.session_state[ASKED] = page.model_name
    if st.session_state.get(ASKED) == page.model_name or is_measured(page, view):
        _senses(page, view)
    show_source(*_sources(), key="isotropy_layers_code")


def _cosines(page: Page, view: setting.View) -> None:
    words = page.words
    n = cache.model(page.model_name).n_layers + 1
    columns = [
        [cache_vectors.mean_cosine(view.corpus, i, t, view.n_dropped) for i in range(n)]
        for t in setting.POSTPROCESSINGS
    ]
    low, high = nice_range([value for column in columns for value in column], from_zero=False)
    raw = columns[0]
    top, least = (pick(range(n), key=raw.__getitem__) for pick in (max, min))
    told = {
        "top": top,
        "top_mean": formatted(raw[top], ".2f"),
        "least": least,
        "least_mean": formatted(raw[least], ".2f"),
        "dropped": formatted(columns[1][top], ".2f"),
        "z": formatted(abs(columns[2][top]), ".2f"),
        "k": view.n_dropped,
    }
    halves = [
        cache_vectors.learned(view.corpus, i).proportions.n_for_proportion(0.5) for i in range(n)
    ]
    _draw(page, view, columns, (min(low, 0.0), high), "cosine", {"dimensions_for_half": halves})
    st.markdown(words.section("layers.cosines", **told))


def _senses(page: Page, view: setting.View) -> None:
    words = page.words
    right = measure(page, view)
    n_points = right["raw"].shape[1]
    columns = [right[t].double().mean(dim=1).tolist() for t in setting.POSTPROCESSINGS]
    _, high = nice_range([value for column in columns for value in column])
    _draw(page, view, columns, (0.0, min(1.0, high)), "accuracy", {})
    best = [max(range(len(column)), key=column.__getitem__) for column in columns]
    # Twice the largest standard deviation that a share of n can have: sqrt(1/4 / n).
    margin = formatted(100 / n_points**0.5, ".0f")
    told = {"n": n_points, "margin": margin}
    for name, column, layer in zip(("raw", "dropped", "z"), columns, best, strict=True):
        told |= {name: formatted(100 * column[layer], ".1f"), f"{name}_layer": layer}
    st.markdown(words.section("layers.accuracy", **told))


def _draw(
    page: Page,
    view: setting.View,
    columns: list[list[float]],
    reach: tuple[float, float],
    name: str,
    more: dict[str, list],
) -> None:
    words = page.words
    titles = setting.postprocessing_names(page, view.n_dropped)
    show_chart(
        lines_chart(
            [
                Curve(name=title, points=list(enumerate(column)), pen=pen, dots=True)
                for pen, (title, column) in enumerate(zip(titles.values(), columns, strict=True))
            ],
            x_title=words.plain("axis_layer"),
            y_title=words.plain(f"layers_{name}"),
            x_axis=by_layer_axis(len(columns[0])),
            y_axis={"range": reach},
        ),
        key=f"isotropy_layers_{name}",
        alt=words.plain(f"layers_{name}_alt"),
        table=Table(
            {
                "layer": list(range(len(columns[0]))),
                **dict(zip(setting.POSTPROCESSINGS, columns, strict=True)),
                **more,
            }
        ),
        source=setting.source_all_layers(page, view),
    )


def _sources() -> tuple:
    from mlm_core.embeddings.isotropy import mean_cosines
    from mlm_core.embeddings.postprocessing import LayerStatistics
    from mlm_core.embeddings.word_senses import leave_one_out

    return mean_cosines, LayerStatistics, leave_one_out
