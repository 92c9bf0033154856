"""Left to right: what the causal mask costs the same weights, position by position."""

import streamlit as st

from mlm_core.figures.prediction.losses import loss_rows_chart
from mlm_core.number_format import formatted
from pages.parts.prediction_and_loss import marks
from pages.parts.prediction_and_loss.setting import score_text, sentence
from pages.shared.caches import cache
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs


@part(code=("prediction.fillers:score_positions",))
def show(p: Part) -> None:
    """Hide each word of the sentence in turn and guess it under both masks."""
    p.say("lead")
    text, has_switch = sentence(p), cache.model(p.model_name).bert is not None
    places = marks.may_be_chosen(text)
    if not places:
        p.note("empty", icon="edit")
        return
    if not has_switch:
        p.note("no_switch", model=p.model_name)
    masks = ("bidirectional", "causal") if has_switch else ("bidirectional",)
    losses = {
        mask: [-score.log_probability for score in score_text(p, text, causal=mask == "causal")]
        for mask in masks
    }
    with st.container(horizontal=True):
        for mask in masks:
            st.metric(p.label(f"mean_{mask}"), formatted(sum(losses[mask]) / len(places), ".2f"))
    tokens = [text.texts[i] for i in places]
    rows = [(p.plain(f"mask_{mask}"), losses[mask]) for mask in masks]
    table = {"position": places, "token": tokens} | losses
    p.figure("causal", loss_rows_chart(tokens, rows), table)
    if has_switch:
        worse = sum(c > b for b, c in zip(losses["bidirectional"], losses["causal"], strict=True))
        p.say("count", n=worse, of=len(places))
    p.say("notice")
    # With the model in the link the other lesson opens with the same one.
    model = {"model": st.query_params["model"]} if "model" in st.query_params else {}
    st.page_link(
        "pages/2_attention_mask.py",
        label=p.label("to_compare"),
        icon=":material/compare_arrows:",
        query_params={"attention_mask_part": "compare"} | model,
    )
    inputs.say_what_was_left_out(text)
