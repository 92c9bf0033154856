"""How often the nearest sense is the right one, layer by layer, for one word or for all."""

import streamlit as st

from mlm_core.figures.charts import by_layer_axis, lines_chart, percent_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.number_format import formatted
from pages.parts.word_senses import k_neighbours, setting
from pages.parts.word_senses.setting import LAYER, MIX, Setting
from pages.shared.caches import cache_senses
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs, whole_page

SCOPES = ("one", "all")
Scores = tuple[tuple[float, float], ...]  # (accuracy, macro-F1) a layer


@part
def show(page: Page) -> None:
    """Draw accuracy and macro-F1 over the layers; a layer that is clicked goes to the map."""
    words, now = page.words, setting.current(page)
    st.markdown(words.section("by_layer.lead"))
    scopes = {name: words.label(f"scope_{name}", word=now.word.word) for name in SCOPES}
    scope = inputs.choice(words.label("scope"), scopes, key="word_senses_scope")
    names = [now.name] if scope == "one" else cache_senses.stored_names("en")
    scored = _score(page, now, names)
    means = [
        tuple(sum(column) / len(column) for column in zip(*layer, strict=True))
        for layer in zip(*scored.values(), strict=True)
    ]
    baseline = sum(map(_most_frequent, names)) / len(names)
    _draw(page, now, scored, means, baseline)
    accuracies = [accuracy for accuracy, _ in means]
    best = max(range(len(means)), key=lambda i: accuracies[i])
    st.markdown(
        words.section(
            "by_layer.said",
            first=formatted(100 * accuracies[0], ".0f"),
            best=best,
            top=formatted(100 * accuracies[best], ".0f"),
            last=formatted(100 * accuracies[-1], ".0f"),
            baseline=formatted(100 * baseline, ".0f"),
        )
    )
    st.button(
        words.label("to_map", layer=best),
        on_click=_go,
        args=(str(best),),
        icon=":material/scatter_plot:",
        key="word_senses_to_map",
    )
    st.markdown(words.section("by_layer.notice"))
    k_neighbours.show(page, now)
    from mlm_core.embeddings.word_senses import leave_one_out, scores_by_layer

    show_source(scores_by_layer, leave_one_out, key="word_senses_by_layer_code")


def _most_frequent(name: str) -> float:
    sizes = [len(sense.sentences) for sense in cache_senses.stored_word(name).senses]
    return max(sizes) / sum(sizes)


def _score(page: Page, now: Setting, names: list[str]) -> dict[str, Scores]:
    """Return each word's scores; many words take seconds, so it shows how far it is."""
    bar, scored = st.empty(), {}
    for i, name in enumerate(names):
        label = page.words.label("scoring", word=name, n=i + 1, of=len(names))
        bar.progress(i / len(names), label)
        scored[name] = cache_senses.sense_layer_scores(
            page.model_name, name, now.pooling, now.method
        )
    bar.empty()
    return scored


def _draw(
    page: Page,
    now: Setting,
    scored: dict[str, Scores],
    means: list[tuple[float, ...]],
    baseline: float,
) -> None:
    words = page.words
    lines = [
        Curve(name=words.plain(name), points=list(enumerate(column)), pen=pen, dots=True)
        for pen, (name, column) in enumerate(
            zip(("accuracy", "macro_f1"), zip(*means, strict=True), strict=True)
        )
    ]
    if len(scored) > 1:
        each = [
            Curve(
                name=name,
                points=[(i, accuracy) for i, (accuracy, _) in enumerate(scores)],
                pen=0,
                faint=True,
                grey=True,
            )
            for name, scores in scored.items()
        ]
        lines = [*each, *lines]

    show_chart(
        lines_chart(
            lines,
            levels=[
                Level(
                    name=words.plain("most_frequent"),
                    value=baseline,
                    shown=formatted(baseline, ".0%"),
                )
            ],
            x_title=words.plain("layer_axis"),
            y_title="",
            x_axis=by_layer_axis(len(means)),
            y_axis=percent_axis(),
            marks=[Level(name="", value=now.layer)] if isinstance(now.layer, int) else (),
        ),
        key="word_senses_layers",
        alt=words.plain(
            "layers_alt",
            first=formatted(100 * means[0][0], ".0f"),
            last=formatted(100 * means[-1][0], ".0f"),
        ),
        table=Table(
            [
                {"word": name, "layer": i, "accuracy": accuracy, "macro_f1": f1}
                for name, scores in scored.items()
                for i, (accuracy, f1) in enumerate(scores)
            ]
        ),
        source=words.label(
            "scores_source",
            model=page.model_name,
            n=sum(len(cache_senses.stored_word(name).sentences) for name in scored),
            method=words.plain(f"method_{now.method}"),
        ),
        on_click=lambda layer: _go(str(layer)),
    )


def _go(layer: str) -> None:
    whole_page.choose(MIX, "one")  # the map stands outside this part
    whole_page.choose(LAYER, layer)
