"""What a classifier gets wrong: its confusion matrix, each class's shares, its mistakes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.finetuning.classification_confusion import confusion_svg
from mlm_core.number_format import formatted
from pages.shared.figures.show import keep, show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs
from pages.shared.training import finetune_runs

if TYPE_CHECKING:
    from mlm_core.classification.errors import ClassReport, Judged

CLASS_DATA = ("sentiment", "entailment", "own_classes")
LISTED = "classification_errors_listed"
ALL = "errors"  # every mistake, not one cell's texts


@part
def show(page: Page) -> None:
    """Choose a run; count its answers, class by class, and read its mistakes."""
    from mlm_core.classification.errors import judge_examples, report_on

    words = page.words
    st.markdown(words.section("errors.lead"))
    chosen = finetune_runs.choose(page, CLASS_DATA, with_weights=False, key="errors_run")
    if chosen is None:
        return
    title, snapshot = chosen
    if snapshot.predictions is None or snapshot.dataset is None:
        st.info(words.section("errors.no_test"), icon=":material/hourglass_empty:")
        return
    judged = judge_examples(snapshot.dataset, snapshot.predictions)
    classes = snapshot.dataset.classes
    report = report_on(
        [one.example.label for one in judged], [one.predicted for one in judged], classes
    )
    source = words.label(
        "errors_source",
        run=title,
        model=snapshot.settings.model,
        step=snapshot.predictions.step,
        n=len(judged),
    )
    left, right = st.columns(2, gap="large")
    with left:
        _draw_matrix(page, report, classes, source)
    with right:
        _show_by_class(page, report, source)
    st.markdown(_say_most_frequent(page, report))
    _show_list(page, judged, classes, report.counts.tolist(), LISTED, ALL)
    st.markdown(words.section("errors.notice"))
    show_source(report_on, key="classification_errors_code")


def _draw_matrix(page: Page, report: "ClassReport", classes: tuple[str, ...], source: str) -> None:
    words, counts = page.words, report.counts.tolist()
    cells = [f"{i},{j}" for i in range(len(classes)) for j in range(len(classes))]
    asked = st.session_state.get(LISTED, ALL)
    selected = tuple(map(int, asked.split(","))) if asked in cells else None
    st.markdown(words.section("errors.click"))
    show_drawing(
        confusion_svg(
            counts,
            classes,
            selected=selected,
            row_title=words.plain("confusion_rows"),
            column_title=words.plain("confusion_columns"),
            alt=words.plain(
                "confusion_alt",
                right=sum(counts[i][i] for i in range(len(classes))),
                n=sum(map(sum, counts)),
            ),
        ),
        key="classification_confusion",
        table=Table(
            [
                {"true_class": classes[i], "said": classes[j], "texts": counts[i][j]}
                for i in range(len(classes))
                for j in range(len(classes))
            ]
        ),
        source=source,
        on_click=lambda value: inputs.choose(LISTED, value),
    )


# Accuracy, macro-F1 and each class's precision, recall and F1; the most frequent mistake.


def _show_by_class(page: Page, report: "ClassReport", source: str) -> None:
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


def _say_most_frequent(page: Page, report: "ClassReport") -> str:
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


# The texts behind a confusion matrix: all mistakes, or those of one cell, surest first.


def _show_list(
    page: Page,
    judged: "Sequence[Judged]",
    classes: tuple[str, ...],
    counts: Sequence[Sequence[int]],
    key: str,
    all_errors: str,
) -> None:
    """Let the learner choose a cell, or all mistakes, and list its texts."""
    from mlm_core.classification.errors import surest_first

    words = page.words
    wrong = [one for one in judged if not one.is_right]
    names = {all_errors: words.plain("errors_listed_errors", n=len(wrong))}
    for i, label in enumerate(classes):
        for j, said in enumerate(classes):
            kind = "errors_listed_right" if i == j else "errors_listed_wrong"
            names[f"{i},{j}"] = words.plain(kind, label=label, said=said, n=counts[i][j])
    cell = inputs.listed(words.label("errors_listed"), names, key=key)
    if cell == all_errors:
        shown = wrong
    else:
        label, said = (classes[int(k)] for k in cell.split(","))
        shown = [one for one in judged if (one.example.label, one.predicted) == (label, said)]
    if not shown:
        st.info(words.section("errors.empty"), icon=":material/info:")
        return
    shown = surest_first(shown)
    _table(page, shown, digits=3).show()
    st.download_button(
        words.label("errors_save"),
        lambda: _table(page, shown, digits=9).csv(),
        file_name="errors.csv",
        mime="text/csv",
        key="classification_errors_csv",
        on_click="ignore",
        icon=":material/download:",
    )


def _table(page: Page, judged: "Sequence[Judged]", *, digits: int) -> Table:
    words, rows = page.words, []
    for one in judged:
        row = {words.plain("errors_text"): one.example.text}
        if one.example.pair is not None:
            row[words.plain("errors_second_text")] = one.example.pair
        row |= {
            words.plain("errors_true_class"): one.example.label,
            words.plain("errors_said"): one.predicted,
            words.plain("errors_p_said"): round(one.p_predicted, digits),
            words.plain("errors_p_true"): round(one.p_label, digits),
        }
        rows.append(row)
    return Table(rows)
