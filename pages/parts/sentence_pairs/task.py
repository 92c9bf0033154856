"""The task at the end: a B that the model accepts, one that it rejects, and a loss by hand."""

import math

import streamlit as st

from mlm_core.exercises.exercise import LONGEST_NUMBER, UnreadableAnswerError, read_number
from mlm_core.number_format import formatted
from mlm_core.prediction.pair_examples import FOLLOWS
from pages.parts.sentence_pairs.setting import has_head, show_pair
from pages.shared.caches import cache_predictions
from pages.shared.course.words import read_words
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.link import inputs

BOUNDS = {"follows": 0.7, "random": 0.3}  # P(IsNext) at least, and at most
FEWEST_WORDS = 4
NEAR = 0.015  # of the loss: two decimals, rounded either way


@part
def show(page: Page) -> None:
    """Check both sentences and the number while they are typed."""
    words = page.words
    st.markdown(words.section("task.lead"))
    if not has_head(page, key="task"):
        return
    first = words.plain("task_a")
    st.markdown(f"> {first}")
    n_right, accepted = 0, None
    for name, column in zip(BOUNDS, st.columns(2, gap="medium"), strict=True):
        with column:
            second = inputs.text(words.label(f"task_{name}"), "", key=f"sentence_pairs_task_{name}")
            is_right, steps = _check(page, name, first, second)
            n_right += is_right
            if name == "follows" and is_right:
                accepted = steps
    if accepted is not None:
        n_right += _ask_for_loss(page, accepted)
    if n_right == len(BOUNDS) + 1:
        st.success(words.section("task.done"), icon=":material/check_circle:")
        return
    with st.expander(words.label("hint"), icon=":material/lightbulb:", key="sentence_pairs_hint"):
        st.markdown(words.section("task.hint"))


def _check(page: Page, name: str, first: str, second: str) -> tuple[bool, object]:
    """Show the pair and a verdict; return whether the bound is reached, and the steps."""
    words = page.words
    if len(second.split()) < FEWEST_WORDS:
        st.caption(words.section("task.waits"))
        return False, None
    if second.strip().casefold() == first.strip().casefold():
        _say(words.section("task.same"), is_right=False)
        return False, None
    text, steps = cache_predictions.next_sentence(page.model_name, first, second)
    inputs.say_what_was_left_out(text)
    show_pair(page, text, key=f"sentence_pairs_task_{name}_chips")
    p = steps.p_follows
    is_right = p >= BOUNDS[name] if name == "follows" else p <= BOUNDS[name]
    verdict = "right" if is_right else "wrong"
    _say(words.section(f"task.{name}_{verdict}", p=formatted(p, ".3f")), is_right=is_right)
    return is_right, steps


def _ask_for_loss(page: Page, steps) -> bool:
    """Ask for the loss of the accepted pair; return whether the number is right."""
    words, p = page.words, steps.p_follows
    st.markdown(words.section("task.number", p=formatted(p, ".3f")))
    # A number field of Streamlit's knows English marks only.
    typed = st.text_input(
        words.label("task_loss"),
        max_chars=LONGEST_NUMBER,
        autocomplete="off",
        key="sentence_pairs_task_loss",
        width=200,
    )
    if not typed.strip():
        return False
    try:
        answer = read_number(typed)
    except UnreadableAnswerError as error:
        st.info(read_words("exercises").section(str(error)), icon=":material/edit:")
        return False
    loss = steps.loss(FOLLOWS)
    if abs(answer - loss) <= NEAR:
        _say(
            words.section("task.number_right", p=formatted(p, ".3f"), loss=formatted(loss, ".3f")),
            is_right=True,
        )
        return True
    other = p < 1 and abs(answer + math.log(1 - p)) <= NEAR
    _say(
        words.section("task.number_other" if other else "task.number_wrong", p=formatted(p, ".3f")),
        is_right=False,
    )
    return False


def _say(sentence: str, *, is_right: bool) -> None:
    mark = ":green[:material/check:]" if is_right else ":orange[:material/close:]"
    st.markdown(f"{mark} {sentence}")
