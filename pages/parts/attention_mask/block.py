"""One encoder block: shapes and parameters of every step, and one token's way through it."""

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from mlm_core.encoder.block_steps import block_rows, run_block
from mlm_core.figures.encoder.block import block_svg
from mlm_core.number_format import formatted
from pages.parts.attention_mask.setting import sentence
from pages.parts.attention_mask.token_lengths import show_lengths
from pages.shared.caches import cache
from pages.shared.course.core_messages import translated
from pages.shared.figures.show import show_drawing
from pages.shared.figures.table import Table
from pages.shared.frame.page_frame import Page
from pages.shared.frame.parts import part
from pages.shared.frame.source import show_source
from pages.shared.link import inputs

if TYPE_CHECKING:
    from mlm_core.encoder.bert import BertConfig
    from mlm_core.encoder.block_steps import BlockRow

MODELS = "model"  # the option that stands for the model's own size
CHOICES = {
    "hidden": ("hidden_size", (64, 128, 256, 512, 768, 1024)),
    "heads": ("n_heads", (1, 2, 4, 8, 12, 16)),
    "inner": ("intermediate_size", (256, 512, 1024, 2048, 3072, 4096)),
}
MOST_TEXTS = 32


@part
def show(page: Page) -> None:
    """Draw the block with its shapes, let sizes change, follow one token through it."""
    words, model = page.words, cache.model(page.model_name)
    st.markdown(words.section("block.lead"))
    if model.bert is None:
        st.info(words.section("block.other_model", model=page.model_name), icon=":material/info:")
        return
    text, encoding = cache.encoding(page.model_name, sentence(page))
    inputs.say_what_was_left_out(text)
    config, n_tokens = model.bert.config, len(text.tokens)
    figure, settings = st.columns([3, 2], gap="large")
    with settings:
        changed, batch_size = _choose_sizes(page, config)
        real = block_rows(config, batch_size=1, n_tokens=n_tokens)
        rows = block_rows(changed, batch_size=batch_size, n_tokens=n_tokens)
        _total(page, rows, real)
    with figure:
        _draw(page, rows, real, config)
    st.markdown(words.section("block.notice"))
    st.divider()
    st.markdown(words.section("block.follow"))
    show_lengths(page, text, encoding)
    show_source(run_block, block_rows, key="attention_mask_block_code")


def _total(page: Page, rows: "tuple[BlockRow, ...]", real: "tuple[BlockRow, ...]") -> None:
    total, own = (sum(row.n_parameters for row in some) for some in (rows, real))
    st.metric(
        page.words.label("block_total"),
        formatted(total, ","),
        page.words.label("block_delta").format(total - own) if total != own else None,
        delta_color="off",
    )


def _draw(
    page: Page, rows: "tuple[BlockRow, ...]", real: "tuple[BlockRow, ...]", config: "BertConfig"
) -> None:
    words = page.words
    names = {row.name: words.label(f"block_step_{row.name}") for row in rows}
    show_drawing(
        block_svg(
            rows,
            real,
            names,
            parameters=words.label("block_parameters"),
            before=words.label("block_was"),
            alt=words.plain("block_alt"),
        ),
        key="attention_mask_block",
        table=Table(
            {
                "step": list(names.values()),
                "formula": [row.formula for row in rows],
                "shape": [str(list(row.shape)) for row in rows],
                "parameters": [row.n_parameters for row in rows],
                "model_shape": [str(list(row.shape)) for row in real],
                "model_parameters": [row.n_parameters for row in real],
            }
        ),
        source=words.label(
            "block_source",
            model=page.model_name,
            hidden=config.hidden_size,
            heads=config.n_heads,
            inner=config.intermediate_size,
            n=real[0].shape[1],
        ),
    )


# The sizes of an encoder block, to be changed beside those of the real model.


def _choose_sizes(page: Page, config: "BertConfig") -> tuple["BertConfig", int]:
    """Return the sizes that the learner chose; the model's own where they make no encoder."""
    words, sizes = page.words, {}
    for name, (field, choices) in CHOICES.items():
        own = getattr(config, field)
        options = {MODELS: words.label("block_same", n=own)}
        options |= {str(size): str(size) for size in choices if size != own}
        chosen = inputs.choice(
            words.label(f"block_{name}"), options, key=f"attention_mask_block_{name}"
        )
        sizes[field] = own if chosen == MODELS else int(chosen)
    batch_size = inputs.slider(
        words.label("block_texts"),
        1,
        MOST_TEXTS,
        1,
        key="attention_mask_block_texts",
    )
    st.button(words.label("block_reset"), on_click=_reset, icon=":material/restart_alt:")
    try:
        return replace(config, **sizes), batch_size
    except ValueError as error:
        st.warning(
            words.section("block.bad_sizes", reason=translated(str(error))), icon=":material/error:"
        )
        return config, batch_size


def _reset() -> None:
    for name in CHOICES:
        inputs.choose(f"attention_mask_block_{name}", MODELS)
    st.session_state["attention_mask_block_texts"] = 1
