"""Which differences between variants are larger than chance may make."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.parts.classification.compare_names import variant_name
from pages.shared.frame import Page
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.evaluation.seeds import Variant

# What a reader asks first; a task shows those of which it has both.
QUESTIONS = (
    ("head", "majority"),
    ("top", "head"),
    ("all", "top"),
    ("cls", "top"),
    ("all", "random"),
    ("top", "bag_of_words"),
    ("top", "by_rule"),
)


def show_verdicts(page: Page, task: str, variants: "dict[str, Variant]", n: int) -> None:
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
                    variant_name(page, task, one.name) for one in (each.first, each.second)
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
