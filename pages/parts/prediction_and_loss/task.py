"""The task at the end: a word the model is nearly sure of, and one it finds worse than chance."""

import math

import streamlit as st

from mlm_core.number_format import formatted
from pages.parts.prediction_and_loss import typed
from pages.shared.caches import cache, cache_predictions
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs

SURE = 0.7  # nats: a probability of one half
GOALS = ("sure", "absurd")


@part
def show(page: Page) -> None:
    """Check both words in the learner's own sentence, while they are typed."""
    from mlm_core.prediction.fillers import find_blanks

    words, model = page.words, cache.model(page.model_name)
    n_entries = model.tokenizer.get_vocab_size()
    limits = {"sure": SURE, "absurd": math.log(n_entries)}
    st.markdown(
        words.section(
            "task.lead", sure=formatted(SURE, ".2f"), absurd=formatted(limits["absurd"], ".2f")
        )
    )
    text = typed.blank_sentence(
        page, "task_sentence", "task_default", key="prediction_and_loss_task"
    )
    blanks = find_blanks(text, model.tokenizer)
    if len(blanks) != 1:
        st.info(words.section("task.one_blank", n=len(blanks)), icon=":material/edit:")
        return
    n_right = 0
    for name, column in zip(GOALS, st.columns(2, gap="medium"), strict=True):
        with column:
            word = inputs.text(words.label(f"task_{name}"), "", key=f"prediction_and_loss_{name}")
            n_right += _check(page, name, word, text.text, blanks[0], limits[name])
    if n_right == len(GOALS):
        st.success(words.section("task.done"), icon=":material/check_circle:")
    else:
        with st.expander(
            words.label("hint"), icon=":material/lightbulb:", key="prediction_and_loss_hint"
        ):
            st.markdown(words.section("task.hint"))


def _check(page: Page, name: str, word: str, text: str, blank: int, limit: float) -> bool:
    """Say how surprising a word is in the blank; return whether the goal is reached."""
    words = page.words
    if not word.strip():
        st.caption(words.label("task_waits"))
        return False
    id_ = typed.one_piece(page, word)
    if id_ is None:
        return False
    probability, rank = cache_predictions.word_at_blank(page.model_name, text, blank, id_)
    loss = -math.log(max(probability, 1e-30))
    is_right = loss < limit if name == "sure" else loss > limit
    sentence = words.section(
        f"task.{name}_{'right' if is_right else 'wrong'}",
        word=word.strip(),
        loss=formatted(loss, ".2f"),
        limit=formatted(limit, ".2f"),
        rank=formatted(rank, ","),
    )
    mark = ":green[:material/check:]" if is_right else ":orange[:material/close:]"
    st.markdown(f"{mark} {sentence}")
    return is_right
