"""Why pretrain? The same task from ten, a hundred and all examples: pretrained or not, or a bag."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.finetuning.fine_tuned import starting_bert
from mlm_core.finetuning.settings import RANDOM_LAYERS
from mlm_core.number_format import formatted
from pages.parts.classification.pretraining_figure import WAYS, draw, percent
from pages.shared.caches import cache_finetuning
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source

if TYPE_CHECKING:
    from mlm_core.evaluation.seeds import Variant
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

RUNS = {  # stored runs, from few examples to all: the first of the seeds
    "pretrained": ("sentiment_10", "sentiment_100", "sentiment_top"),
    "random": ("sentiment_10_random", "sentiment_100_random", "sentiment_random"),
}
AT = 1  # the number of examples that the guess is about: the second
GUESS = "classification_pretraining_guess"


@part
def show(page: Page) -> None:
    """Ask how many examples make up for pretraining, then show what three ways reach."""
    words = page.words
    runs = {
        start: [cache_finetuning.stored(name) for name in names] for start, names in RUNS.items()
    }
    last = runs["pretrained"][-1]
    reached = {name: _variants(name, runs["pretrained"]) for name in WAYS}
    sizes = [len(run.dataset.train) for run in runs["pretrained"]]
    st.markdown(
        words.section(
            "pretraining.lead", n_classes=len(last.dataset.classes), n_test=len(last.dataset.test)
        )
    )
    st.markdown(words.section("pretraining.starts", layers=RANDOM_LAYERS))
    options = {name: _option(page, name, sizes) for name in (*map(str, sizes), "more")}
    guess = ask_for_guess(page, "pretraining", options, key=GUESS, n=sizes[AT])
    if guess is None:
        return
    truth = _enough(reached, sizes)
    st.markdown(
        words.section(
            "pretraining.guess_right" if guess == truth else "pretraining.guess_wrong",
            guess=_option(page, guess, sizes, plain=True),
            truth=_option(page, truth, sizes, plain=True),
        )
    )
    majority = _majority(last)
    draw(page, runs, reached, majority)
    _explain(page, runs, reached, majority)
    show_source(starting_bert, key="classification_pretraining_code")


def _variants(name: str, runs: "list[FineTuneSnapshot]") -> "list[Variant]":
    """Return what a way reaches on the test part with each seed, from few examples to all."""
    from mlm_core.evaluation.seeds import Variant

    every = (cache_finetuning.shares("sentiment", WAYS[name], r.settings.n_examples) for r in runs)
    return [Variant(name=name, proportions=proportions) for proportions in every]


def _option(page: Page, name: str, sizes: list[int], *, plain: bool = False) -> str:
    """Return how an answer reads: a number of examples, or more than there are."""
    read = page.words.plain if plain else page.words.label
    if name == "more":
        return read("pretraining_more", n=formatted(sizes[-1], ","))
    key = "pretraining_all" if int(name) == sizes[-1] else "pretraining_n"
    return read(key, n=formatted(int(name), ","))


def _enough(reached: "dict[str, list[Variant]]", sizes: list[int]) -> str:
    """Return the fewest examples with which a random start does as well; "more" if none do."""
    wanted = reached["pretrained"][AT].mean
    for size, random in zip(sizes, reached["random"], strict=True):
        if random.mean >= wanted:
            return str(size)
    return "more"


def _majority(run: "FineTuneSnapshot") -> float:
    """Return the share of the test part that the most frequent class gets right."""
    return cache_finetuning.levels(run.settings.data)["majority"][0]


# What these runs say about pretraining, in words, with their own numbers.


def _explain(
    page: Page,
    runs: "dict[str, list[FineTuneSnapshot]]",
    reached: "dict[str, list[Variant]]",
    majority: float,
) -> None:
    """Say at each number of examples what pretraining is worth, and what chance may make of it."""
    words, few, most = page.words, runs["pretrained"][0], runs["random"][-1]
    n_test = len(few.dataset.test)
    for run, *three in zip(runs["pretrained"], *reached.values(), strict=True):
        _compare_at(page, _count(run.dataset.train), three, n_test)
    _say_worth(page, runs, reached)
    first, random = reached["pretrained"][0], reached["random"][-1]
    # A share no more than its margin above the most frequent class may be chance.
    is_above = first.mean > majority + first.margin(n_test)
    st.markdown(
        words.section(
            "pretraining.few_help" if is_above else "pretraining.few_fail",
            n=_count(few.dataset.train),
            share=percent(first.mean),
            majority=percent(majority),
        )
    )
    st.markdown(
        words.section(
            "pretraining.error",
            n_test=n_test,
            n_seeds=len(random.proportions),
            share=percent(random.mean),
            lowest=percent(min(random.proportions)),
            highest=percent(max(random.proportions)),
            error=formatted(100 * random.standard_error(n_test), ".1f"),
        )
    )
    _say_why(page, few, most)


def _compare_at(page: Page, n: str, three: "Sequence[Variant]", n_test: int) -> None:
    """Compare the pretrained start with the better of what knows only the labelled sentences."""
    from mlm_core.evaluation.seeds import best_of, compare

    pretrained, *others = three
    found = compare(pretrained, best_of(others), n_test)
    kind = "clear" if found.is_significant and found.difference > 0 else "unclear"
    st.markdown(
        page.words.section(
            f"pretraining.{kind}",
            n=n,
            difference=formatted(100 * found.difference, "+.1f"),
            margin=formatted(100 * found.margin, ".1f"),
            **{one.name: percent(one.mean) for one in three},
        )
    )


def _say_worth(
    page: Page, runs: "dict[str, list[FineTuneSnapshot]]", reached: "dict[str, list[Variant]]"
) -> None:
    """Say how few examples the pretrained start needs to do as well as the others with all."""
    from mlm_core.evaluation.seeds import compare

    words, last = page.words, runs["random"][-1]
    random, bag = reached["random"][-1], reached["bag"][-1]
    values = {
        "n_all": _count(last.dataset.train),
        "random": percent(random.mean),
        "bag": percent(bag.mean),
    }
    for run, variant in zip(runs["pretrained"], reached["pretrained"], strict=True):
        if variant.mean >= max(random.mean, bag.mean):
            values |= {"n": _count(run.dataset.train), "share": percent(variant.mean)}
            break
    st.markdown(
        words.section("pretraining.worth" if "n" in values else "pretraining.worthless", **values)
    )
    found = compare(random, bag, len(last.dataset.test))
    kind = "more_than_bag" if found.is_significant and found.difference > 0 else "like_bag"
    st.markdown(
        words.section(
            f"pretraining.{kind}",
            difference=formatted(100 * found.difference, "+.1f"),
            margin=formatted(100 * found.margin, ".1f"),
            **values,
        )
    )


def _say_why(page: Page, few: "FineTuneSnapshot", most: "FineTuneSnapshot") -> None:
    """Say which words of the test part the labelled sentences don't have."""
    from mlm_core.classification.errors import unseen_proportion

    unseen = [unseen_proportion(run.dataset.train, run.dataset.test) for run in (few, most)]
    st.markdown(
        page.words.section(
            "pretraining.why",
            n=_count(few.dataset.train),
            unseen=percent(unseen[0]),
            n_all=_count(most.dataset.train),
            unseen_all=percent(unseen[1]),
        )
    )


def _count(examples: Sequence[object]) -> str:
    return formatted(len(examples), ",")
