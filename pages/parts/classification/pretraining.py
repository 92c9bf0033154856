"""Why pretrain? The same task from ten, a hundred and all examples, from two different starts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.charts import lines_chart, log_axis
from mlm_core.figures.curves import Curve, Level
from mlm_core.finetuning.fine_tuned import starting_bert
from mlm_core.number_format import formatted
from pages.shared.caches import cache_finetuning
from pages.shared.figures.show import show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source

if TYPE_CHECKING:
    from mlm_core.evaluation.seeds import Difference
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
    options = {name: _option(page, name, sizes) for name in (*map(str, sizes), "more")}
    guess = ask_for_guess(page, "pretraining", options, key=GUESS, n=sizes[AT])
    if guess is None:
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
    _draw(page, runs, majority)
    _explain(page, runs, majority)
    show_source(starting_bert, key="classification_pretraining_code")


def _option(page: Page, name: str, sizes: list[int], *, plain: bool = False) -> str:
    """Return how an answer reads: a number of examples, or more than there are."""
    read = page.words.plain if plain else page.words.label
    if name == "more":
        return read("pretraining_more", n=formatted(sizes[-1], ","))
    key = "pretraining_all" if int(name) == sizes[-1] else "pretraining_n"
    return read(key, n=formatted(int(name), ","))


def _enough(runs: "dict[str, list[FineTuneSnapshot]]", sizes: list[int]) -> str:
    """Return the fewest examples with which a random start does as well; "more" if none do."""
    wanted = runs["pretrained"][AT].result.proportion_right
    for size, run in zip(sizes, runs["random"], strict=True):
        if run.result.proportion_right >= wanted:
            return str(size)
    return "more"


def _majority(run: "FineTuneSnapshot") -> float:
    """Return the share of the test part that the most frequent class gets right."""
    from mlm_core.classification.bag_of_words import majority_class

    always, test = majority_class(run.dataset.train), run.dataset.test
    return sum(example.label == always for example in test) / len(test)


# Six runs in one figure: share right over the number of examples, from two starts.


def _draw(page: Page, runs: "dict[str, list[FineTuneSnapshot]]", majority: float) -> None:
    """Draw a line for each start, over the level of the most frequent class."""
    words = page.words
    curves = {
        start: _curve(words.plain(f"pretraining_{start}"), pen, of)
        for pen, (start, of) in enumerate(runs.items())
    }
    sizes = [n for n, _ in curves["pretrained"].points]
    ends = {start: formatted(curve.points[-1][1], ".2f") for start, curve in curves.items()}
    begins = {
        f"{start}_few": formatted(curve.points[0][1], ".2f") for start, curve in curves.items()
    }
    last = runs["pretrained"][-1]
    show_chart(
        lines_chart(
            list(curves.values()),
            levels=[Level(name=words.plain("pretraining_majority"), value=majority)],
            x_title=words.plain("pretraining_x"),
            y_title=words.plain("pretraining_y"),
            x_axis=log_axis(sizes),
            y_axis={"range": [0, 1]},
        ),
        key="classification_pretraining_figure",
        alt=words.plain("pretraining_alt", **ends, **begins, majority=formatted(majority, ".2f")),
        table=Table(
            [
                {
                    "start": curve.name,
                    "examples": n,
                    "proportion_right": proportion,
                    "standard_error": error,
                    "epochs": run.settings.n_epochs,
                    "trained_numbers": run.n_trained,
                }
                for start, curve in curves.items()
                for (n, proportion), error, run in zip(
                    curve.points, curve.errors, runs[start], strict=True
                )
            ]
        ),
        source=words.label(
            "pretraining_source",
            model=last.settings.model,
            n_test=len(last.dataset.test),
            seed=last.settings.seed,
        ),
    )
    st.caption(words.section("pretraining.limits"))


def _curve(name: str, pen: int, runs: "list[FineTuneSnapshot]") -> Curve:
    """Return each run's share right by its number of examples, with the standard errors."""
    from mlm_core.evaluation.seeds import standard_error

    shares = [run.result.proportion_right for run in runs]
    return Curve(
        name=name,
        points=[(len(run.dataset.train), share) for run, share in zip(runs, shares, strict=True)],
        errors=[
            standard_error(share, len(run.dataset.test))
            for run, share in zip(runs, shares, strict=True)
        ],
        pen=pen,
        dots=True,
    )


# What six runs say about pretraining, in words, with their own numbers.


def _explain(page: Page, runs: "dict[str, list[FineTuneSnapshot]]", majority: float) -> None:
    """Say at each number of examples what pretraining is worth, and what chance may make of it."""
    from mlm_core.classification.errors import unseen_proportion
    from mlm_core.evaluation.seeds import standard_error

    words = page.words
    for pretrained, random in zip(runs["pretrained"], runs["random"], strict=True):
        found = _difference(pretrained, random)
        kind = "clear" if found.is_significant and found.difference > 0 else "unclear"
        st.markdown(
            words.section(
                f"pretraining.{kind}",
                n=_count(pretrained.dataset.train),
                pretrained=_percent(found.first.mean),
                random=_percent(found.second.mean),
                difference=formatted(100 * found.difference, "+.0f"),
                margin=formatted(100 * found.margin, ".0f"),
            )
        )
    _say_worth(page, runs)
    few, most = runs["pretrained"][0], runs["random"][-1]
    share_few, share_most = few.result.proportion_right, most.result.proportion_right
    n_test = len(few.dataset.test)
    # A share no more than two standard errors above the most frequent class may be chance.
    is_above = share_few > majority + 2 * standard_error(share_few, n_test)
    st.markdown(
        words.section(
            "pretraining.few_help" if is_above else "pretraining.few_fail",
            n=_count(few.dataset.train),
            share=_percent(share_few),
            majority=_percent(majority),
        )
    )
    st.markdown(
        words.section(
            "pretraining.error",
            n_test=n_test,
            error=formatted(100 * standard_error(share_most, n_test), ".1f"),
            share=_percent(share_most),
        )
    )
    unseen = [unseen_proportion(run.dataset.train, run.dataset.test) for run in (few, most)]
    st.markdown(
        words.section(
            "pretraining.why",
            n=_count(few.dataset.train),
            unseen=_percent(unseen[0]),
            n_all=_count(most.dataset.train),
            unseen_all=_percent(unseen[1]),
        )
    )


def _say_worth(page: Page, runs: "dict[str, list[FineTuneSnapshot]]") -> None:
    """Say how few examples the pretrained start needs to do as well as a random one with all."""
    most = runs["random"][-1]
    wanted = most.result.proportion_right
    enough = [run for run in runs["pretrained"] if run.result.proportion_right >= wanted]
    values = {"n_all": _count(most.dataset.train), "random": _percent(wanted)}
    if enough:
        values |= {
            "n": _count(enough[0].dataset.train),
            "share": _percent(enough[0].result.proportion_right),
        }
    st.markdown(
        page.words.section("pretraining.worth" if enough else "pretraining.worthless", **values)
    )


def _difference(pretrained: "FineTuneSnapshot", random: "FineTuneSnapshot") -> "Difference":
    from mlm_core.evaluation.seeds import Variant, compare

    first, second = (
        Variant(name=name, proportions=(run.result.proportion_right,))
        for name, run in (("pretrained", pretrained), ("random", random))
    )
    return compare(first, second, len(pretrained.dataset.test))


def _count(examples: Sequence[object]) -> str:
    return formatted(len(examples), ",")


def _percent(share: float) -> str:
    return f"{formatted(100 * share, '.0f')}\u00a0%"
