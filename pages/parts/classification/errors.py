"""What a classifier gets wrong: its confusion matrix, each class's shares, its mistakes."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.finetuning.classification_confusion import confusion_svg
from pages.parts.classification.errors_by_class import say_most_frequent, show_by_class
from pages.parts.classification.errors_list import show_list
from pages.shared import finetune_runs, inputs
from pages.shared.frame import Page
from pages.shared.parts import part
from pages.shared.show import show_drawing
from pages.shared.source import show_source
from pages.shared.table import Table

if TYPE_CHECKING:
    from mlm_core.classification.errors import ClassReport

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
        show_by_class(page, report, source)
    st.markdown(say_most_frequent(page, report))
    show_list(page, judged, classes, report.counts.tolist(), LISTED, ALL)
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
