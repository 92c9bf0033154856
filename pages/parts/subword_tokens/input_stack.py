"""The input stack: token + position + segment embedding, then LayerNorm, from real weights."""

from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.figures.chips import chip_row
from mlm_core.figures.encoder.bert import strips_html
from mlm_core.number_format import formatted
from mlm_core.text.tokens import TokenizedText, tokenize
from pages.parts.subword_tokens import setting
from pages.shared.caches import cache
from pages.shared.figures.clickable import drawing
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.encoder.bert import EmbeddingSteps

POSITION = "subword_tokens_stack_position"
N_OPENED = 8  # numbers of each vector that are written out
ROWS = ("token", "position", "segment", "total", "normalized")
SIGNS = ("", "+", "+", "=", "→")


@part
def show(page: Page) -> None:
    """Show the three summands of one token, their sum and its LayerNorm."""
    words, now = page.words, setting.current()
    st.markdown(words.section("stack.lead"))
    model = cache.model(page.model_name)
    if model.bert is None:
        st.info(words.section("stack.no_bert", model=page.model_name), icon=":material/info:")
        return
    pair = inputs.text(words.label("pair"), words.label("default_pair"), key="subword_tokens_pair")
    if now.is_empty:
        setting.say_it_is_empty(page)
        return
    cut = tokenize(
        model.tokenizer, now.text, pair if pair.strip() else None, max_tokens=model.max_tokens
    )
    inputs.say_what_was_left_out(cut)
    position = inputs.position(words.label("stack_choose"), cut.texts, key=POSITION, default=1)
    drawing(
        chip_row(
            cut.tokens, selected=(position,), clickable=True, label=words.plain("stack_chips")
        ),
        key="subword_tokens_stack_chips",
        on_click=lambda value: inputs.choose(POSITION, value),
    )
    _draw(page, cut, position, _steps(model.bert.embeddings, cut))


def _steps(embeddings, cut: TokenizedText) -> "EmbeddingSteps":
    import torch

    with torch.inference_mode():
        return embeddings.steps(torch.tensor([cut.ids]), torch.tensor([cut.segment_ids]))


def _draw(page: Page, cut: TokenizedText, position: int, steps: "EmbeddingSteps") -> None:
    words, token = page.words, cut.tokens[position]
    vectors = [getattr(steps, name)[0, position].tolist() for name in ROWS]
    lengths = [getattr(steps, name)[0, position].norm().item() for name in ROWS]
    names = [words.plain(f"stack_{name}") for name in ROWS]
    st.markdown(
        words.section(
            "stack.one",
            token=token.text,
            id=token.id,
            position=position,
            segment=("A", "B")[token.segment],
        )
    )
    source = words.label("stack_source", model=page.model_name, n=len(vectors[0]), token=token.text)
    show_drawing(
        strips_html(
            list(zip(SIGNS, names, vectors, strict=True)),
            lengths,
            length_sign=words.plain("stack_length"),
            alt=words.plain("stack_alt", token=token.text),
        ),
        key="subword_tokens_stack",
        table=Table({"number": range(len(vectors[0]))} | dict(zip(names, vectors, strict=True))),
        source=source,
    )
    st.markdown(words.section("stack.numbers", n=N_OPENED))
    Table(
        {"": range(N_OPENED)}
        | {
            name: [formatted(number, ".4f") for number in vector[:N_OPENED]]
            for name, vector in zip(names, vectors, strict=True)
        }
    ).show()
    st.markdown(words.section("stack.notice"))
    from mlm_core.encoder.bert import Embeddings

    show_source(Embeddings, key="subword_tokens_stack_code")
