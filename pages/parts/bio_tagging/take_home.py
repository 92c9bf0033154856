"""Take a tagger home as files, and a record of the lesson."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.tagging.entity_spans import entity_sentence, entity_text
from pages.parts.bio_tagging.setting import data_of, split_words
from pages.shared.caches import cache_finetuning
from pages.shared.course.words import read_words
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs
from pages.shared.training.finetune_take_home import take_home

if TYPE_CHECKING:
    from mlm_core.finetuning.one_answer import OneAnswer
    from mlm_core.finetuning.snapshot import FineTuneSnapshot
    from mlm_core.labelled.examples import Dataset


@part()
def show(p: Part) -> None:
    """Choose a tagger, ask it, save it with its answer, and keep a record."""
    # What both lessons on fine-tuning say here.
    words = read_words("finetune_take_home")

    def ask_for(snapshot: "FineTuneSnapshot") -> tuple[str, ...]:
        """Show a line, which begins with the first test sentence of the run's own data."""
        example, data = _first_test_sentence(snapshot.data), snapshot.settings.data
        name = f"take_home_{'own_tags' if data == 'own_tags' else 'entities'}_text"
        _follow_what_is_read(p.key(name), example)
        return split_words(p.text(name, example))

    def show_answer(title: str, snapshot: "FineTuneSnapshot", answer: "OneAnswer") -> None:
        from mlm_core.tagging.bio_tags import decode

        settings, step = snapshot.settings, snapshot.step_of_weights
        spans = decode(answer.predicted, settings.scheme, "conlleval")
        shown = answer.asked[: len(answer.predicted)]  # the others are beyond the model's window
        alt = words.plain("tags_alt", text=entity_text(shown, spans))
        show_drawing(
            entity_sentence(shown, spans, alt=alt, types=snapshot.data.classes),
            key=p.key("take_home_answer"),
            table=Table({"word": shown, "tag": answer.predicted, "P": answer.probabilities}),
            source=words.label("answer_source", run=title, model=settings.model, step=step),
        )
        if not spans:
            st.markdown(words.section("tags_none"))

    take_home(p.page, data_of(p.slug), ask_for, show_answer)


def _first_test_sentence(dataset: "Dataset") -> str:
    return " ".join(dataset.test[0].words)[: inputs.LONGEST_TEXT]


def _follow_what_is_read(key: str, example: str) -> None:
    """Let a line that nobody changed begin with the example of the language that is read."""
    from mlm_core.finetuning.settings import TAGGED

    kept = st.session_state.get(key, example)
    if kept != example:
        stored = map(cache_finetuning.dataset, TAGGED.values())
        if kept in map(_first_test_sentence, stored):
            inputs.reset(key)
