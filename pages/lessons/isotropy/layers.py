"""Layer by layer: the mean cosine of random words, and 1-NN sense accuracy, three times each."""

from torch.nn.functional import cosine_similarity

from mlm_core.figures.charts import by_layer_axis, lines_chart
from mlm_core.figures.curves import Curve, nice_range
from pages.kit.part import Part, part
from pages.lessons.isotropy import computed, setting
from pages.lessons.isotropy.sense_words import is_measured, measure, say_few, sense_words


@part(
    code=(
        "embeddings.isotropy:mean_cosines",
        "embeddings.postprocessing:LayerStatistics",
        "embeddings.word_senses:leave_one_out",
    )
)
def show(p: Part) -> None:
    """Draw the mean cosine by layer, and the sense accuracy when asked."""
    p.say("lead")
    view = setting.choose(p, with_layer=False)
    setting.read_corpus(p, view.corpus)
    _cosines(p, view)
    p.say("senses", n=len(sense_words(p)))
    say_few(p)
    if not is_measured(p, view):
        p.button("measure", p.state.update, {"layers_asked": p.model_name}, icon="play_arrow")
    if p.state.get("layers_asked") == p.model_name or is_measured(p, view):
        _senses(p, view)


def _cosines(p: Part, view: setting.View) -> None:
    layers = range(p.model.n_layers + 1)
    columns = [
        [computed.mean_cosine(view.corpus, i, name, view.n_dropped) for i in layers]
        for name in setting.POSTPROCESSINGS
    ]
    own = setting.pair_of_opening(p)
    pairs = {}
    if own is not None:
        pairs["pair"] = [cosine_similarity(*own.at(i), dim=0).item() for i in layers]
    all_values = [value for column in (*columns, *pairs.values()) for value in column]
    low, high = nice_range(all_values, from_zero=False)
    halves = [computed.learned(view.corpus, i).proportions.n_for_proportion(0.5) for i in layers]
    reach = (min(low, 0.0), high)
    _draw(p, view, "cosine", columns, reach, {"dimensions_for_half": halves}, pairs)
    raw, dropped, standardized = columns
    top, least = (pick(layers, key=raw.__getitem__) for pick in (max, min))
    p.say(
        "cosines",
        top=top,
        top_mean=raw[top],
        least=least,
        least_mean=raw[least],
        dropped=dropped[top],
        z=abs(standardized[top]),
        k=view.n_dropped,
    )


def _senses(p: Part, view: setting.View) -> None:
    right = measure(p, view)
    n = right["raw"].shape[1]
    columns = [is_right.double().mean(dim=1).tolist() for is_right in right.values()]
    _, high = nice_range([value for column in columns for value in column])
    _draw(p, view, "accuracy", columns, (0.0, min(1.0, high)), {})
    told = {}
    for name, column in setting.by_treatment(columns).items():
        best = max(range(len(column)), key=column.__getitem__)
        told |= {name: column[best], f"{name}_layer": best}
    # Twice the largest standard deviation that a share of n can have: sqrt(1/4 / n).
    p.say("accuracy", n=n, margin=n**-0.5, **told)


def _draw(
    p: Part,
    view: setting.View,
    name: str,
    columns: list[list[float]],
    reach: tuple[float, float],
    more: dict[str, list[int]],
    pairs: dict[str, list[float]] | None = None,
) -> None:
    """Draw one line a treatment over the layers, and the learner's pair."""
    titles = [*setting.treatment_names(p, view.n_dropped).values()]
    drawn = list(columns)
    for pair in (pairs or {}).values():
        titles.append(p.plain("mark_pair"))
        drawn.append(pair)
    chart = lines_chart(
        [
            Curve(name=title, points=list(enumerate(column)), pen=pen, dots=True)
            for pen, (title, column) in enumerate(zip(titles, drawn, strict=True))
        ],
        x_title=p.plain("axis_layer"),
        y_title=p.plain(name),
        x_axis=by_layer_axis(len(columns[0])),
        y_axis={"range": reach},
    )
    table: dict[str, list] = {"layer": list(range(len(columns[0])))}
    table |= dict(zip(setting.POSTPROCESSINGS, columns, strict=True)) | more | (pairs or {})
    p.figure(f"layers_{name}", chart, table, source="source", **setting.source_of(p, view))
