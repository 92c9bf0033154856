"""Take a tagger home as files, and a record of the lesson."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.entity_spans import entity_sentence, entity_text
from pages.parts.bio_tagging.distribution_words import split_words
from pages.shared import cache_finetuning, finetune_record, finetune_runs, inputs, lesson_record
from pages.shared.finetune_take_home import show_files
from pages.shared.frame import Page, part
from pages.shared.show import show_drawing
from pages.shared.source import show_source
from pages.shared.table import Table
from pages.shared.words import read_words

if TYPE_CHECKING:
    from mlm_core.finetuning.finetune_snapshot import FineTuneSnapshot
    from mlm_core.finetuning.one_answer import OneAnswer

SLUG = "bio_tagging"
DATA = ("entities", "own_tags")


@part
def show(page: Page) -> None:
    """Choose a tagger, ask it, save it with its answer, and keep a record."""
    from mlm_core.finetuning.finetune_take_home import pack
    from mlm_core.finetuning.one_answer import ask

    st.markdown(page.words.section("take_home.lead"))
    found = finetune_runs.choose(page, DATA, key="take_home_run")
    if found is None:
        return
    title, snapshot = found
    words = read_words("finetune_take_home")
    st.markdown(words.section("ask"))
    example = " ".join(snapshot.dataset.test[0].words)[: inputs.LONGEST_TEXT]
    text = inputs.text(
        words.label("sentence"), example, key=f"{SLUG}_take_home_{snapshot.settings.data}_text"
    )
    asked = split_words(text)
    if not asked:
        st.info(words.section("empty"), icon=":material/edit:")
        return
    answer, read = cache_finetuning.one_answer(snapshot, asked)
    inputs.say_what_was_left_out(read)
    _show_answer(title, snapshot, answer)
    show_files(page, title, snapshot, answer)
    record = finetune_record.record_of(page, title, snapshot, answer)
    lesson_record.show(record, slug=SLUG)
    show_source(ask, pack, key=f"{SLUG}_take_home_code")


def _show_answer(title: str, snapshot: "FineTuneSnapshot", answer: "OneAnswer") -> None:
    from mlm_core.finetuning.finetune_scores import predicted_spans

    words = read_words("finetune_take_home")
    spans = predicted_spans(answer.said, snapshot.settings.scheme)
    shown = answer.asked[: len(answer.said)]  # the others are beyond the model's window
    alt = words.plain("tags_alt", text=entity_text(shown, spans))
    show_drawing(
        entity_sentence(shown, spans, alt=alt, types=snapshot.dataset.classes),
        key=f"{SLUG}_take_home_answer",
        table=Table({"word": shown, "tag": answer.said, "P": answer.probabilities}),
        source=words.label(
            "answer_source",
            run=title,
            model=snapshot.settings.model,
            step=snapshot.weights.step,
        ),
    )
    if not spans:
        st.markdown(words.section("tags_none"))
