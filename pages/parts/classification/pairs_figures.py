"""How well are pairs classified, and how far does one get without reading the first sentence?"""

from hashlib import sha256
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.classification.pairs_verdict import draw, explain, percent
from pages.shared import cache
from pages.shared.frame import Page
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.evaluation.seeds import Variant
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.labelled.examples import Dataset

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
    guess = st.segmented_control(
        words.label("pairs_guess"),
        GUESSES,
        format_func=lambda name: words.label(f"pairs_guess_{name}"),
        key=GUESS,
        persist_state="session",
    )
    if guess is None:
        st.caption(words.section("pairs.guess_first"))
        return
    with st.spinner(words.label("pairs_fitting"), show_time=True):
        shares, heavy = cache.remembered(_name(snapshot), lambda: _baselines(dataset))
    lead = shares["second"] - shares["majority"]
    truth = "most" if lead > MOST else "some" if lead > SOME else "chance"
    st.markdown(
        words.section(
            "pairs.guess_right" if guess == truth else "pairs.guess_wrong",
            guess=words.plain(f"pairs_guess_{guess}"),
            second=percent(shares["second"]),
            majority=percent(shares["majority"]),
        )
    )
    variants = _variants({"run": snapshot.tests[-1].proportion_right, **shares})
    draw(page, title, variants, n)
    explain(page, variants, n)
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


def _baselines(dataset: "Dataset") -> tuple[dict[str, float], dict[str, list[str]]]:
    """Return three shares right, and the words that weigh most in the second text's bag."""
    from mlm_core.classification.bag_of_words import fit_bag_of_words, majority_class
    from mlm_core.classification.pair_order import heaviest_words, second_only
    from mlm_core.finetuning.scores import score_classes

    train, test = dataset.train, dataset.test
    bags = {"both": fit_bag_of_words(train), "second": fit_bag_of_words(second_only(train))}
    said = {
        "both": bags["both"].says(test),
        "second": bags["second"].says(second_only(test)),
        "majority": [majority_class(train)] * len(test),
    }
    labels = [example.label for example in test]
    shares = {name: score_classes(labels, of).proportion_right for name, of in said.items()}
    return shares, heaviest_words(bags["second"], N_WORDS)


def _variants(shares: dict[str, float]) -> "dict[str, Variant]":
    from mlm_core.evaluation.seeds import Variant

    return {name: Variant(name=name, proportions=(share,)) for name, share in shares.items()}
