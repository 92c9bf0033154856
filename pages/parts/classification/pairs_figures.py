"""How well are pairs classified, and how far does one get without reading the first sentence?"""

from hashlib import sha256
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.charts import DotRow, dots_chart
from mlm_core.number_format import formatted
from pages.shared.caches import cache
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame import helper_work
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page

if TYPE_CHECKING:
    from mlm_core.evaluation.seeds import Variant
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.labelled.examples import Dataset
    from pages.shared.server.helper_process import Work

GUESS = "classification_pairs_guess"
GUESSES = ("chance", "some", "most")  # of what can be had above chance by the second text alone
N_WORDS = 5  # of each class
SOME, MOST = 0.05, 0.3  # above the most frequent class, as a share of the test part


def show_figures(page: Page, title: str, snapshot: "FineTuneSnapshot") -> None:
    """Ask for a guess, then show the run's accuracy beside three that need no encoder."""
    words, dataset = page.words, snapshot.dataset
    n = len(dataset.test)
    st.markdown(words.section("pairs.figures", n=n))
    if snapshot.settings.data == "entailment":
        st.markdown(words.section("pairs.balanced"))
    guess = ask_for_guess(page, "pairs", GUESSES, key=GUESS)
    if guess is None:
        return
    found = helper_work.asked(
        lambda: cache.remembered(_name(snapshot), lambda: _baselines(dataset)), "sklearn"
    )
    if found is None:
        return
    shares, heavy = found.proportions_right, found.heaviest
    lead = shares["second"] - shares["majority"]
    truth = "most" if lead > MOST else "some" if lead > SOME else "chance"
    st.markdown(
        words.section(
            "pairs.guess_right" if guess == truth else "pairs.guess_wrong",
            guess=words.plain(f"pairs_guess_{guess}"),
            second=_percent(shares["second"]),
            majority=_percent(shares["majority"]),
        )
    )
    variants = _variants({"run": snapshot.result.proportion_right, **shares})
    _draw(page, title, variants, n)
    _explain(page, variants, n)
    st.markdown(words.section("pairs.betray"))
    Table(
        {
            words.plain("pairs_class"): list(heavy),
            words.plain("pairs_words"): [", ".join(of) for of in heavy.values()],
        }
    ).show()


def _name(snapshot: "FineTuneSnapshot") -> str:
    """Return what the baselines depend on: the examples that the run learnt from."""
    settings = snapshot.settings
    own = sha256((settings.own_data or "").encode()).hexdigest()
    return (
        f"classification pairs {settings.data} {own} {settings.n_examples}"
        f" {settings.seed if settings.n_examples else ''}"
    )


def _baselines(dataset: "Dataset") -> "Work":
    """Return the work on three proportions right, and the second text's telling words."""
    from mlm_core.classification.bag_of_words import pair_baselines
    from pages.shared.server.helper_process import Work

    return Work(pair_baselines, dataset.train, dataset.test, N_WORDS)


def _variants(shares: dict[str, float]) -> "dict[str, Variant]":
    from mlm_core.evaluation.seeds import Variant

    return {name: Variant(name=name, proportions=(share,)) for name, share in shares.items()}


# What the accuracies on pairs say: a figure, and its meaning in words.


def _draw(page: Page, title: str, variants: "dict[str, Variant]", n: int) -> None:
    """Draw the run's accuracy and those of what it is compared with."""
    words = page.words
    names = {name: words.plain(f"pairs_row_{name}") for name in variants}
    rows = [
        DotRow(name=names[name], values=(one.mean,), errors=(one.standard_error(n),))
        for name, one in variants.items()
    ]
    alt = ", ".join(f"{names[name]} {formatted(one.mean, '.2f')}" for name, one in variants.items())
    show_chart(
        dots_chart(
            rows,
            (words.plain("pairs_accuracy"),),
            low=0.0,
            high=1.0,
            x_title=words.plain("pairs_axis"),
        ),
        key="classification_pairs_figures",
        alt=words.plain("pairs_figures_alt", figures=alt),
        table=Table(
            {
                "classified_by": list(names.values()),
                "accuracy": [one.mean for one in variants.values()],
                "standard_error": [one.standard_error(n) for one in variants.values()],
            }
        ),
        source=words.label("pairs_figures_source", run=title, n=n),
    )


def _explain(page: Page, variants: "dict[str, Variant]", n: int) -> None:
    """Say whether the run is better than the second text's bag by more than chance makes."""
    from mlm_core.evaluation.seeds import compare

    words = page.words
    found = compare(variants["run"], variants["second"], n)
    is_better = found.is_significant and found.difference > 0
    st.markdown(
        words.section(
            "pairs.able" if is_better else "pairs.weak",
            run=_percent(variants["run"].mean),
            second=_percent(variants["second"].mean),
            majority=_percent(variants["majority"].mean),
            difference=formatted(100 * found.difference, "+.0f"),
            margin=formatted(100 * found.margin, ".0f"),
            n=n,
        )
    )
    st.markdown(words.section("pairs.both", both=_percent(variants["both"].mean)))


def _percent(share: float) -> str:
    """Return a share as whole per cent."""
    return f"{formatted(100 * share, '.0f')}\u00a0%"
