"""Why pretrain? The same task from ten, a hundred and all examples, from two different starts."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.finetuning.fine_tuned import starting_bert
from pages.parts.classification.pretraining_figure import draw
from pages.parts.classification.pretraining_words import explain
from pages.shared import cache_finetuning
from pages.shared.frame import Page
from pages.shared.parts import part
from pages.shared.source import show_source

if TYPE_CHECKING:
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

FEW, MANY = "sentiment_10", "sentiment_100"
RUNS = {  # stored runs, from few examples to all
    "pretrained": (FEW, MANY, "sentiment_top"),
    "random": (f"{FEW}_random", f"{MANY}_random", "sentiment_random"),
}
AT = 1  # the number of examples that the guess is about: the second
GUESS = "classification_pretraining_guess"


@part
def show(page: Page) -> None:
    """Ask how many examples make up for pretraining, then show six runs."""
    words = page.words
    runs = {
        start: [cache_finetuning.stored(name) for name in names] for start, names in RUNS.items()
    }
    sizes = [len(run.dataset.train) for run in runs["pretrained"]]
    n_test = len(runs["pretrained"][0].dataset.test)
    n_classes = len(runs["pretrained"][0].dataset.classes)
    st.markdown(words.section("pretraining.lead", n_classes=n_classes, n_test=n_test))
    st.markdown(words.section("pretraining.starts"))
    options = [*map(str, sizes), "more"]
    guess = st.segmented_control(
        words.label("pretraining_guess", n=sizes[AT]),
        options,
        format_func=lambda name: _option(page, name, sizes),
        key=GUESS,
        persist_state="session",
    )
    if guess is None:
        st.caption(words.section("pretraining.guess_first"))
        return
    truth = _enough(runs, sizes)
    st.markdown(
        words.section(
            "pretraining.guess_right" if guess == truth else "pretraining.guess_wrong",
            guess=_option(page, guess, sizes, plain=True),
            truth=_option(page, truth, sizes, plain=True),
        )
    )
    majority = _majority(runs["pretrained"][-1])
    draw(page, runs, majority)
    explain(page, runs, majority)
    show_source(starting_bert, key="classification_pretraining_code")


def _option(page: Page, name: str, sizes: list[int], *, plain: bool = False) -> str:
    """Return how an answer reads: a number of examples, or more than there are."""
    read = page.words.plain if plain else page.words.label
    if name == "more":
        return read("pretraining_more", n=sizes[-1])
    return read("pretraining_all" if int(name) == sizes[-1] else "pretraining_n", n=name)


def _enough(runs: "dict[str, list[FineTuneSnapshot]]", sizes: list[int]) -> str:
    """Return the fewest examples with which a random start does as well; "more" if none do."""
    wanted = runs["pretrained"][AT].tests[-1].proportion_right
    for size, run in zip(sizes, runs["random"], strict=True):
        if run.tests[-1].proportion_right >= wanted:
            return str(size)
    return "more"


def _majority(run: "FineTuneSnapshot") -> float:
    """Return the share of the test part that the most frequent class gets right."""
    from mlm_core.classification.bag_of_words import majority_class

    always, test = majority_class(run.dataset.train), run.dataset.test
    return sum(example.label == always for example in test) / len(test)
