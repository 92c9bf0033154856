"""Take a tagger home as files, and a record of the lesson."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.entity_spans import entity_sentence, entity_text
from pages.parts.bio_tagging.setting import split_words
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

SLUG = "bio_tagging"
DATA = ("entities", "own_tags")


@part
def show(page: Page) -> None:
    """Choose a tagger, ask it, save it with its answer, and keep a record."""
    take_home(page, DATA, _asked, _show_answer)


def _asked(snapshot: "FineTuneSnapshot") -> tuple[str, ...]:
    """Show a line, which begins with the first test sentence of the run's own data."""
    words = read_words("finetune_take_home")
    example = " ".join(snapshot.dataset.test[0].words)[: inputs.LONGEST_TEXT]
    text = inputs.text(
        words.label("sentence"), example, key=f"{SLUG}_take_home_{snapshot.settings.data}_text"
    )
    return split_words(text)


def _show_answer(title: str, snapshot: "FineTuneSnapshot", answer: "OneAnswer") -> None:
    from mlm_core.tagging.bio_tags import decode

    words = read_words("finetune_take_home")
    spans = decode(answer.predicted, snapshot.settings.scheme, "conlleval")
    shown = answer.asked[: len(answer.predicted)]  # the others are beyond the model's window
    alt = words.plain("tags_alt", text=entity_text(shown, spans))
    show_drawing(
        entity_sentence(shown, spans, alt=alt, types=snapshot.dataset.classes),
        key=f"{SLUG}_take_home_answer",
        table=Table({"word": shown, "tag": answer.predicted, "P": answer.probabilities}),
        source=words.label(
            "answer_source",
            run=title,
            model=snapshot.settings.model,
            step=snapshot.weights.step,
        ),
    )
    if not spans:
        st.markdown(words.section("tags_none"))
