"""Opening: one test sentence scored by three stored runs: head alone, some layers, all layers."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from mlm_core.classification.errors import Contrast, contrast, judge_examples, most_telling
from mlm_core.evaluation.bootstrap import PairedLead, paired_lead
from mlm_core.evaluation.seeds import standard_error
from mlm_core.figures.charts import lines_chart
from mlm_core.figures.curves import Curve, Level
from mlm_core.figures.finetuning.classification import ClassRow, class_grid_svg
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.number_format import formatted
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part, part

WAYS = ("head", "top", "all")
FITS = 48  # letters of a sentence that a closed list shows, also on a phone


@part()
def show(p: Part) -> None:
    """Show what each way of training makes of a test sentence, or of the learner's own."""
    task = cache_finetuning.sentiment(p.slug)
    runs = {way: cache_finetuning.stored(f"{task}_{way}") for way in WAYS}
    judged = contrast([judge_examples(run.data, run.tested) for run in runs.values()])
    left, right = p.columns(gap="large")
    with left:
        chosen = _choose(p, judged)
        if len(chosen.example.text) > FITS:
            p.say("whole_sentence", text=chosen.example.text)
        with p.popover("own", "edit"):
            own = p.text("ways_text", "", help=p.section("own_help"))
        if own.strip():
            _draw_own(p, runs, own)
        else:
            scored = zip(WAYS, chosen.by_model, strict=True)
            said = {way: (one.predicted, one.probabilities) for way, one in scored}
            _draw(p, "three_ways", runs["head"], said, chosen.example.text, chosen.example.label)
    with right:
        _draw_curves(p, runs)
    if own.strip():
        p.say("own_after")
    else:
        _say_of_the_sentence(p, chosen)
    _say_of_the_test_part(p, runs, judged)


def _choose(p: Part, contrasts: Sequence[Contrast]) -> Contrast:
    """Show the test sentences on which the ways differ; return the chosen one."""
    found = {str(one.index): one for one in contrasts if one.models_differ}
    texts = {name: one.example.text for name, one in found.items()}
    start = str(most_telling(list(found.values())).index)
    return found[p.choice("ways_sentence_differ", texts, start=start)]


def _draw(
    p: Part,
    figure: str,
    run: FineTuneSnapshot,
    said: Mapping[str, tuple[str, Sequence[float]]],
    text: str,
    label: str | None = None,
) -> None:
    """Draw what each way predicts for a text, whose true class is `label` if that is known."""
    classes = run.data.classes
    rows = [
        ClassRow(
            name=p.plain(way),
            verdict=p.plain("says", said=predicted),
            probabilities=tuple(probabilities),
        )
        for way, (predicted, probabilities) in said.items()
    ]
    table = [
        {"trained": row.name, "class": name, "probability": probability}
        | ({} if label is None else {"is_true": name == label})
        | {"text": text}
        for row in rows
        for name, probability in zip(classes, row.probabilities, strict=True)
    ]
    right = None if label is None else classes.index(label)
    grid = partial(class_grid_svg, rows, classes, right=right)
    told = "; ".join(f"{row.name} {row.verdict}" for row in rows)
    p.figure(figure, grid, table, model=run.settings.model, label=label, text=text, told=told)


def _draw_curves(p: Part, runs: dict[str, FineTuneSnapshot]) -> None:
    """Draw a measure on the dev part by step, and what the most frequent class would get."""
    with p.popover("ways_measure", "tune"):
        measure = p.choice("ways_measure")
    curves = [
        Curve(
            name=p.plain(way),
            points=[(test.step, getattr(test, measure)) for test in run.tests],
            pen=pen,
            dots=True,
        )
        for pen, (way, run) in enumerate(runs.items())
    ]
    levels, highest, run = [], 1.0, runs["head"]
    if measure == "loss":
        highest = max(1.2, *(value for curve in curves for _, value in curve.points))
    else:
        majority = cache_finetuning.levels(run.settings.data, part="dev")["majority"]
        name = p.plain("compare_variant_majority")
        levels.append(Level(name=name, value=majority[measure == "f1"]))
    title = p.plain(f"ways_measure_{measure}")
    titles: dict[str, Any] = {"x_title": p.plain("step"), "y_title": title}
    chart = lines_chart(curves, levels=levels, y_axis={"range": (0.0, highest)}, **titles)
    table = [
        {
            "trained": p.plain(way),
            "step": test.step,
            "proportion_right": test.proportion_right,
            "macro_f1": test.f1,
            "loss": test.loss,
        }
        for way, run in runs.items()
        for test in run.tests
    ]
    ends = "; ".join(f"{curve.name} {formatted(curve.points[-1][1], '.2f')}" for curve in curves)
    about: dict[str, Any] = {
        "model": run.settings.model,
        "n": len(run.data.dev),
        "measure": title,
        "ends": ends,
    }
    p.figure("three_ways_curves", chart, table, **about)
    if measure == "loss":
        p.caption("loss")


def _say_of_the_sentence(p: Part, chosen: Contrast) -> None:
    """Say what the three rows show, with their numbers."""
    scored = dict(zip(WAYS, chosen.by_model, strict=True))
    first, last = scored["head"].is_right, scored["all"].is_right
    if first != last:
        case = "" if last else "lost"
    elif first:
        case = "only_top_wrong"
    else:
        case = "only_top_right" if scored["top"].is_right else "all_wrong"
    values: dict[str, Any] = {f"p_{way}": one.p_label for way, one in scored.items()}
    seen = p.section("seen", label=chosen.example.label, **values)
    p.write(f"{seen} {p.section(case)}" if case else seen)


def _leads_of(way: str, judged: Sequence[Contrast]) -> PairedLead:
    """Return the lead of a way over the head alone on the test part."""
    of_way, of_head = (
        [one.by_model[WAYS.index(name)].is_right for one in judged] for name in (way, "head")
    )
    return paired_lead(of_way, of_head)


def _say_of_the_test_part(
    p: Part, runs: dict[str, FineTuneSnapshot], judged: Sequence[Contrast]
) -> None:
    """Say what one sentence doesn't: the share of the whole test part, and who leads clearly."""
    n = len(runs["head"].data.test)
    shares = {f"share_{way}": run.result.proportion_right for way, run in runs.items()}
    trained = {f"n_{way}": run.n_trained for way, run in runs.items()}
    error = max(standard_error(share, n) for share in shares.values())
    p.say("whole", n=n, error=error, **shares, **trained)
    p.say("paired")
    leads = {way: _leads_of(way, judged) for way in ("top", "all")}
    for way, found in leads.items():
        kind = {1: "ahead", 0: "not_apart", -1: "behind"}[found.direction]
        counts = {"n_way": found.n_first, "n_head": found.n_second, "p": found.p_value}
        interval = {"difference": found.value, "low": found.low, "high": found.high}
        p.say(kind, way=p.plain(way), **counts, **interval)
    gain = "" if any(one.direction > 0 for one in leads.values()) else p.section("no_gain")
    p.write(f"{gain} {p.section('one_seed')}")


def _draw_own(p: Part, runs: dict[str, FineTuneSnapshot], text: str) -> None:
    """Draw what the runs whose weights are stored predict for the learner's own sentence."""
    said = {}
    for way, run in runs.items():
        if run.weights is not None:
            model = cache_finetuning.model(run)
            values = model.class_log_probabilities(text).exp().tolist()
            said[way] = model.classes[values.index(max(values))], values
    _draw(p, "three_ways_own", runs["head"], said, text)
    p.say_what_was_left_out(model.read(text))
