"""Accuracy, macro-F1 and each class's precision, recall and F1; the most frequent mistake."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.number_format import formatted
from pages.shared.frame import Page
from pages.shared.show import keep
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.classification.errors import ClassReport


def show_by_class(page: Page, report: "ClassReport", source: str) -> None:
    """Show accuracy and macro-F1, and the three shares of each class."""
    from mlm_core.evaluation.seeds import standard_error

    words = page.words
    n = int(report.counts.sum())
    error = standard_error(report.scores.proportion_right, n)
    with st.container(horizontal=True, gap="large"):
        st.metric(
            words.label("errors_accuracy"),
            f"{formatted(100 * report.scores.proportion_right, '.1f')} %",
            width="content",
        )
        st.metric(
            words.label("errors_macro_f1"), formatted(report.scores.f1, ".3f"), width="content"
        )
    st.caption(words.section("errors.error", error=formatted(100 * error, ".1f"), n=n))
    rows = [
        {
            words.plain("errors_class"): score.name,
            words.plain("errors_precision"): score.measures.precision,
            words.plain("errors_recall"): score.measures.recall,
            words.plain("errors_f1"): score.measures.f1,
            words.plain("errors_n_texts"): score.counts.n_gold,
        }
        for score in report.by_class
    ]
    short = [
        {name: round(v, 3) if isinstance(v, float) else v for name, v in row.items()}
        for row in rows
    ]
    Table(short).show()
    keep("classification_by_class", table=Table(rows), source=source)


def say_most_frequent(page: Page, report: "ClassReport") -> str:
    """Name the confusion that happens most often."""
    words, names = page.words, [score.name for score in report.by_class]
    counts = report.counts.tolist()
    wrong = {(i, j): counts[i][j] for i in range(len(names)) for j in range(len(names)) if i != j}
    (i, j), most = max(wrong.items(), key=lambda item: item[1])
    n, n_wrong = int(report.counts.sum()), sum(wrong.values())
    if not n_wrong:
        return words.section("errors.none", n=n)
    return words.section(
        "errors.seen", n=n, wrong=n_wrong, most=most, label=names[i], said=names[j]
    )
