"""How well does each way find? Recall, reciprocal rank and Spearman's rho, with intervals."""

from collections.abc import Mapping

from mlm_core.evaluation.bootstrap import Estimate
from mlm_core.figures.charts import DotRow, dots_chart
from mlm_core.search.ranking import Measure
from mlm_core.search.reranking import K
from mlm_core.stored.search_results import SearchResults, best_untrained
from pages.kit.part import Part, part
from pages.lessons.encoders_today import computed, search_ways

Scores = Mapping[Measure, Estimate]


@part(code=("search.ranking:measure", "search.ranking:score", "search.ranking:lead"))
def show(p: Part) -> None:
    """Draw one measure of all ways, and say which differences are clear."""
    stored = computed.results(p.language)
    p.say("lead", n=stored.n_queries, n_candidates=stored.n_candidates, n_pairs=stored.n_pairs)
    measure = p.choice("measure")
    rows = {p.plain(f"way_{way}"): found for way, found in stored.scores.items()}
    public = computed.public_encoder() if p.reads_first else None
    if public is not None:
        rows[p.plain("way_public", model=public.model)] = public.scores
    run = search_ways.trained_run(p)
    if run is not None:
        rows[p.plain("way_own")] = computed.trained_scores(run)
    best = max(rows, key=lambda name: rows[name][measure].value)
    p.figure(
        "scores",
        dots_chart(
            [_row(name, found[measure]) for name, found in rows.items()],
            [p.plain(f"measure_{measure}")],
            low=0.0,
            high=1.0,
            x_title=p.plain(f"measure_{measure}"),
        ),
        lambda: _numbers(p, rows),
        measure=p.plain(f"measure_{measure}"),
        best=best,
        value=rows[best][measure].value,
        n=stored.n_queries,
        public="" if public is None else p.plain("source_of_public", model=public.model),
    )
    _say_what_is_gained(p, stored, "notice" if p.reads_first else f"notice_{p.language}")
    with p.fold("differences", "compare_arrows"):
        _say_what_differs(p, stored)


def _row(name: str, found: Estimate) -> DotRow:
    above, below = found.high - found.value, found.value - found.low
    return DotRow(name=name, values=(found.value,), errors=(above,), errors_below=(below,))


def _numbers(p: Part, rows: Mapping[str, Scores]) -> list[dict[str, object]]:
    return [
        {
            "way": name,
            "measure": p.plain(f"measure_{measure}"),
            "value": one.value,
            "lowest": one.low,
            "highest": one.high,
        }
        for name, found in rows.items()
        for measure, one in found.items()
    ]


def _say_what_is_gained(p: Part, stored: SearchResults, notice: str) -> None:
    """Compare training with the best vector that had none."""
    gain, top = stored.gain, best_untrained(stored.scores, "spearman")
    p.say(
        notice,
        best=p.plain(f"way_{stored.best_untrained}"),
        **{f"gain_{name}": value for name, value in vars(gain["mean_reciprocal_rank"]).items()},
        gain_spearman=gain["spearman"].value,
        top=p.plain(f"way_{top}"),
        top_spearman=stored.scores[top]["spearman"].value,
        trained_spearman=stored.scores["labelled"]["spearman"].value,
    )


def _say_what_differs(p: Part, stored: SearchResults) -> None:
    """Compare the other ways, a public encoder with our training, and [CLS] with the mean."""
    _say_of_closer(p, stored)
    if p.reads_first:
        public = computed.public_encoder()
        ahead = vars(public.lead["mean_reciprocal_rank"])
        p.say("public", model=public.model, millions=public.n_parameters / 1e6, **ahead)
    of_pooling = stored.leads["cls_last", "mean_last"]
    rank, spearman = of_pooling["mean_reciprocal_rank"], of_pooling["spearman"].value
    of_cls = {f"cls_{name}": value for name, value in vars(rank).items()}
    p.say("of_bert", cls_spearman=spearman, **of_cls)


def _say_of_closer(p: Part, stored: SearchResults) -> None:
    """Compare late interaction, expansion and re-ranking, each with the way that it builds on."""
    leads = {
        "late": stored.leads["late_trained", "labelled"],
        "words": stored.leads["expansion", "tf_idf"],
        "pairs": stored.leads["re_ranked", "labelled"],
    }
    ranks = {name: vars(found["mean_reciprocal_rank"]) for name, found in leads.items()}
    p.say(
        "closer" if p.reads_first else f"closer_{p.language}",
        k=K,
        recall=stored.scores["re_ranked"]["recall_at_1"].value,
        pairs_spearman=leads["pairs"]["spearman"].value,
        **{f"{name}_{end}": value for name, of in ranks.items() for end, value in of.items()},
    )
