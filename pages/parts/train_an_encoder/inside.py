"""Inside the encoder as it is now: where its heads look, and what it places near what."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.bars import bars_svg
from mlm_core.figures.encoder.heads import heads_svg
from mlm_core.number_format import formatted
from pages.parts.train_an_encoder import runs
from pages.shared.caches import cache_training
from pages.shared.figures.show import keep, show_drawing
from pages.shared.figures.table import Table, table_of_heads
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.encoder.language_model import OwnModel
    from mlm_core.small_runs.snapshot import Snapshot
    from mlm_core.text.tokens import TokenizedText

SLUG = "train_an_encoder"
N_NEAR = 6


@part
def show(page: Page) -> None:
    """Show attention, neighbours in the embedding table, and neighbours in context."""
    from mlm_core.text.tokens import tokenize

    words = page.words
    st.markdown(words.section("inside.lead"))
    found = runs.choose_snapshot(page)
    if found is None:
        return
    title, snapshot = found
    steps = {str(i): formatted(one.step, ",") for i, one in enumerate(snapshot.checkpoints)}
    at = len(steps) - 1
    if len(steps) > 1:
        at = int(
            inputs.step(
                words.label("inside_step"), steps, key=f"{SLUG}_inside_step", default=str(at)
            )
        )
    sentence = inputs.text(
        words.label("inside_sentence"), words.label("inside_default"), key=f"{SLUG}_inside_text"
    )
    model = cache_training.model_at(snapshot, at)
    text = tokenize(model.tokenizer, sentence, max_tokens=model.max_tokens)
    inputs.say_what_was_left_out(text)
    source = words.label("inside_source", run=title, step=steps[str(at)])
    _heads(page, model, text, snapshot, source)
    _neighbours(page, model, text, snapshot, at, source)


def _heads(
    page: Page, model: "OwnModel", text: "TokenizedText", snapshot: "Snapshot", source: str
) -> None:
    words = page.words
    causal = snapshot.settings.objective == "next_word"
    weights = [layer[0].numpy() for layer in model.encode(text, causal=causal, record=True).weights]
    st.subheader(words.label("inside_heads_title"), anchor=False)
    st.markdown(words.section("inside.heads_causal" if causal else "inside.heads"))
    show_drawing(
        heads_svg(
            weights,
            layer_word=words.label("layer"),
            head_word=words.label("head"),
            alt=words.plain("inside_heads_alt", n=model.n_layers * model.n_heads),
        ),
        key=f"{SLUG}_heads",
        table=lambda: table_of_heads(weights, text.texts),
        source=source,
    )


def _neighbours(
    page: Page,
    model: "OwnModel",
    text: "TokenizedText",
    snapshot: "Snapshot",
    at: int,
    source: str,
) -> None:
    from mlm_core.probing.neighbours import nearest_occurrences, nearest_tokens

    words = page.words
    st.subheader(words.label("inside_near_title"), anchor=False)
    default = next((i for i, token in enumerate(text.tokens) if token.text == "bank"), 1)
    position = inputs.position(
        words.label("inside_token"), text.texts, key=f"{SLUG}_inside_token", default=default
    )
    token = text.tokens[position]
    table, context = st.columns(2, gap="large")
    with table:
        st.markdown(words.section("inside.near_tokens", token=token.text))
        near = nearest_tokens(model, token.id, N_NEAR)
        show_drawing(
            bars_svg(
                [one.text for one in near],
                [max(0.0, one.cosine) for one in near],
                longest=1.0,
                alt=words.plain("inside_near_alt", token=token.text),
            ),
            key=f"{SLUG}_near",
            table=Table({"token": [n.text for n in near], "cosine": [n.cosine for n in near]}),
            source=source,
        )
    with context:
        st.markdown(words.section("inside.near_places", token=token.text))
        bank = cache_training.state_bank(snapshot, at)
        near_words = nearest_occurrences(model, bank, text, [position], N_NEAR)
        lines = [
            words.section(
                "inside.place",
                before=one.occurrence.text[: one.occurrence.start],
                word=one.occurrence.target,
                after=one.occurrence.text[one.occurrence.end :],
                cosine=formatted(one.cosine, ".2f"),
            )
            for one in near_words
        ]
        st.markdown("\n".join(f"- {line}" for line in lines))
        keep(
            f"{SLUG}_near_places",
            table=Table(
                [
                    {"word": of.target, "cosine": one.cosine, "sentence": of.text}
                    for one in near_words
                    for of in (one.occurrence,)
                ]
            ),
            source=source,
        )
    st.markdown(words.section("inside.notice"))
    show_source(nearest_tokens, nearest_occurrences, key=f"{SLUG}_inside_code")
