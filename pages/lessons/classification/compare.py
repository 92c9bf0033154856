"""Which layers, which vector? Three seeds of each way to train, next to what needs no encoder."""

from typing import Any

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.evaluation.seeds import Difference, Variant, best_of, compare, standard_error
from mlm_core.figures.finetuning.classification_variants import Mark, VariantRow, variants_chart
from mlm_core.finetuning.settings import RANDOM_LAYERS, Data
from mlm_core.finetuning.snapshot import FineTuneTest
from mlm_core.number_format import formatted
from mlm_core.stored.finetune_figures import Figure, variant_of
from pages.kit.caches import cache_finetuning
from pages.kit.part import Part, Table, part
from pages.kit.training import finetune_runs
from pages.lessons.classification import computed

# In the order of the figure: from what knows least to what was trained most.
BASELINES = ("majority", "by_rule", "bag_of_words")
TRAINED = ("exchanged", "random", "head", "cls", "top", "eight", "all")
MARKS = ("seed", "baseline", "own")
# What a reader asks first; a task shows those of which it has both.
QUESTIONS = (
    ("head", "bag_of_words"),
    ("head", "by_rule"),
    ("top", "head"),
    ("eight", "top"),
    ("all", "top"),
    ("cls", "top"),
    ("top", "random"),
    ("eight", "exchanged"),
    ("top", "bag_of_words"),
    ("top", "by_rule"),
    ("random", "bag_of_words"),
)
# These heads read every token: no vector is chosen.
OF_TOKENS = {
    "passages": ("head", "top", "eight", "all"),
    "entities": ("head", "top", "eight", "all", "majority"),
}


@part()
def show(p: Part) -> None:
    """Ask for a guess; then show the figures of a task, and which differences count."""
    task = _task(p)
    figures = [
        one for one in cache_finetuning.figures() if one.task == task and one.n_examples is None
    ]
    measure = "f1" if task == "entities" else "proportion_right"
    names, variants, table = {}, {}, []
    for name in (*BASELINES, *TRAINED):
        found = [one for one in figures if one.variant == name]
        if found:
            kind = "token_variant" if name in OF_TOKENS.get(task, ()) else "variant"
            names[name] = p.plain(f"{kind}_{name}")
            variants[name] = variant_of(name, found, measure)
            table += [_entry(names[name], one.seed, one) for one in found]
    # A guess for each task is kept.
    task_name = p.label(f"task_{task}")
    guess = p.guess("compare", names, key=f"compare_guess_{task}", rows=len(names), task=task_name)
    if guess is None:
        return
    _say_best(p, task, names, variants, guess)
    n = len(cache_finetuning.dataset(task).test)
    # Entities are no independent trials: only their differences have a margin, by a bootstrap.
    n_trials = n if measure == "proportion_right" else None
    _draw_variants(p, task, names, variants, table, n_trials, n)
    asked = [[variants[one] for one in pair] for pair in QUESTIONS if set(pair) <= set(variants)]
    _show_verdicts(p, names, [_compare(task, *pair) for pair in asked], n_trials, n)
    if "exchanged" in variants:
        p.say("exchanged")
    p.say("notice", layers=RANDOM_LAYERS)
    p.code("compare", compare)


def _say_best(
    p: Part, task: Data, names: dict[str, str], variants: dict[str, Variant], guess: str
) -> None:
    """Say who has the highest mean, and who is not shown to differ from it."""
    best = best_of(list(variants.values()))
    p.tell_right("compare", best.name)
    p.say(
        "right" if guess == best.name else "wrong",
        guess=names[guess],
        best=names[best.name],
        guess_share=variants[guess].mean,
        best_share=best.mean,
    )
    apart = [_compare(task, best, one) for one in variants.values() if one is not best]
    alike = [names[one.second.name] for one in apart if not one.is_significant]
    if alike:
        p.say("alike", names="; ".join(alike))


def _task(p: Part) -> Data:
    p.say("lead")
    finetune_runs.say_if_english(p)
    return p.choice("compare_task")


def _entry(name: str, seed: int | None, scores: Figure | FineTuneTest) -> dict[str, Any]:
    """Return a row of the table: a stored figure, or the test of a learner's run."""
    measures = {"proportion_right": scores.proportion_right, "f1": scores.f1}
    return {"variant": name, "seed": seed} | measures


def _draw_variants(
    p: Part,
    task: str,
    names: dict[str, str],
    variants: dict[str, Variant],
    table: list[dict[str, Any]],
    n_trials: int | None,
    n: int,
) -> None:
    """Draw the stored figures and the learner's own runs; the table has both measures."""

    def row(name: str, variant: Variant, mark: Mark) -> VariantRow:
        margin = None if n_trials is None else variant.margin(n_trials)
        values, mean = variant.proportions, variant.mean
        return VariantRow(name=name, values=values, mean=mean, margin=margin, mark=mark)

    seeds = sorted({one["seed"] for one in table} - {None})
    rows = [
        row(names[name], variant, "baseline" if name in BASELINES else "seed")
        for name, variant in variants.items()
    ]
    for run in finetune_runs.MINE.all():
        if run.settings.data == task:
            finetune_runs.MINE.look(run)
            if run.seen is not None and run.seen.tests:
                test, title = run.seen.result, finetune_runs.title_of(run, with_data=False)
                share = test.proportion_right if n_trials is not None else test.f1
                rows.append(row(title, Variant(name=title, proportions=(share,)), "own"))
                table = [*table, _entry(title, run.settings.seed, test)]
    measure = p.plain(f"measure_{task}")
    legend: dict[Mark, str] = {mark: p.plain(f"mark_{mark}") for mark in MARKS}
    about: dict[str, Any] = {
        "measure": measure,
        "told": ", ".join(f"{one.name} {formatted(100 * one.mean, '.1f')} %" for one in rows),
        "model": BUNDLED,
        "n": n,
        "seeds": ", ".join(map(str, seeds)),
    }
    p.figure("compare", variants_chart(rows, legend=legend, x_title=measure), table, **about)


def _compare(task: Data, first: Variant, second: Variant) -> Difference:
    error = computed.error_of_lead(first.name, second.name) if task == "entities" else None
    return compare(first, second, error)


def _show_verdicts(
    p: Part, names: dict[str, str], found: list[Difference], n_trials: int | None, n: int
) -> None:
    """List which differences between variants are larger than chance may make."""
    rows = [
        [
            f"{names[each.first.name]} − {names[each.second.name]}",
            formatted(100 * each.difference, "+.2f"),
            f"±{formatted(100 * each.margin, '.2f')}",
            p.plain("verdict_yes" if each.is_significant else "verdict_no"),
        ]
        for each in found
    ]
    columns = ("verdict_pair", "verdict_points", "verdict_margin", "verdict")
    with p.fold("differences", "balance"):
        p.say("error" if n_trials else "entities", n=n, error=standard_error(0.5, n))
        Table(rows, [p.plain(name) for name in columns]).show()
        p.say("counted", yes=sum(each.is_significant for each in found), n=len(found))
        if n_trials:
            p.say("paired")
