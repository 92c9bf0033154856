"""The errors of a classifier: its confusion matrix, each class's proportions, its mistakes."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from mlm_core.classification.errors import (
    ClassReport,
    Judged,
    judge_examples,
    report_on,
    surest_first,
)
from mlm_core.evaluation.seeds import standard_error
from mlm_core.figures.finetuning.classification_confusion import confusion_svg
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.number_format import formatted
from pages.kit.part import Part, Table

ALL = "errors"  # every mistake, not one cell's texts


def show_errors(p: Part, title: str, snapshot: FineTuneSnapshot) -> None:
    """Count a run's answers on its test part, class by class, and list its mistakes."""
    p.say("errors.lead")
    if snapshot.predictions is None or snapshot.dataset is None:
        p.note("errors.no_test", icon="hourglass_empty")
        return
    judged = judge_examples(snapshot.dataset, snapshot.predictions)
    classes = snapshot.data.classes
    report = report_on(
        [one.example.label for one in judged], [one.predicted for one in judged], classes
    )
    about: dict[str, Any] = {
        "run": title,
        "model": snapshot.settings.model,
        "step": snapshot.predictions.step,
        "n": len(judged),
    }
    left, right = p.columns(gap="large")
    with left:
        _draw_matrix(p, report.counts.tolist(), classes, about)
    with right:
        _show_by_class(p, report, about)
    _say_most_frequent(p, report.counts.tolist(), classes)
    _show_list(p, judged, classes, report.counts.tolist())
    p.say("errors.notice")
    p.code("errors", report_on)


def _draw_matrix(
    p: Part, counts: list[list[int]], classes: tuple[str, ...], about: dict[str, Any]
) -> None:
    cells = [(i, j) for i in range(len(classes)) for j in range(len(classes))]
    asked = p.state.get("errors_listed", ALL)
    p.say("errors.click")
    matrix = partial(
        confusion_svg,
        counts,
        classes,
        selected=next(((i, j) for i, j in cells if f"{i},{j}" == asked), None),
        row_title=p.plain("confusion_rows"),
        column_title=p.plain("confusion_columns"),
    )
    table = [
        {"true_class": classes[i], "said": classes[j], "texts": counts[i][j]} for i, j in cells
    ]
    p.figure(
        "confusion",
        matrix,
        table,
        source="errors_source",
        on_click=partial(p.choose, "errors_listed"),
        right=sum(counts[i][i] for i in range(len(classes))),
        **about,
    )


def _show_by_class(p: Part, report: ClassReport, about: dict[str, Any]) -> None:
    """Show accuracy and macro-F1, and the three shares of each class."""
    accuracy, n = report.scores.proportion_right, int(report.counts.sum())
    with p.row("top", gap="large"):
        shown = f"{formatted(100 * accuracy, '.1f')} %"
        p.metric("errors_accuracy", shown, width="content")
        p.metric("errors_macro_f1", formatted(report.scores.f1, ".3f"), width="content")
    p.caption("errors.error", error=standard_error(accuracy, n), n=n)
    columns = [
        p.plain(f"errors_{name}") for name in ("class", "precision", "recall", "f1", "n_texts")
    ]
    rows = [
        [one.name, one.measures.precision, one.measures.recall, one.measures.f1, one.counts.n_gold]
        for one in report.by_class
    ]
    short = [[round(v, 3) if isinstance(v, float) else v for v in row] for row in rows]
    Table(short, columns).show()
    p.numbers("by_class", Table(rows, columns), source="errors_source", **about)


def _say_most_frequent(p: Part, counts: list[list[int]], classes: tuple[str, ...]) -> None:
    """Name the confusion that happens most often."""
    k = range(len(classes))
    wrong = {(i, j): counts[i][j] for i in k for j in k if i != j}
    (i, j), most = max(wrong.items(), key=lambda item: item[1])
    values = {"n": sum(map(sum, counts)), "wrong": sum(wrong.values()), "most": most}
    p.say("errors.seen" if most else "errors.none", label=classes[i], said=classes[j], **values)


def _show_list(
    p: Part, judged: Sequence[Judged], classes: tuple[str, ...], counts: list[list[int]]
) -> None:
    """Let the learner choose a cell, or all mistakes, and list its texts, surest first."""
    wrong = [one for one in judged if not one.is_right]
    names = {ALL: p.plain("errors_listed_errors", n=len(wrong))}
    for i, label in enumerate(classes):
        for j, said in enumerate(classes):
            kind = "errors_listed_right" if i == j else "errors_listed_wrong"
            names[f"{i},{j}"] = p.plain(kind, label=label, said=said, n=counts[i][j])
    cell = p.choice("errors_listed", names)
    if cell == ALL:
        shown = wrong
    else:
        label, said = (classes[int(k)] for k in cell.split(","))
        shown = [one for one in judged if (one.example.label, one.predicted) == (label, said)]
    if not shown:
        p.note("errors.empty")
        return
    shown = surest_first(shown)
    _table(p, shown, digits=3).show()
    p.download(
        "errors_csv",
        lambda: _table(p, shown, digits=9).csv(),
        "errors.csv",
        "text/csv",
        "errors_save",
    )


def _table(p: Part, judged: Sequence[Judged], *, digits: int) -> Table:
    has_pairs = any(one.example.pair is not None for one in judged)
    columns = [p.plain("errors_text"), *([p.plain("errors_second_text")] * has_pairs)]
    columns += [p.plain(f"errors_{name}") for name in ("true_class", "said", "p_said", "p_true")]
    rows = [
        [
            one.example.text,
            *([one.example.pair] * has_pairs),
            one.example.label,
            one.predicted,
            round(one.p_predicted, digits),
            round(one.p_label, digits),
        ]
        for one in judged
    ]
    return Table(rows, columns)
