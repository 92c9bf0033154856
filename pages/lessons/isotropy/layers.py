"""Layer by layer: the mean cosine of random words, raw and after each postprocessing."""

from torch.nn.functional import cosine_similarity

from mlm_core.figures.charts import by_layer_axis, lines_chart
from mlm_core.figures.curves import Curve, nice_range
from pages.kit.part import Part, part
from pages.lessons.isotropy import computed, setting


@part(
    code=(
        "embeddings.isotropy:dimension_proportions",
        "embeddings.postprocessing:LayerStatistics",
    )
)
def show(p: Part) -> None:
    """Draw the mean cosine by layer, and that of the learner's pair."""
    p.say("lead")
    view = setting.choose(p, with_layer=False)
    setting.read_corpus(p, view.corpus)
    layers = range(p.model.n_layers + 1)
    columns = [
        [computed.mean_cosine(view.corpus, i, name, view.n_dropped) for i in layers]
        for name in setting.POSTPROCESSINGS
    ]
    own = setting.pair_of_opening(p)
    pair = [] if own is None else [cosine_similarity(*own.at(i), dim=0).item() for i in layers]
    _draw(p, view, columns, pair)
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


def _draw(p: Part, view: setting.View, columns: list[list[float]], pair: list[float]) -> None:
    """Draw one line a treatment over the layers, and the learner's pair, if there is one."""
    lines = dict(zip(setting.treatment_names(p, view.n_dropped).values(), columns, strict=True))
    if pair:
        lines[p.plain("mark_pair")] = pair
    low, high = nice_range([one for line in lines.values() for one in line], from_zero=False)
    n_layers = len(columns[0])
    chart = lines_chart(
        [
            Curve(name=title, points=list(enumerate(line)), pen=pen, dots=True)
            for pen, (title, line) in enumerate(lines.items())
        ],
        x_title=p.plain("axis_layer"),
        y_title=p.plain("cosine"),
        x_axis=by_layer_axis(n_layers),
        y_axis={"range": (min(low, 0.0), high)},
    )
    halves = [
        computed.learned(view.corpus, i).proportions.n_for_proportion(0.5) for i in range(n_layers)
    ]
    table: dict[str, list] = {"layer": list(range(n_layers))}
    table |= dict(zip(setting.POSTPROCESSINGS, columns, strict=True))
    table |= {"dimensions_for_half": halves} | ({"pair": pair} if pair else {})
    p.figure("layers_cosine", chart, table, source="source", **setting.source_of(p, view))
