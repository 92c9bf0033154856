"""How often the nearest sense is the right one, layer by layer, for one word or for all."""

from functools import partial

import streamlit as st

from mlm_core.embeddings.sense_measures import neighbour_scores
from mlm_core.figures.bars import bars_svg
from mlm_core.figures.charts import by_layer_axis, lines_chart, percent_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.number_format import formatted
from pages.parts.word_senses.setting import Setting, choose_words, current, layer_name
from pages.shared.caches import cache_senses
from pages.shared.frame import helper_work
from pages.shared.kit.part import Part, part
from pages.shared.link import whole_page

Scores = tuple[tuple[float, float], ...]  # (accuracy, macro-F1) a layer


@part(code=("embeddings.word_senses:scores_by_layer", "embeddings.word_senses:leave_one_out"))
def show(p: Part) -> None:
    """Draw accuracy and macro-F1 over the layers; a layer that is clicked goes to the map."""
    now = current(p)
    p.say("lead")
    names = choose_words(p, "scope", now)
    scored = {
        name: cache_senses.sense_layer_scores(p.model_name, name, now.pooling, now.method)
        for name in p.progress("scoring", names)
    }
    means = [
        tuple(sum(column) / len(column) for column in zip(*layer, strict=True))
        for layer in zip(*scored.values(), strict=True)
    ]
    baseline = sum(map(_most_frequent, names)) / len(names)
    _draw(p, now, scored, means, baseline)
    accuracies = [accuracy for accuracy, _ in means]
    best = accuracies.index(max(accuracies))
    p.say(
        "said",
        first=accuracies[0],
        best=best,
        top=accuracies[best],
        last=accuracies[-1],
        baseline=baseline,
    )
    st.button(
        p.label("to_map", layer=best),
        on_click=_go_to_layer,
        args=(p, best),
        icon=":material/scatter_plot:",
        key=p.key("to_map"),
    )
    p.say("notice")
    _neighbours(p, now)


def _most_frequent(name: str) -> float:
    sizes = [len(sense.sentences) for sense in cache_senses.stored_word(name).senses]
    return max(sizes) / sum(sizes)


def _draw(
    p: Part,
    now: Setting,
    scored: dict[str, Scores],
    means: list[tuple[float, ...]],
    baseline: float,
) -> None:
    """Draw the means over the words, with each word's accuracy behind them."""
    lines = [
        Curve(name=p.plain(name), points=list(enumerate(column)), pen=pen, dots=True)
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
    level = Level(name=p.plain("most_frequent"), value=baseline, shown=formatted(baseline, ".0%"))
    p.figure(
        "layers",
        lines_chart(
            lines,
            levels=[level],
            x_title=p.plain("layer_axis"),
            y_title="",
            x_axis=by_layer_axis(len(means)),
            y_axis=percent_axis(),
            marks=[Level(name="", value=now.layer)] if isinstance(now.layer, int) else (),
        ),
        [
            {"word": name, "layer": i, "accuracy": accuracy, "macro_f1": f1}
            for name, scores in scored.items()
            for i, (accuracy, f1) in enumerate(scores)
        ],
        on_click=partial(_go_to_layer, p),
        first=means[0][0],
        last=means[-1][0],
        n=sum(len(cache_senses.stored_word(name).sentences) for name in scored),
        method=p.plain(f"method_{now.method}"),
    )


def _go_to_layer(p: Part, layer: int) -> None:
    whole_page.choose(p.key("mix"), "one")  # the map stands outside this part
    whole_page.choose(p.key("layer"), str(layer))


# More than one neighbour, at the layer of the map.


def _neighbours(p: Part, now: Setting) -> None:
    """Show for more than one neighbour the accuracy of k-NN for each k, and of the centroids."""
    p.say("k_lead", word=now.word.word)
    k = int(p.choice("k", [str(k) for k in cache_senses.ALL_K]))
    if k == 1:
        return
    asked = (p.model_name, now.name, now.pooling, now.layer)
    found = helper_work.asked(lambda: cache_senses.neighbour_work(*asked), "sklearn")
    if found is None:
        return
    by_k = dict(found.by_k)
    best = max(by_k, key=by_k.__getitem__)
    p.figure(
        "by_k",
        partial(bars_svg, [f"k = {k}" for k in by_k], list(by_k.values()), longest=1.0),
        {"k": list(by_k), "accuracy": list(by_k.values())},
        source="source",
        layer=layer_name(p, now.layer),
        n=len(now.word.sentences),
        first=by_k[1],
        last=by_k[max(by_k)],
    )
    p.say(
        "k_said",
        k=k,
        accuracy=by_k[k],
        one=by_k[1],
        best=best,
        top=by_k[best],
        centroid=found.centroid,
    )
    p.code("k", neighbour_scores)
