"""Left to right: what the causal mask costs the same weights, place by place."""

import streamlit as st

from mlm_core.figures.prediction.losses import loss_rows_svg
from mlm_core.number_format import formatted
from pages.parts.prediction_and_loss import marks, setting
from pages.parts.prediction_and_loss.scoring import score_text
from pages.shared.caches import cache
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs


@part
def show(page: Page) -> None:
    """Hide each word of the sentence in turn and guess it under both masks."""
    from mlm_core.prediction.fillers import score_positions

    words, model = page.words, cache.model(page.model_name)
    st.markdown(words.section("causal.lead"))
    text = setting.sentence(page)
    places = marks.may_be_chosen(text)
    if not places:
        st.info(words.section("empty"), icon=":material/edit:")
        return
    if model.bert is None:
        st.info(words.section("causal.no_switch", model=page.model_name), icon=":material/info:")
    masks = ("bidirectional", "causal") if model.bert else ("bidirectional",)
    losses = {
        mask: [-score.log_probability for score in score_text(page, text, causal=mask == "causal")]
        for mask in masks
    }
    with st.container(horizontal=True):
        for mask in masks:
            mean = sum(losses[mask]) / len(places)
            st.metric(words.label(f"mean_{mask}"), formatted(mean, ".2f"))
    show_drawing(
        loss_rows_svg(
            [text.texts[i] for i in places],
            [(words.plain(f"mask_{mask}"), losses[mask]) for mask in masks],
            alt=words.plain("causal_alt"),
        ),
        key="prediction_and_loss_causal",
        table=Table({"position": places, "token": [text.texts[i] for i in places]} | losses),
        source=words.label("causal_source", model=page.model_name),
    )
    if model.bert:
        worse = sum(c > b for b, c in zip(*(losses[mask] for mask in masks), strict=True))
        st.markdown(words.section("causal.count", n=worse, of=len(places)))
    st.markdown(words.section("causal.notice"))
    st.page_link(
        "pages/2_attention_mask.py",
        label=words.label("to_compare"),
        icon=":material/compare_arrows:",
        query_params={"attention_mask_part": "compare"} | _model(),
    )
    inputs.say_what_was_left_out(text)
    show_source(score_positions, key="prediction_and_loss_causal_code")


def _model() -> dict[str, str]:
    """Return the model in the link, so that the other lesson opens with the same one."""
    return {"model": st.query_params["model"]} if "model" in st.query_params else {}
