"""Take a classifier, or a model that answers, home as files, and a record of the lesson."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from pages.shared.course.words import read_words
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs
from pages.shared.training.finetune_take_home import take_home

if TYPE_CHECKING:
    from mlm_core.finetuning.one_answer import OneAnswer
    from mlm_core.finetuning.snapshot import FineTuneSnapshot

SLUG = "classification"
DATA = ("sentiment", "entailment", "passages", "own_classes")


@part
def show(page: Page) -> None:
    """Choose a run, ask it, save it with its answer, and keep a record."""
    take_home(page, DATA, _asked, _show_answer)


def _asked(snapshot: "FineTuneSnapshot") -> tuple[str, ...]:
    """Show one or two lines, which begin with the first test example of the run's own data."""
    words, data = read_words("finetune_take_home"), snapshot.settings.data
    example = snapshot.dataset.test[0]
    if snapshot.dataset.kind == "answers":
        begin = {"question": example.question, "passage": example.passage}
    elif snapshot.dataset.has_pairs:
        begin = {"first": example.text, "second": example.pair}
    else:
        begin = {"text": example.text}
    asked = tuple(
        inputs.text(
            words.label(name),
            text[: inputs.LONGEST_TEXT],
            key=f"{SLUG}_take_home_{data}_{name}",
        )
        for name, text in begin.items()
    )
    return asked if all(text.strip() for text in asked) else ()


def _show_answer(title: str, snapshot: "FineTuneSnapshot", answer: "OneAnswer") -> None:
    words = read_words("finetune_take_home")
    best = max(answer.probabilities)
    if answer.kind == "answers":
        section = "answer_says" if answer.best.strip() else "answer_empty"
        st.markdown(words.section(section, answer=answer.best, p=formatted(best, ".3f")))
        return
    alt = words.plain(
        "answer_alt", best=answer.best, p=formatted(best, ".3f"), n=len(answer.predicted)
    )
    show_drawing(
        bars_svg(answer.predicted, answer.probabilities, longest=1.0, alt=alt),
        key=f"{SLUG}_take_home_answer",
        table=Table({"class": answer.predicted, "P": answer.probabilities}),
        source=words.label(
            "answer_source",
            run=title,
            model=snapshot.settings.model,
            step=snapshot.weights.step,
        ),
    )
