"""Which dimensions the mean cosine comes from, and what dropping or z-scoring them changes."""

from dataclasses import replace
from functools import partial
from typing import Any

from torch.nn.functional import cosine_similarity, normalize

from mlm_core.embeddings.contextual import WordVectors
from mlm_core.embeddings.postprocessing import LayerStatistics
from mlm_core.embeddings.senses_data import marked
from mlm_core.figures.charts import DotRow, dots_chart, histogram_chart
from mlm_core.figures.embeddings.isotropy_shares import shares_svg
from pages.kit.part import Part, part
from pages.lessons.isotropy import computed, setting
from pages.lessons.isotropy.needed import show_needed

GUESSES = ("3", "10", "50", "more")  # at most so many
NEXT_TO_NOTHING = 0.03  # a mean cosine of which shares say little
N_DRAWN = 20  # dimensions with a bar of their own
LOW, HIGH, HEIGHT = -0.5, 1.0, 270  # of the histograms; pixels


@part(
    code=(
        "embeddings.isotropy:dimension_proportions",
        "embeddings.postprocessing:standardize",
        "embeddings.postprocessing:drop_dimensions",
        "inside.switches:hold_dimension",
    )
)
def show(p: Part) -> None:
    """Take a guess and rank the dimensions; then drop or z-score, and compare pairs."""
    p.say("lead")
    view = setting.choose(p, with_dropped=False)
    setting.read_corpus(p, view.corpus)
    own = setting.pair_of_opening(p)
    guess = p.guess("half", GUESSES, rows=4)
    shares = p.place()
    left, right = p.columns(3, 2, align="bottom")
    with left:
        p.say("treatments")
    with right:
        view = replace(view, n_dropped=setting.choose_dropped(p))
    if guess is not None:
        with shares:
            said, drawn = p.columns(2, 3)
            with said:
                _answer(p, view, guess, own)
            with drawn:
                _rank(p, view)
    left, right = p.columns()
    with left:
        means = _histograms(p, view)
    with right:
        uses = _pairs(p, own)
        if uses is not None:
            _draw_pairs(p, view, uses)
    p.say("notice", **setting.source_of(p, view) | means)
    show_needed(p)


def _answer(p: Part, view: setting.View, guess: str, own: WordVectors | None) -> None:
    """Say whether the guess was right, and what the largest dimensions add to the own pair."""
    corpus: LayerStatistics = computed.learned(view.corpus, view.layer)
    told, ranked = _told(view, corpus), corpus.proportions.ranked
    n_half, mean_cosine = told["n_half"], told["mean"]
    truth = next((name for name in GUESSES[:-1] if n_half <= int(name)), "more")
    setting.say_guess(p, "half", guess, truth)
    p.say("answer", **told)
    if own is not None:
        products = normalize(own.at(view.layer), dim=-1).prod(dim=0)
        of_half, cosine = products[list(ranked[:n_half])].sum().item(), products.sum().item()
        first, second = (sentence.target for sentence in own.sentences)
        p.say("own_pair", first=first, second=second, cosine=cosine, part=of_half, n_half=n_half)
    if abs(mean_cosine) < NEXT_TO_NOTHING:
        p.say("nothing", mean=mean_cosine)


def _told(view: setting.View, corpus: LayerStatistics) -> dict[str, Any]:
    """Return what the answer and its figure say of the ranked dimensions."""
    shares, ranked = corpus.proportions.proportions, corpus.proportions.ranked
    return {
        "n_half": corpus.proportions.n_for_proportion(0.5),
        "n": len(ranked),
        "mean": corpus.proportions.mean_cosine,
        "first": ranked[0],
        "first_share": shares[ranked[0]].item(),
        "even": 1 / len(ranked),
        "layer": view.layer,
    }


def _rank(p: Part, view: setting.View) -> None:
    """Draw the ranked bars; a click drops a dimension and those before it."""
    corpus: LayerStatistics = computed.learned(view.corpus, view.layer)
    shares, ranked = corpus.proportions.proportions.tolist(), corpus.proportions.ranked
    shown, others = ranked[:N_DRAWN], ranked[N_DRAWN:]
    p.figure(
        "shares",
        partial(
            shares_svg,
            [str(d) for d in shown],
            [shares[d] for d in shown],
            rest=(p.plain("shares_rest", n=len(others)), sum(shares[d] for d in others)),
            n_dropped=view.n_dropped,
            x_title=p.plain("shares_x"),
            sum_title=p.plain("shares_sum"),
        ),
        lambda: {
            "rank": list(range(1, len(ranked) + 1)),
            "dimension": list(ranked),
            "contribution": [corpus.proportions.contributions[d].item() for d in ranked],
            "share": [shares[d] for d in ranked],
            "mean": [corpus.mean[d].item() for d in ranked],
            "standard_deviation": [corpus.deviation[d].item() for d in ranked],
        },
        source="source",
        on_click=lambda value: p.choose("dropped", int(value.rpartition(",")[2]) + 1),
        **setting.source_of(p, view) | _told(view, corpus),
    )


def _histograms(p: Part, view: setting.View) -> dict[str, float]:
    """Draw the random pairs' cosines under each treatment in one chart; return their means."""
    titles = setting.treatment_names(p, view.n_dropped)
    values, means = {}, {}
    for name in titles:
        many, _ = computed.random_cosines(view.corpus, view.layer, name, view.n_dropped)
        values[name], means[name] = many.cosines.tolist(), many.mean
    chart = histogram_chart(
        {titles[name]: cosines for name, cosines in values.items()},
        low=LOW,
        high=HIGH,
        x_title=p.plain("axis_cosine"),
        y_title=p.plain("axis_pairs"),
    ).update_layout(height=HEIGHT)
    told: dict[str, Any] = setting.source_of(p, view) | setting.by_treatment(means.values())
    p.figure("random_treatments", chart, lambda: values, source="source", **told)
    return setting.by_treatment(means.values())


# The same word pairs, that of the opening first: pair i is at 2 i and 2 i + 1.


def _pairs(p: Part, own: WordVectors | None) -> WordVectors | None:
    """Return the vectors of the pairs' words, if the model can read them."""
    lines = p.examples.section("pairs.sample").splitlines()
    others = [marked(half.strip()) for line in lines for half in line.split("|")]
    return setting.vectors_of(p, (*(() if own is None else own.sentences), *others))


def _draw_pairs(p: Part, view: setting.View, uses: WordVectors) -> None:
    """Draw the pairs' cosines as three marks a row."""
    corpus, vectors = computed.learned(view.corpus, view.layer), uses.at(view.layer)
    columns = {}
    for name in setting.POSTPROCESSINGS:
        postprocessed = corpus.postprocess(vectors, name, n_dropped=view.n_dropped)
        columns[name] = cosine_similarity(postprocessed[::2], postprocessed[1::2], dim=-1).tolist()
    first, second = uses.sentences[::2], uses.sentences[1::2]
    # Numbered, since words may come twice.
    pairs = [
        f"{number} {one.target} · {other.target}"
        for number, (one, other) in enumerate(zip(first, second, strict=True), 1)
    ]
    chart = dots_chart(
        [
            DotRow(name=pair, values=values)
            for pair, *values in zip(pairs, *columns.values(), strict=True)
        ],
        list(setting.treatment_names(p, view.n_dropped).values()),
        low=min(-0.4, *(min(column) for column in columns.values())),
        high=1.0,
        x_title=p.plain("axis_cosine"),
    )
    table = {
        "pair": pairs,
        "first": [sentence.text for sentence in first],
        "second": [sentence.text for sentence in second],
    }
    told: dict[str, Any] = setting.source_of(p, view) | {"n": len(pairs)}
    p.figure("pairs_drawing", chart, table | columns, source="source", **told)
    spreads = (max(column) - min(column) for column in columns.values())
    p.say("pairs.spread", **setting.by_treatment(spreads))
