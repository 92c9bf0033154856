"""Questions that learners ask about tokens, each with a text to try."""

import streamlit as st

from mlm_core.figures.chips import chip_row
from mlm_core.figures.text.tokens import cuts_html
from mlm_core.text.tokens import tokenize
from pages.parts.subword_tokens import setting
from pages.shared.caches import cache
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import show_drawing
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs

QUESTIONS = ("cls", "mask", "emoji", "scripts", "case", "numbers")


@part
def show(page: Page) -> None:
    """Let the learner choose a question; answer it by cutting a text they can change."""
    words = page.words
    question = inputs.choice(
        words.label("question_choice"),
        {name: words.label(f"ask_{name}") for name in QUESTIONS},
        key="subword_tokens_question",
    )
    text = inputs.text(
        words.label("try"),
        words.label(f"try_{question}"),
        key=f"subword_tokens_try_{question}",
    )
    if not text.strip():
        setting.say_it_is_empty(page)
        return
    own = tokenize(cache.model_tokenizer(page.model_name), text)
    drawing(
        chip_row(own.tokens, label=words.plain("question_chips")), key="subword_tokens_try_chips"
    )
    rows = [(setting.short(page.model_name), own)]
    rows += [(name, cut) for name, cut, _ in setting.cut_by_all(text, setting.current().size)]
    show_drawing(
        cuts_html(text, setting.labelled(rows), alt=words.plain("cuts_alt")),
        key="subword_tokens_try_cuts",
        table=lambda: setting.table_of(rows),
        source=words.label("question_source", model=page.model_name),
    )
    st.markdown(words.section(f"questions.{question}"))
