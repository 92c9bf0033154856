"""Which layers, which vector? Three seeds of each way to train, beside what needs no encoder."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.finetuning.classification_variants import VariantRow, variants_svg
from mlm_core.finetuning.settings import RANDOM_LAYERS
from mlm_core.number_format import formatted
from pages.shared.caches import cache_finetuning
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs
from pages.shared.training import finetune_runs

if TYPE_CHECKING:
    from mlm_core.classroom.finetunes.finetune_figures import Figure
    from mlm_core.evaluation.seeds import Variant

TASKS = ("sentiment", "entailment", "passages", "entities")
# In the order of the figure: from what knows least to what was trained most.
TRAINED = ("exchanged", "random", "head", "cls", "top", "eight", "all")
BASELINES = ("majority", "by_rule", "bag_of_words")
# What a reader asks first; a task shows those of which it has both.
QUESTIONS = (
    ("head", "majority"),
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


@part
def show(page: Page) -> None:
    """Ask for a guess; then show the figures of a task, and which differences count."""
    from mlm_core.evaluation.seeds import Variant, best_of, compare_all

    words = page.words
    st.markdown(words.section("compare.lead"))
    names = {task: words.label(f"compare_task_{task}") for task in TASKS}
    task = inputs.choice(words.label("compare_task"), names, key="classification_compare_task")
    figures = [one for one in cache_finetuning.figures() if one.task == task]
    by_name = _by_name(figures)
    options = {name: _variant_name(page, task, name) for name in by_name}
    key = f"classification_compare_guess_{task}"
    guess = ask_for_guess(page, "compare", options, key=key, task=names[task])
    if guess is None:
        return
    n = len(cache_finetuning.dataset(task).test)
    measure = "f1" if task == "entities" else "proportion_right"
    variants = {
        name: Variant(name=name, proportions=tuple(getattr(one, measure) for one in found))
        for name, found in by_name.items()
    }
    best = best_of(list(variants.values()))
    st.markdown(_answer(page, task, variants, guess, best))
    # Entities are no independent trials: their margin is the next lesson's bootstrap.
    n_trials = n if measure == "proportion_right" else None
    _draw_variants(page, task, by_name, variants, n_trials, n)
    if n_trials is None:
        st.markdown(words.section("compare.entities", n=n))
    else:
        _show_verdicts(page, task, variants, n_trials)
    if "exchanged" in by_name:
        st.markdown(words.section("compare.exchanged"))
    st.markdown(words.section("compare.notice", layers=RANDOM_LAYERS))
    show_source(compare_all, key="classification_compare_code")


def _by_name(figures: "list[Figure]") -> "dict[str, list[Figure]]":
    """Return the figures of each variant that the task has, in the order of the drawing."""
    found = {
        name: [one for one in figures if (one.variant, one.n_examples) == (name, None)]
        for name in (*BASELINES, *TRAINED)
    }
    return {name: rows for name, rows in found.items() if rows}


def _answer(
    page: Page, task: str, variants: "dict[str, Variant]", guess: str, best: "Variant"
) -> str:
    words = page.words
    return words.section(
        "compare.right" if guess == best.name else "compare.wrong",
        guess=_variant_name(page, task, guess),
        best=_variant_name(page, task, best.name),
        guess_share=formatted(100 * variants[guess].mean, ".1f"),
        best_share=formatted(100 * best.mean, ".1f"),
    )


# The stored figures of a task as dots, with the learner's own runs under them.


def _draw_variants(
    page: Page,
    task: str,
    by_name: "dict[str, list[Figure]]",
    variants: "dict[str, Variant]",
    n_trials: int | None,
    n: int,
) -> None:
    """Draw the stored figures and the learner's own runs; the table has both measures."""
    from mlm_core.encoder.model_list import BUNDLED

    words = page.words
    own, own_table = _own_rows(page, task, n_trials)
    rows = [
        VariantRow(
            name=_variant_name(page, task, name),
            values=variant.proportions,
            mean=variant.mean,
            margin=None if n_trials is None else variant.margin(n_trials),
            mark="baseline" if name in BASELINES else "seed",
        )
        for name, variant in variants.items()
    ]
    title = words.plain(f"compare_measure_{task}")
    told = ", ".join(f"{row.name} {formatted(100 * row.mean, '.1f')} %" for row in [*rows, *own])
    show_drawing(
        variants_svg(
            [*rows, *own],
            legend={
                mark: words.plain(f"compare_mark_{mark}") for mark in ("seed", "baseline", "own")
            },
            x_title=title,
            alt=words.plain("compare_alt", measure=title, told=told),
        ),
        key="classification_compare",
        table=Table(
            [
                {
                    "variant": _variant_name(page, task, name),
                    "seed": one.seed,
                    "proportion_right": one.proportion_right,
                    "f1": one.f1,
                }
                for name, found in by_name.items()
                for one in found
            ]
            + own_table
        ),
        source=words.label("compare_source", model=BUNDLED, n=n, seeds=_seeds(by_name)),
    )


def _seeds(by_name: "dict[str, list[Figure]]") -> str:
    seeds = {one.seed for found in by_name.values() for one in found if one.seed is not None}
    return ", ".join(map(str, sorted(seeds)))


# The learner's own fine-tunings as rows beside the stored figures.


def _own_rows(
    page: Page, task: str, n_trials: int | None
) -> tuple[list[VariantRow], list[dict[str, object]]]:
    """Return the learner's runs on a task that were tested: for the drawing, and for its table."""
    from mlm_core.evaluation.seeds import Variant

    rows, table = [], []
    for run in finetune_runs.MINE.all():
        if run.settings.data != task:
            continue
        finetune_runs.MINE.look(run)
        if run.seen is None or not run.seen.tests:
            continue
        test, title = run.seen.result, finetune_runs.title_of(run, with_data=False)
        share = test.proportion_right if n_trials is not None else test.f1
        variant = Variant(name=title, proportions=(share,))
        rows.append(
            VariantRow(
                name=title,
                values=variant.proportions,
                mean=variant.mean,
                margin=None if n_trials is None else variant.margin(n_trials),
                mark="own",
            )
        )
        table.append(
            {
                "variant": title,
                "seed": run.settings.seed,
                "proportion_right": test.proportion_right,
                "f1": test.f1,
            }
        )
    return rows, table


# Which differences between variants are larger than chance may make.


def _show_verdicts(page: Page, task: str, variants: "dict[str, Variant]", n: int) -> None:
    """List the pairs with their difference, its margin, and the verdict in words."""
    from mlm_core.evaluation.seeds import compare, standard_error

    words = page.words
    st.markdown(
        words.section("compare.error", n=n, error=formatted(100 * standard_error(0.5, n), ".1f"))
    )
    asked = [pair for pair in QUESTIONS if set(pair) <= set(variants)]
    found = [compare(variants[first], variants[second], n) for first, second in asked]
    Table(
        [
            {
                words.plain("compare_verdict_pair"): " − ".join(
                    _variant_name(page, task, one.name) for one in (each.first, each.second)
                ),
                words.plain("compare_verdict_points"): _points(each.difference),
                words.plain("compare_verdict_margin"): f"±{formatted(100 * each.margin, '.1f')}",
                words.plain("compare_verdict"): words.plain(
                    "compare_verdict_yes" if each.is_significant else "compare_verdict_no"
                ),
            }
            for each in found
        ]
    ).show()
    n_yes = sum(each.is_significant for each in found)
    st.markdown(words.section("compare.counted", yes=n_yes, n=len(found)))


def _points(share: float) -> str:
    return formatted(100 * share, "+.1f")


# What the ways to train are called, task by task.


def _variant_name(page: Page, task: str, name: str) -> str:
    """Return the name of a way to train for readers."""
    kind = "token_variant" if name in OF_TOKENS.get(task, ()) else "variant"
    return page.words.plain(f"compare_{kind}_{name}")
