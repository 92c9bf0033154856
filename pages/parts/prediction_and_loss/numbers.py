"""One chosen place opened: h, the transform, u, softmax and -log P as numbers."""

import math

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.encoder.bert import strips_html
from mlm_core.figures.prediction.losses import (
    logit_arithmetic,
    softmax_arithmetic,
    surprise_arithmetic,
)
from mlm_core.number_format import formatted
from pages.parts.prediction_and_loss import setting
from pages.parts.prediction_and_loss.setting import Setting
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

N_GUESSES = 6


@part
def show(page: Page) -> None:
    """Follow one place and one vocabulary entry from the encoder's state to the loss."""
    from mlm_core.encoder.bert import MaskedLanguageHead
    from mlm_core.prediction.fillers import top_fillers
    from mlm_core.prediction.masked_words import predict

    words = page.words
    st.markdown(words.section("numbers.lead"))
    now = setting.current(page)
    if now is None:
        return
    with st.container(horizontal=True):
        place = setting.choose_place(page, now)
        entry = inputs.choice(
            words.label("entry"),
            {name: words.label(f"entry_{name}") for name in ("true", "best")},
            key="prediction_and_loss_entry",
        )
    predictions, logits = now.predictions, now.predictions.logits[place]
    fillers = top_fillers(logits, N_GUESSES)
    id_ = predictions.true_ids[place] if entry == "true" else fillers[0].id
    name = setting.token_name(page, id_)
    _vectors(page, now, place, id_, name)
    probability = predictions.probabilities[place, id_].item()
    st.markdown(words.section("numbers.softmax", n=formatted(len(logits), ","), word=name))
    st.latex(softmax_arithmetic(logits[id_].item(), logits.logsumexp(dim=-1).item(), probability))
    guesses = [(setting.token_name(page, filler.id), filler.probability) for filler in fillers]
    show_drawing(
        bars_svg(
            [guess for guess, _ in guesses],
            [p for _, p in guesses],
            longest=1.0,
            alt=words.plain("numbers_alt"),
        ),
        key="prediction_and_loss_distribution",
        table=lambda: _distribution(page, now, place),
        source=words.label(
            "numbers_source", model=page.model_name, position=predictions.positions[place]
        ),
    )
    total = predictions.probabilities[place].sum().item()
    st.markdown(words.section("numbers.sum", total=formatted(total, ".4f")))
    st.markdown(words.section(f"numbers.loss_{entry}", word=name))
    loss = -predictions.logits[place].log_softmax(dim=-1)[id_].item()
    st.latex(surprise_arithmetic(probability, loss))
    show_source(predict, MaskedLanguageHead, key="prediction_and_loss_numbers_code")


def _vectors(page: Page, now: Setting, place: int, id_: int, name: str) -> None:
    """Show h, the transformed h, and their way to one logit, where the model shows them."""
    words, bert = page.words, cache.model(page.model_name).bert
    predictions = now.predictions
    if bert is None or predictions.states is None or predictions.transformed is None:
        st.info(words.section("numbers.other_model", model=page.model_name), icon=":material/info:")
        return
    state, transformed = predictions.states[place], predictions.transformed[place]
    row = bert.embeddings.token.weight[id_].detach()
    st.markdown(words.section("numbers.states", n=len(state)))
    signs = ("h", "t", "E")
    vectors = [vector.tolist() for vector in (state, transformed, row)]
    show_drawing(
        strips_html(
            [
                (sign, words.plain(f"vector_{sign}"), v)
                for sign, v in zip(signs, vectors, strict=True)
            ],
            [math.hypot(*vector) for vector in vectors],
            length_sign=words.plain("vector_length"),
            alt=words.plain("vectors_alt"),
        ),
        key="prediction_and_loss_vectors",
        table=Table(dict(zip(signs, vectors, strict=True))),
        source=words.label(
            "vectors_source", model=page.model_name, position=predictions.positions[place], n=name
        ),
    )
    bias = bert.masked_language_head.bias[id_].item()
    logit = predictions.logits[place, id_].item()
    st.markdown(words.section("numbers.logit", word=name))
    st.latex(logit_arithmetic(vectors[1], vectors[2], bias, logit))


def _distribution(page: Page, now: Setting, place: int) -> Table:
    """Return the likeliest thousand entries with logit and probability."""
    best = now.predictions.logits[place].topk(min(1000, now.predictions.logits.shape[1]))
    return Table(
        {
            "token": [setting.token_name(page, id_) for id_ in best.indices.tolist()],
            "logit": best.values.tolist(),
            "probability": now.predictions.probabilities[place][best.indices].tolist(),
        }
    )
