"""-log P as surprise: from certain to one in the vocabulary, with the learner's own word."""

import math
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.prediction.losses import dial_svg, loss_curve
from mlm_core.figures.theme import significant
from mlm_core.number_format import formatted
from pages.parts.prediction_and_loss import setting, typed
from pages.shared.figures.show import show_chart, show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source

if TYPE_CHECKING:
    from mlm_core.shapes import Tensor


@part
def show(page: Page) -> None:
    """Put the words of one place, and the ends of the scale, on one dial and on the curve."""
    words = page.words
    st.markdown(words.section("surprise.lead"))
    now = setting.current(page)
    if now is None:
        return
    place, own = setting.choose_place_and_word(
        page, now, label="own_word", key="prediction_and_loss_own"
    )
    probabilities = now.predictions.probabilities[place]
    n_entries = len(probabilities)
    chosen = {
        "certain": None,
        "best": int(probabilities.argmax()),
        "true": now.predictions.true_ids[place],
        "own": typed.one_piece(page, own) if own.strip() else None,
        "uniform": None,
    }
    rows = _rows(page, chosen, probabilities)
    table = _table(rows)
    source = words.label(
        "surprise_source", model=page.model_name, position=now.predictions.positions[place]
    )
    show_drawing(
        dial_svg(
            [(kind, name, -math.log(p)) for kind, name, p in rows],
            largest=math.log(n_entries),
            alt=words.plain("surprise_alt"),
        ),
        key="prediction_and_loss_surprise",
        table=table,
        source=source,
    )
    st.markdown(
        words.section(
            "surprise.dial", n=formatted(n_entries, ","), most=formatted(math.log(n_entries), ".2f")
        )
    )
    show_chart(
        loss_curve(rows, x_title=words.plain("curve_x"), y_title=words.plain("curve_y")),
        key="prediction_and_loss_curve",
        alt=words.plain("curve_alt"),
        table=table,
        source=source,
    )
    st.markdown(words.section("surprise.curve"))
    from mlm_core.prediction.masked_words import perplexity, predict

    st.markdown(
        words.section(
            "surprise.perplexity",
            loss=formatted(now.predictions.loss, ".2f"),
            perplexity=significant(now.predictions.perplexity, 3),
        )
    )
    show_source(predict, perplexity, key="prediction_and_loss_surprise_code")


def _rows(
    page: Page, chosen: dict[str, int | None], probabilities: "Tensor"
) -> list[tuple[str, str, float]]:
    """Return each entry's kind, its name and its probability, the likeliest first."""
    rows = []
    for kind, id_ in chosen.items():
        probability = {"certain": 1.0, "uniform": 1 / len(probabilities)}.get(kind)
        name = ""
        if probability is None:
            if id_ is None:
                continue
            probability, name = max(probabilities[id_].item(), 1e-30), setting.token_name(page, id_)
        rows.append((kind, page.words.plain(f"surprise_{kind}", word=name), probability))
    return sorted(rows, key=lambda row: -row[2])


def _table(rows: list[tuple[str, str, float]]) -> Table:
    return Table(
        {
            "word": [name for _, name, _ in rows],
            "probability": [p for _, _, p in rows],
            "one_in": [1 / p for _, _, p in rows],
            "nats": [-math.log(p) for _, _, p in rows],
            "bits": [-math.log2(p) for _, _, p in rows],
        }
    )
