"""Your own pair: guess what the model will say, then see."""

from functools import partial

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.number_format import formatted
from mlm_core.prediction.pair_examples import FOLLOWS, IS_RANDOM
from pages.parts.sentence_pairs.setting import has_head, judge, own_pair, show_pair
from pages.shared.caches import cache_predictions
from pages.shared.figures.show import show_metrics
from pages.shared.frame.guess import ask_for_guess
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs


@part()
def show(p: Part) -> None:
    """Take a pair and a guess, then show the verdict."""
    p.say("lead")
    if not has_head(p):
        return
    first, second = own_pair(p)
    _offer_changes(p)
    judged = judge(p, first, second)
    if judged is None:
        return
    text, steps = judged
    show_pair(p, text, "own_chips")
    pair = (p.model_name, first, second)
    guess = ask_for_guess(p.page, "own", ("follows", "random"), key=p.key("guess"), about=pair)
    if guess is None:
        return
    is_right = (guess == "follows") == (steps.p_follows >= 0.5)
    told = {"guess": p.plain(f"guess_{guess}"), "p": steps.p_follows}
    p.say("right" if is_right else "wrong", **told)
    losses = {"follows": steps.loss(FOLLOWS), "random": steps.loss(IS_RANDOM)}
    names, probabilities = [p.plain("is_next"), p.plain("not_next")], steps.probabilities.tolist()
    left, right = st.columns([3, 2])
    with left:
        p.figure(
            "own_bars",
            partial(bars_svg, names, probabilities, longest=1.0),
            {
                "class": ["IsNext", "NotNext"],
                "logit": steps.logits.tolist(),
                "probability": probabilities,
                "loss_if_true": list(losses.values()),
            },
            source="source",
            p=steps.p_follows,
        )
    with right:
        show_metrics({p.label(f"loss_{name}"): formatted(x, ".3f") for name, x in losses.items()})
    p.say("notice")
    # Not before the guess.
    p.code("own", cache_predictions.next_sentence)


def _offer_changes(p: Part) -> None:
    """Show three changes of the pair that are worth a look."""
    state, first, second = st.session_state, p.key("first"), p.key("second")

    def swap() -> None:
        state[first], state[second] = state[second], state[first]

    def same() -> None:
        state[second] = state[first]

    def stranger() -> None:
        inputs.choose(second, p.plain("stranger_text"))

    with st.container(horizontal=True):
        for change in (swap, same, stranger):
            name = change.__name__
            st.button(p.label(name), on_click=change, key=p.key(f"own_{name}"))
