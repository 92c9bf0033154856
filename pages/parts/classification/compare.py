"""Which layers, which vector? Three seeds of each way to train, beside what needs no encoder."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.parts.classification.compare_figure import BASELINES, draw_variants
from pages.parts.classification.compare_names import variant_name
from pages.parts.classification.compare_verdicts import show_verdicts
from pages.shared import cache_finetuning, inputs
from pages.shared.frame import Page
from pages.shared.parts import part
from pages.shared.source import show_source

if TYPE_CHECKING:
    from mlm_core.classroom.finetune_figures import Figure
    from mlm_core.evaluation.seeds import Variant

TASKS = ("sentiment", "entailment", "passages", "entities")
# In the order of the figure: from what knows least to what was trained most.
TRAINED = ("random", "head", "cls", "top", "all")


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
    guess = st.segmented_control(
        words.label("compare_guess", task=names[task]),
        list(by_name),
        format_func=lambda name: variant_name(page, task, name),
        key=f"classification_compare_guess_{task}",
        persist_state="session",
        wrap=True,
    )
    if guess is None:
        st.caption(words.section("compare.guess_first"))
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
    draw_variants(page, task, by_name, variants, n_trials, n)
    if n_trials is None:
        st.markdown(words.section("compare.entities", n=n))
    else:
        show_verdicts(page, task, variants, n_trials)
    st.markdown(words.section("compare.notice"))
    show_source(compare_all, key="classification_compare_code")


def _by_name(figures: "list[Figure]") -> "dict[str, list[Figure]]":
    """Return the figures of each variant that the task has, in the order of the drawing."""
    found = {
        name: [one for one in figures if one.variant == name] for name in (*BASELINES, *TRAINED)
    }
    return {name: rows for name, rows in found.items() if rows}


def _answer(
    page: Page, task: str, variants: "dict[str, Variant]", guess: str, best: "Variant"
) -> str:
    words = page.words
    return words.section(
        "compare.right" if guess == best.name else "compare.wrong",
        guess=variant_name(page, task, guess),
        best=variant_name(page, task, best.name),
        guess_share=formatted(100 * variants[guess].mean, ".1f"),
        best_share=formatted(100 * best.mean, ".1f"),
    )
