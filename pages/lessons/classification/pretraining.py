"""Why pretrain? The same task from ten, a hundred and all examples: pretrained or not, or a bag."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from mlm_core.classification.errors import unseen_proportion
from mlm_core.evaluation.seeds import Variant, best_of, compare
from mlm_core.figures.charts import lines_chart, log_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.finetuning.fine_tuned import starting_bert
from mlm_core.finetuning.settings import RANDOM_LAYERS
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part, part
from pages.lessons.classification import computed

Runs = dict[str, list[FineTuneSnapshot]]  # by way, from few examples to all
Reached = dict[str, list[Variant]]  # what they reach on the test part, with each seed

# How the stored figures name what is compared.
WAYS = {"pretrained": "top", "random": "random", "bag": "bag_of_words"}
RUNS = {  # stored runs on a language's data, from few examples to all: the first of the seeds
    "pretrained": ("10", "100", "top"),
    "random": ("10_random", "100_random", "random"),
}
AT = 1  # the number of examples that the guess is about: the second


@part()
def show(p: Part) -> None:
    """Ask how many examples make up for pretraining, then show what three ways reach."""
    task = cache_finetuning.sentiment(p.slug)
    runs = {
        start: [cache_finetuning.stored(f"{task}_{name}") for name in names]
        for start, names in RUNS.items()
    }
    numbers = [run.settings.n_examples for run in runs["pretrained"]]
    reached = {
        name: [computed.variant(task, way, number) for number in numbers]
        for name, way in WAYS.items()
    }
    data = runs["pretrained"][-1].data
    p.say("lead", n_classes=len(data.classes), n_test=len(data.test))
    p.say("starts", layers=RANDOM_LAYERS)
    sizes = [len(run.data.train) for run in runs["pretrained"]]
    options = {str(n): p.label("n", n=n) for n in sizes[:-1]}
    options |= {str(sizes[-1]): p.label("all", n=sizes[-1]), "more": p.label("more", n=sizes[-1])}
    guess = p.guess("pretraining", options, rows=6, n=sizes[AT])
    if guess is None:
        return
    wanted = reached["pretrained"][AT].mean
    enough = zip(sizes, reached["random"], strict=True)
    truth = next((str(n) for n, random in enough if random.mean >= wanted), "more")
    p.tell_right("pretraining", truth)
    kind = "guess_right" if guess == truth else "guess_wrong"
    p.say(kind, guess=options[guess], truth=options[truth])
    majority = cache_finetuning.levels(task)["majority"][0]
    drawn, said = p.columns(3, 2)
    with drawn:
        _draw(p, runs, reached, majority)
    _explain(p, runs, reached, said)
    p.code("pretraining", starting_bert)


def _draw(p: Part, runs: Runs, reached: Reached, majority: float) -> None:
    """Draw a line for each way, over the level of the most frequent class."""
    last = runs["pretrained"][-1]
    n_test, sizes = len(last.data.test), [len(run.data.train) for run in runs["pretrained"]]
    curves = {
        name: Curve(
            name=p.plain(name, layers=RANDOM_LAYERS),
            points=[(n, one.mean) for n, one in zip(sizes, variants, strict=True)],
            errors=[one.standard_error(n_test) for one in variants],
            pen=pen,
            dots=True,
        )
        for pen, (name, variants) in enumerate(reached.items())
    }
    chart = lines_chart(
        list(curves.values()),
        levels=[Level(name=p.plain("majority"), value=majority)],
        x_title=p.plain("x"),
        y_title=p.plain("y"),
        x_axis=log_axis(sizes),
        y_axis={"range": [0, 1]},
    )
    about: dict[str, Any] = {"majority": majority, "n_test": n_test, "layers": RANDOM_LAYERS}
    about["n_seeds"] = len(reached["pretrained"][-1].proportions)
    for name, variants in reached.items():
        about |= {f"{name}_few": variants[0].mean, name: variants[-1].mean}
    table = [
        row
        for name, curve in curves.items()
        for row in _rows(curve, reached[name], runs.get(name, [None] * len(sizes)))
    ]
    p.figure("pretraining_figure", chart, table, model=last.settings.model, **about)


def _rows(
    curve: Curve, variants: list[Variant], runs: Sequence[FineTuneSnapshot | None]
) -> list[dict[str, object]]:
    """Return the table's rows of a line; a bag of words has no run."""
    return [
        {
            "start": curve.name,
            "examples": n,
            "proportion_right": one.mean,
            "standard_error": error,
            "lowest": min(one.proportions),
            "highest": max(one.proportions),
            "seeds": len(one.proportions),
            "epochs": run and run.settings.n_epochs,
            "trained_numbers": run and run.n_trained,
        }
        for (n, _), error, one, run in zip(curve.points, curve.errors, variants, runs, strict=True)
    ]


# What these runs say about pretraining, in words, with their own numbers.


def _explain(p: Part, runs: Runs, reached: Reached, at_figure: AbstractContextManager) -> None:
    """Say at each number of examples what pretraining is worth, and what chance may make of it.

    What the points of the figure say is written into `at_figure`.
    """
    n_test = len(runs["pretrained"][0].data.test)
    sizes = [len(run.data.train) for run in runs["pretrained"]]
    is_shown = False
    for n, *three in zip(sizes, *reached.values(), strict=True):
        # With the better of what knows only the labelled sentences.
        found = compare(three[0], best_of(three[1:]))
        kind = {1: "clear", 0: "unclear", -1: "worse"}[found.direction]
        is_shown = is_shown or kind == "clear"
        means = {name: one.mean for name, one in zip(reached, three, strict=True)}
        with at_figure:
            p.say(kind, n=n, difference=found.difference, margin=found.margin, **means)
    if is_shown:
        _explain_gain(p, runs, reached, sizes)
    else:
        p.say("not_shown", n_test=n_test)
        head = computed.variant(cache_finetuning.sentiment(p.slug), "head")
        found = compare(head, best_of([reached["random"][-1], reached["bag"][-1]]))
        if found.direction > 0:
            told = {"difference": found.difference, "margin": found.margin}
            p.say("head_leads", n=sizes[-1], head=head.mean, **told)
    with p.fold("exact", "straighten"):
        _show_margins(p, reached["random"][-1], n_test)


def _explain_gain(p: Part, runs: Runs, reached: Reached, sizes: Sequence[int]) -> None:
    """Say what pretraining is worth, where a gain is larger than chance may make it, and why."""
    test = runs["pretrained"][0].data.test
    random, bag = reached["random"][-1], reached["bag"][-1]
    at_all = {"n_all": sizes[-1], "random": random.mean, "bag": bag.mean}
    # How few examples the pretrained start needs to do as well as the others with all.
    best, pretrained = best_of([random, bag]), zip(sizes, reached["pretrained"], strict=True)
    enough = [(n, one) for n, one in pretrained if one.mean >= best.mean]
    if enough:
        n, few = enough[0]
        found = compare(few, best)
        kind = "worth_shown" if found.is_significant else "worth_not_shown"
        more = p.section(kind, difference=found.difference, margin=found.margin)
        p.write(f"{p.section('worth', n=n, share=few.mean, **at_all)} {more}")
    else:
        p.say("worthless", **at_all)
    found = compare(random, bag)
    kind = "more_than_bag" if found.direction > 0 else "like_bag"
    p.say(kind, difference=found.difference, margin=found.margin, **at_all)
    few, most = runs["pretrained"][0].data.train, runs["random"][-1].data.train
    unseen, unseen_all = (unseen_proportion(train, test) for train in (few, most))
    with p.fold("why", "help"):
        p.say("why", n=len(few), unseen=unseen, n_all=len(most), unseen_all=unseen_all)


def _show_margins(p: Part, random: Variant, n_test: int) -> None:
    """Say how exact the means are, and how the settings were chosen."""
    p.say(
        "error",
        n_test=n_test,
        n_seeds=len(random.proportions),
        share=random.mean,
        lowest=min(random.proportions),
        highest=max(random.proportions),
        error=random.standard_error(n_test),
    )
    limits, repeated = p.section("limits"), p.section("repeated")
    if not p.reads_first:
        p.write(f"{limits} {p.section('taken', layers=RANDOM_LAYERS)} {repeated}")
        return
    # On dev: a random start with its layers, and with the most that were tried.
    tried = [one for one in cache_finetuning.choices() if one.way == "random"]
    best = {one.n_read_layers: one for one in sorted(tried, key=lambda one: one.f1)}
    deeper = max(best)
    dev, dev_deeper = (best[n].proportion_right for n in (RANDOM_LAYERS, deeper))
    told = {"dev": dev, "deeper": deeper, "dev_deeper": dev_deeper}
    p.write(f"{limits} {p.section('chosen', layers=RANDOM_LAYERS, **told)} {repeated}")
