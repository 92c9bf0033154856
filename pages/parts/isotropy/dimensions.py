"""Each dimension's share of the mean cosine: how few of them carry half of it."""

from functools import partial
from typing import Any

import streamlit as st

from mlm_core.embeddings.postprocessing import LayerStatistics
from mlm_core.figures.charts import histogram_chart
from mlm_core.figures.embeddings.isotropy_shares import shares_svg
from pages.parts.isotropy import setting
from pages.shared.caches import cache_vectors
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

GUESSES = ("3", "10", "50", "more")  # at most so many
NEXT_TO_NOTHING = 0.03  # a mean cosine of which shares say little
N_DRAWN = 20  # dimensions to choose from


@part(
    code=(
        "embeddings.isotropy:dimension_proportions",
        "embeddings.isotropy:DimensionProportions",
    )
)
def show(p: Part) -> None:
    """Take a guess, then rank the dimensions and look at one."""
    p.say("lead")
    view = setting.choose(p, with_dropped=False)
    guess = p.guess("half", GUESSES)
    if guess is None:
        return
    setting.read_corpus(p, view.corpus)
    corpus = cache_vectors.learned(view.corpus, view.layer)
    n_half = corpus.proportions.n_for_proportion(0.5)
    truth = next((name for name in GUESSES[:-1] if n_half <= int(name)), "more")
    setting.say_guess(p, "half", guess, truth)
    bars = st.container()
    ranked = corpus.proportions.ranked
    options = {
        str(i): p.plain("rank_name", rank=i + 1, dimension=dimension)
        for i, dimension in enumerate(ranked[:N_DRAWN])
    }
    rank = int(p.choice("rank", options))
    with bars:
        _rank(p, view, corpus, n_half, rank)
    _look_at(p, view, corpus, ranked[rank])
    p.caption("no_more")


def _rank(p: Part, view: setting.View, corpus: LayerStatistics, n_half: int, chosen: int) -> None:
    """Draw the ranked bars; a click looks at a dimension."""
    mean_cosine, ranked = corpus.proportions.mean_cosine, corpus.proportions.ranked
    shares, n = corpus.proportions.proportions.tolist(), len(ranked)
    shown, others = ranked[:N_DRAWN], ranked[N_DRAWN:]
    told: dict[str, Any] = {
        "n_half": n_half,
        "n": n,
        "mean": mean_cosine,
        "first": ranked[0],
        "first_share": shares[ranked[0]],
        "even": 1 / n,
        "layer": view.layer,
    }
    p.say("answer", **told)
    p.figure(
        "shares",
        partial(
            shares_svg,
            [str(d) for d in shown],
            [shares[d] for d in shown],
            rest=(p.plain("shares_rest", n=len(others)), sum(shares[d] for d in others)),
            chosen=chosen,
            x_title=p.plain("shares_x"),
            sum_title=p.plain("shares_sum"),
        ),
        lambda: {
            "rank": list(range(1, n + 1)),
            "dimension": list(ranked),
            "contribution": [corpus.proportions.contributions[d].item() for d in ranked],
            "share": [shares[d] for d in ranked],
            "mean": [corpus.mean[d].item() for d in ranked],
            "standard_deviation": [corpus.deviation[d].item() for d in ranked],
        },
        source="source",
        on_click=lambda value: inputs.choose(p.key("rank"), value.rpartition(",")[2]),
        **setting.source_of(p, view) | told,
    )
    if abs(mean_cosine) < NEXT_TO_NOTHING:
        p.say("nothing", mean=mean_cosine)


def _look_at(p: Part, view: setting.View, corpus: LayerStatistics, dimension: int) -> None:
    """Say a dimension's mean and deviation, and draw its values over all words."""
    states = cache_vectors.corpus_states(view.corpus, view.layer)
    values = states[:, dimension].tolist()
    mean = corpus.mean[dimension].item()
    told: dict[str, Any] = {
        "dimension": dimension,
        "mean": mean,
        "deviation": corpus.deviation[dimension].item(),
        "typical": corpus.mean.abs().median().item(),
        "typical_deviation": corpus.deviation.median().item(),
        "same_sign": sum((value > 0) == (mean > 0) for value in values) / len(values),
        "share": corpus.proportions.proportions[dimension].item(),
    }
    p.say("one", **told)
    axis = p.plain("axis_dimension", dimension=dimension)
    chart = histogram_chart(
        {axis: values},
        # The axis that all dimensions share.
        low=min(0.0, states.min().item()),
        high=max(0.0, states.max().item()) + 1e-6,
        x_title=axis,
        y_title=p.plain("axis_words"),
    )
    words = cache_vectors.corpus_words(view.corpus).words
    p.figure(
        "dimension",
        chart,
        lambda: {"word": [word.target for word in words], "value": values},
        source="source",
        **setting.source_of(p, view) | told,
    )
