"""Temperature: one prediction flatter or sharper, and whether the model's confidence is right."""

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.prediction.losses import softmax_arithmetic
from mlm_core.number_format import formatted
from pages.parts.prediction_and_loss import setting
from pages.parts.prediction_and_loss.reliability import show_calibration
from pages.parts.prediction_and_loss.setting import Setting
from pages.shared.figures.show import show_drawing, show_metrics
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

N_GUESSES = 6


@part
def show(page: Page) -> None:
    """Divide the logits of one place by T; then measure calibration on our own sentences."""
    from mlm_core.prediction.calibration import (
        at_temperature,
        best_temperature,
        calibration_error,
        entropy,
        reliability,
    )

    words = page.words
    st.markdown(words.section("temperature.lead"))
    now = setting.current(page)
    if now is not None:
        _show_temperature(page, now)
    st.divider()
    show_calibration(page)
    show_source(
        *(at_temperature, entropy, reliability, calibration_error, best_temperature),
        key="prediction_and_loss_temperature_code",
    )


def _show_temperature(page: Page, now: Setting) -> None:
    """Draw the likeliest tokens of one place at T = 1 and at the chosen T."""
    from math import exp

    from mlm_core.prediction.calibration import at_temperature, entropy

    words = page.words
    place = setting.choose_place(page, now)
    temperature = inputs.slider(
        words.label("temperature"), 0.1, 3.0, 1.0, 0.1, key="prediction_and_loss_temperature"
    )
    logits = now.predictions.logits[place]
    best = logits.topk(N_GUESSES).indices.tolist()
    tokens = [setting.token_name(page, id_) for id_ in best]
    position = now.predictions.positions[place]
    columns = st.columns(2, gap="medium")
    for name, value, column in zip(("one", "own"), (1.0, temperature), columns, strict=True):
        probabilities = at_temperature(logits, value)
        shown, nats = formatted(value, ".1f"), entropy(probabilities)
        with column:
            st.markdown(words.section("temperature.at", temperature=shown))
            show_drawing(
                bars_svg(
                    tokens,
                    probabilities[best].tolist(),
                    longest=1.0,
                    alt=words.plain("temperature_alt", temperature=shown),
                ),
                key=f"prediction_and_loss_temperature_{name}",
                table=Table(
                    {
                        "token": tokens,
                        "logit": logits[best].tolist(),
                        "probability": probabilities[best].tolist(),
                    }
                ),
                source=words.label(
                    "temperature_source",
                    model=page.model_name,
                    position=position,
                    temperature=shown,
                ),
            )
            show_metrics(
                {
                    words.label("entropy"): formatted(nats, ".2f"),
                    words.label("as_many"): formatted(exp(nats), ",.0f"),
                }
            )
    divided = logits / temperature
    st.markdown(words.section("temperature.formula", word=tokens[0]))
    st.latex(
        softmax_arithmetic(
            divided[best[0]].item(),
            divided.logsumexp(dim=-1).item(),
            at_temperature(logits, temperature)[best[0]].item(),
        )
    )
    st.markdown(words.section("temperature.notice"))
