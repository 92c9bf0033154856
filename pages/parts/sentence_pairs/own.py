"""Your own pair: guess what the model will say, then see."""

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from mlm_core.prediction.pair_examples import FOLLOWS, IS_RANDOM
from pages.parts.sentence_pairs.setting import has_head, judge, own_pair, show_pair
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing, show_metrics
from pages.shared.figures.table import Table
from pages.shared.frame.guess import ask_for_guess
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

FIRST, SECOND, GUESS = (f"sentence_pairs_{name}" for name in ("first", "second", "guess"))


@part
def show(page: Page) -> None:
    """Take a pair and a guess, then show the verdict."""
    words = page.words
    st.markdown(words.section("own.lead"))
    if not has_head(page, key="own"):
        return
    first, second = own_pair(page)
    _buttons(page)
    judged = judge(page, first, second)
    if judged is None:
        return
    text, steps = judged
    show_pair(page, text, key="sentence_pairs_own_chips")
    pair = (page.model_name, first, second)
    guess = ask_for_guess(page, "own", ("follows", "random"), key=GUESS, about=pair)
    if guess is None:
        return
    p = steps.p_follows
    is_right = (guess == "follows") == (p >= 0.5)
    st.markdown(
        words.section(
            "own.right" if is_right else "own.wrong",
            guess=words.plain(f"own_guess_{guess}"),
            p=formatted(p, ".3f"),
        )
    )
    losses = {"follows": steps.loss(FOLLOWS), "random": steps.loss(IS_RANDOM)}
    left, right = st.columns([3, 2])
    with left:
        show_drawing(
            bars_svg(
                [words.plain("is_next"), words.plain("not_next")],
                steps.probabilities.tolist(),
                longest=1.0,
                alt=words.plain("own_alt", p=formatted(p, ".3f")),
            ),
            key="sentence_pairs_own_bars",
            table=Table(
                {
                    "class": ["IsNext", "NotNext"],
                    "logit": steps.logits.tolist(),
                    "probability": steps.probabilities.tolist(),
                    "loss_if_true": list(losses.values()),
                }
            ),
            source=words.label("source", model=page.model_name),
        )
    with right:
        show_metrics(
            {
                words.label(f"own_loss_{name}"): formatted(loss, ".3f")
                for name, loss in losses.items()
            }
        )
    st.markdown(words.section("own.notice"))
    show_source(cache.next_sentence, key="sentence_pairs_own_code")


def _buttons(page: Page) -> None:
    """Show three changes of the pair that are worth a look."""
    words = page.words

    def swap() -> None:
        state = st.session_state
        state[FIRST], state[SECOND] = state[SECOND], state[FIRST]

    def same() -> None:
        st.session_state[SECOND] = st.session_state[FIRST]

    def stranger() -> None:
        inputs.choose(SECOND, words.plain("own_stranger_text"))

    with st.container(horizontal=True):
        for name, change in (("swap", swap), ("same", same), ("stranger", stranger)):
            st.button(words.label(f"own_{name}"), on_click=change, key=f"sentence_pairs_own_{name}")
