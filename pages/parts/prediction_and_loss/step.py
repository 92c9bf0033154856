"""One gradient step: y - onehot at a chosen place, and the prediction before and after it."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.prediction.one_step import (
    bias_arithmetic,
    gradient_arithmetic,
    gradient_chart,
    promise_arithmetic,
)
from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from pages.parts.prediction_and_loss import setting, typed
from pages.parts.prediction_and_loss.setting import Setting
from pages.shared.caches import cache, cache_predictions
from pages.shared.figures.show import show_chart, show_drawing, show_metrics
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.prediction.one_step import GradientStep

RATES = ("0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1", "3")
N_OTHERS, N_GUESSES = 7, 6


@part
def show(page: Page) -> None:
    """Draw the gradient at one place, take one step on a copy, show the prediction after it."""
    from mlm_core.prediction.one_step import logit_gradient, take_step

    words = page.words
    st.markdown(words.section("step.lead"))
    now = setting.current(page)
    if now is None:
        return
    place, typed_word = setting.choose_place_and_word(
        page, now, label="step_word", key="prediction_and_loss_step_word"
    )
    target = now.predictions.true_ids[place]
    if typed_word.strip():
        own = typed.one_piece(page, typed_word)
        if own is None:
            return
        target = own
    _show_gradient(page, now, place, target)
    if cache.model(page.model_name).bert is None:
        st.info(words.section("step.other_model", model=page.model_name), icon=":material/info:")
        return
    _show_step(page, now, place, target)
    show_source(logit_gradient, take_step, key="prediction_and_loss_step_code")


def _show_gradient(page: Page, now: Setting, place: int, target: int) -> None:
    """Draw the entries of y - onehot: the right token, the likeliest others, all the rest."""
    from mlm_core.prediction.one_step import logit_gradient

    words, probabilities = page.words, now.predictions.probabilities[place]
    gradient = logit_gradient(now.predictions.logits[place], target)
    best = [id_ for id_ in gradient.topk(N_OTHERS).indices.tolist() if id_ != target]
    shown = [target, *best]
    n_rest = len(gradient) - len(shown)
    names = [setting.token_name(page, id_) for id_ in shown]
    names.append(words.plain("step_rest", n=formatted(n_rest, ",")))
    rest = gradient.sum().item() - gradient[shown].sum().item()
    position = now.predictions.positions[place]
    show_chart(
        gradient_chart(
            list(zip(names, [*gradient[shown].tolist(), rest], strict=True)),
            x_title=words.plain("step_x"),
        ),
        key="prediction_and_loss_gradient",
        alt=words.plain("step_gradient_alt", word=names[0]),
        table=Table(
            {
                "token": names,
                "probability": [*probabilities[shown].tolist(), rest],
                "onehot": [1, *[0] * len(best), 0],
                "gradient": [*gradient[shown].tolist(), rest],
            }
        ),
        source=words.label("step_gradient_source", model=page.model_name, position=position),
    )
    st.latex(gradient_arithmetic(probabilities[target].item()))
    st.markdown(words.section("step.gradient", word=names[0]))


def _show_step(page: Page, now: Setting, place: int, target: int) -> None:
    words = page.words
    with st.container(horizontal=True):
        moved = inputs.choice(
            words.label("step_moves"),
            {name: words.label(f"step_{name}") for name in ("bias_and_embedding", "bias")},
            key="prediction_and_loss_step_moves",
        )
    rate = float(
        inputs.step(
            words.label("step_rate"),
            {rate: formatted(float(rate), "g") for rate in RATES},
            key="prediction_and_loss_step_rate",
            default="0.003",
        )
    )
    position = now.predictions.positions[place]
    step = cache_predictions.gradient_step(
        page.model_name,
        target,
        position,
        tuple(
            other
            for other in zip(now.predictions.positions, now.predictions.true_ids, strict=True)
            if other[0] != position
        ),
        rate,
        moved,
        now.seen.ids,
        now.seen,
    )
    st.markdown(words.section(f"step.{moved}", n=formatted(step.n_moved, ",")))
    st.latex(bias_arithmetic(*step.target_bias, rate, step.gradient[target].item()))
    loss, after = step.losses
    st.latex(promise_arithmetic(loss, rate, step.squared_length, step.promised_loss))
    kind = "worse" if after > loss else "near" if _keeps_promise(step) else "far"
    st.markdown(
        words.section(
            f"step.{kind}",
            promised=formatted(step.promised_loss, ".3f"),
            after=formatted(after, ".3f"),
        )
    )
    before, later = (u.softmax(-1)[target].item() for u in (step.before, step.after))
    show_metrics(
        {
            words.label("step_p"): f"{significant(before, 3)} → {significant(later, 3)}",
            words.label("step_loss"): f"{formatted(loss, '.2f')} → {formatted(after, '.2f')}",
        }
    )
    _show_guesses(page, step)
    if step.other_losses:
        before, later = (sum(each) / len(each) for each in zip(*step.other_losses, strict=True))
        st.markdown(
            words.section(
                "step.others",
                n=len(step.other_losses),
                before=formatted(before, ".3f"),
                after=formatted(later, ".3f"),
            )
        )


def _keeps_promise(step: "GradientStep") -> bool:
    """Return whether the loss fell by what the gradient promises, give or take a tenth of it."""
    loss, after = step.losses
    promised = loss - step.promised_loss
    return abs((loss - after) - promised) <= 0.1 * promised


def _show_guesses(page: Page, step: "GradientStep") -> None:
    """Draw the likeliest tokens before and after the step, the right one always among them."""
    from mlm_core.prediction.fillers import top_fillers

    words, logits = page.words, (step.before, step.after)
    best = [[filler.id for filler in top_fillers(u, N_GUESSES)] for u in logits]
    probabilities = [u.softmax(-1) for u in logits]
    longest = max(p.max().item() for p in probabilities)
    for name, ids, p, column in zip(
        ("before", "after"), best, probabilities, st.columns(2, gap="medium"), strict=True
    ):
        if step.target not in ids:
            ids = [*ids, step.target]
        tokens, values = [setting.token_name(page, id_) for id_ in ids], p[ids].tolist()
        with column:
            st.markdown(words.section(f"step.guesses_{name}"))
            show_drawing(
                bars_svg(tokens, values, longest=longest, alt=words.plain(f"step_alt_{name}")),
                key=f"prediction_and_loss_step_guesses_{name}",
                table=Table({"token": tokens, "probability": values}),
                source=words.label(
                    f"step_source_{name}",
                    model=page.model_name,
                    position=step.position,
                    rate=formatted(step.rate, "g"),
                ),
            )
