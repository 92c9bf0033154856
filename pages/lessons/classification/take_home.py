"""Take a classifier, or a model that answers, home as files, and a record of the lesson."""

from functools import partial

from mlm_core.figures.bars import bars_svg
from mlm_core.finetuning.one_answer import OneAnswer
from mlm_core.finetuning.settings import SENTIMENT
from mlm_core.finetuning.snapshot import FineTuneSnapshot
from pages.kit.part import LONGEST_TEXT, Part, part
from pages.kit.training.finetune_take_home import take_home
from pages.lessons.classification.train import data_of


@part()
def show(p: Part) -> None:
    """Choose a run, ask it, save it with its answer, and keep a record."""
    take_home(p, data_of(p), _ask, _show_answer)


def _ask(p: Part, snapshot: FineTuneSnapshot) -> tuple[str, ...]:
    """Show one or two lines, which begin with the first test example of the run's own data."""
    data, example = snapshot.settings.data, snapshot.data.test[0]
    if snapshot.data.kind == "answers":
        begin = {"question": example.question, "passage": example.passage}
    elif snapshot.data.has_pairs:
        begin = {"first": example.text, "second": example.pair}
    else:
        begin = {"text": p.own_text("ways_text") or example.text}
    if data in SENTIMENT.values():
        data = "sentiment"  # the same line in both languages
    asked = tuple(
        p.text(f"take_home_{data}_{name}", text[:LONGEST_TEXT]) for name, text in begin.items()
    )
    return asked if all(text.strip() for text in asked) else ()


def _show_answer(p: Part, answer: OneAnswer, snapshot: FineTuneSnapshot, title: str) -> None:
    best = max(answer.probabilities)
    if answer.kind == "answers":
        p.say("answer_says" if answer.best.strip() else "answer_empty", answer=answer.best, p=best)
        return
    p.figure(
        "take_home_answer",
        partial(bars_svg, answer.predicted, answer.probabilities, longest=1.0),
        {"class": answer.predicted, "P": answer.probabilities},
        alt="answer_alt",
        source="answer_source",
        best=answer.best,
        p=best,
        n=len(answer.predicted),
        run=title,
        model=snapshot.settings.model,
        step=snapshot.step_of_weights,
    )
