"""What six runs say about pretraining, in words, with their own numbers."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.shared.frame import Page

if TYPE_CHECKING:
    from mlm_core.evaluation.seeds import Difference
    from mlm_core.finetuning.snapshot import FineTuneSnapshot


def explain(page: Page, runs: "dict[str, list[FineTuneSnapshot]]", majority: float) -> None:
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
                n=len(pretrained.dataset.train),
                pretrained=_percent(found.first.mean),
                random=_percent(found.second.mean),
                difference=formatted(100 * found.difference, "+.0f"),
                margin=formatted(100 * found.margin, ".0f"),
            )
        )
    _say_worth(page, runs)
    few, most = runs["pretrained"][0], runs["random"][-1]
    share_few, share_most = few.tests[-1].proportion_right, most.tests[-1].proportion_right
    n_test = len(few.dataset.test)
    # A share no more than two standard errors above the most frequent class may be chance.
    is_above = share_few > majority + 2 * standard_error(share_few, n_test)
    st.markdown(
        words.section(
            "pretraining.few_help" if is_above else "pretraining.few_fail",
            n=len(few.dataset.train),
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
            n=len(few.dataset.train),
            unseen=_percent(unseen[0]),
            n_all=len(most.dataset.train),
            unseen_all=_percent(unseen[1]),
        )
    )


def _say_worth(page: Page, runs: "dict[str, list[FineTuneSnapshot]]") -> None:
    """Say how few examples the pretrained start needs to do as well as a random one with all."""
    most = runs["random"][-1]
    wanted = most.tests[-1].proportion_right
    enough = [run for run in runs["pretrained"] if run.tests[-1].proportion_right >= wanted]
    values = {"n_all": len(most.dataset.train), "random": _percent(wanted)}
    if enough:
        values |= {
            "n": len(enough[0].dataset.train),
            "share": _percent(enough[0].tests[-1].proportion_right),
        }
    st.markdown(
        page.words.section("pretraining.worth" if enough else "pretraining.worthless", **values)
    )


def _difference(pretrained: "FineTuneSnapshot", random: "FineTuneSnapshot") -> "Difference":
    from mlm_core.evaluation.seeds import Variant, compare

    first, second = (
        Variant(name=name, proportions=(run.tests[-1].proportion_right,))
        for name, run in (("pretrained", pretrained), ("random", random))
    )
    return compare(first, second, len(pretrained.dataset.test))


def _percent(share: float) -> str:
    return f"{formatted(100 * share, '.0f')}\u00a0%"
