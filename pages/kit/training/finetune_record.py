"""The record of a fine-tuning: its settings, its figures by step, its worst errors."""

from mlm_core.finetuning.one_answer import OneAnswer
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from mlm_core.finetuning.worst_errors import errors_of
from pages.kit.part import Part
from pages.server.record.lesson_record import LessonRecord, RecordTable

MOST_ERRORS = 8


def record_of(p: Part, title: str, snapshot: FineTuneSnapshot, answer: OneAnswer) -> LessonRecord:
    """Return the record of a run and of one answer; the learner's own words are still to come.

    `p` has the words of the panel that takes a model home.
    """
    tables = [_figures(p, snapshot)]
    if snapshot.predictions is not None:
        tables.insert(0, _errors(p, snapshot))  # right under the learner's words on them
    return LessonRecord(
        lesson=p.page.words.plain("title"),
        question=p.page.words.plain("question"),
        what=title,
        model=snapshot.settings.model,
        settings=settings_told(snapshot),
        asked=asked_told(p, answer),
        answer=_answer(p, answer),
        tables=tables,
    )


def settings_told(snapshot: FineTuneSnapshot) -> dict[str, object]:
    """Return the settings that matter to this kind of data, and the numbers of examples."""
    left_out = {"own_data", "n_examples"}  # the learner has the one, the other is counted below
    kind = snapshot.data.kind
    left_out |= {"pooling"} if kind != "classes" else set()
    left_out |= {"scheme", "labelling"} if kind != "tags" else set()
    left_out |= {"n_top_layers"} if snapshot.settings.trained != "top" else set()
    left_out |= {"n_read_layers"} if snapshot.settings.n_read_layers is None else set()
    shown = {name: value for name, value in vars(snapshot.settings).items() if name not in left_out}
    return shown | {
        "examples": len(snapshot.data.train),
        "tested": len(snapshot.data.test),
        "steps": f"{snapshot.step} / {snapshot.n_steps}",
        "trained_numbers": snapshot.n_trained,
    }


def asked_told(p: Part, answer: OneAnswer) -> dict[str, str]:
    """Return what was asked, each text under its name."""
    if answer.kind == "tags":
        return {p.plain("sentence"): " ".join(answer.asked)}
    if answer.kind == "answers":
        names = ("question", "passage")
    else:
        names = ("text",) if len(answer.asked) == 1 else ("first", "second")
    named = zip(names, answer.asked, strict=True)
    return {p.plain(name): text for name, text in named}


def _answer(p: Part, answer: OneAnswer) -> RecordTable:
    name = p.plain("said")
    if answer.kind == "tags":
        rows = list(zip(answer.asked, answer.predicted, answer.probabilities, strict=False))
        columns = [p.plain(one) for one in ("word", "tag", "p")]
    else:
        rows = list(zip(answer.predicted, answer.probabilities, strict=True))
        column = "class" if answer.kind == "classes" else "answer"
        columns = [p.plain(column), p.plain("p")]
    return RecordTable(name=name, columns=columns, rows=rows)


def _figures(p: Part, snapshot: FineTuneSnapshot) -> RecordTable:
    kind = snapshot.data.kind
    names = ("step", "loss", f"share_{kind}", f"f1_{kind}")
    return RecordTable(
        name=p.plain(f"figures_{snapshot.data.watched}"),
        columns=[p.plain(name) for name in names],
        rows=[(one.step, one.loss, one.proportion_right, one.f1) for one in snapshot.tests],
    )


def _errors(p: Part, snapshot: FineTuneSnapshot) -> RecordTable:
    dataset, predictions = snapshot.data, snapshot.predictions
    assert predictions is not None
    found = errors_of(dataset, predictions, snapshot.settings)
    values = {"n": len(found), "of": len(dataset.test), "shown": min(len(found), MOST_ERRORS)}
    columns = ("asked", "right", "said", f"measure_{dataset.kind}")
    return RecordTable(
        name=p.plain("errors", **values),
        columns=[p.plain(name) for name in columns],
        rows=[(one.asked, one.right, one.predicted, one.measure) for one in found[:MOST_ERRORS]],
    )
