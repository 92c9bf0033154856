"""Only 15 % teach: places with a signal in one pass, under three ways to train."""

import streamlit as st

from mlm_core.figures.charts import lines_chart, percent_axis
from mlm_core.figures.chips import chip_row
from mlm_core.figures.curves import Curve
from mlm_core.number_format import formatted
from pages.parts.prediction_and_loss import marks, setting
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import keep, show_chart
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

RATES = (5, 15, 40, 80)  # per cent
MOST_PASSES = 40
NEARLY_ALL = 0.95


@part
def show(page: Page) -> None:
    """Ring the tokens that give a signal, and count the passes until each was asked once."""
    from mlm_core.prediction.masked_words import passes_for_as_many, proportion_scored

    words = page.words
    st.markdown(words.section("signal.lead"))
    text = setting.sentence(page)
    places = marks.may_be_chosen(text)
    if not places:
        st.info(words.section("empty"), icon=":material/edit:")
        return
    rate = int(
        inputs.step(
            words.label("rate"),
            {str(rate): f"{rate} %" for rate in RATES},
            key="prediction_and_loss_rate",
            default="15",
        )
    )
    n_chosen = min(len(places), max(1, round(rate / 100 * len(text.tokens))))
    ringed = {
        "causal": places,
        "replaced": places,
        "masked": sorted(marks.sample(text, n_chosen, seed=0)),
    }
    for name, positions in ringed.items():
        st.markdown(
            words.section(
                f"signal.{name}",
                n=len(positions),
                of=len(places),
                share=formatted(len(positions) / len(places), ".0%"),
            )
        )
        drawing(
            chip_row(text.tokens, selected=positions, label=words.plain(f"signal_{name}")),
            key=f"prediction_and_loss_signal_{name}",
        )
    keep(
        "prediction_and_loss_signal",
        table=Table(
            {"token": text.texts}
            | {n: [i in where for i in range(len(text.tokens))] for n, where in ringed.items()}
        ),
        source=words.label("signal_source", rate=rate, n=len(text.tokens)),
    )
    st.markdown(words.section("signal.passes", n=passes_for_as_many(len(places), n_chosen)))
    shares = {
        f"{r} %": [proportion_scored(r / 100, k) for k in range(MOST_PASSES + 1)]
        for r in dict.fromkeys((rate, 15))
    }
    show_chart(
        lines_chart(
            [
                Curve(name=name, points=list(enumerate(values)), pen=pen)
                for pen, (name, values) in enumerate(shares.items())
            ],
            x_title=words.plain("asked_x"),
            y_title=words.plain("asked_y"),
            y_axis=percent_axis(),
        ),
        key="prediction_and_loss_asked",
        alt=words.plain("asked_alt"),
        table=Table({"passes": range(MOST_PASSES + 1)} | shares),
        source=words.label("asked_source"),
    )
    passes = next(k for k in range(1000) if proportion_scored(rate / 100, k) >= NEARLY_ALL)
    st.markdown(words.section("signal.notice", rate=rate, passes=passes))
    show_source(passes_for_as_many, proportion_scored, key="prediction_and_loss_signal_code")
