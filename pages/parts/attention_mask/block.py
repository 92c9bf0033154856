"""One encoder block: shapes and parameters of every step, and one token's way through it."""

from dataclasses import replace
from functools import partial

import streamlit as st

from mlm_core.encoder.bert import BertConfig, Encoding
from mlm_core.encoder.block_steps import BlockRow, block_rows, follow_token, run_block
from mlm_core.figures.encoder.block import block_svg, length_chart
from mlm_core.number_format import formatted
from mlm_core.text.tokens import TokenizedText
from pages.parts.attention_mask.setting import choose_layer, who_looks
from pages.shared.caches import cache
from pages.shared.course.core_messages import translated
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

OWN = "model"  # the option that stands for the model's own size
SIZES = {  # by control: the field of BertConfig, and what it can be changed to
    "block_hidden": ("hidden_size", (64, 128, 256, 512, 768, 1024)),
    "block_heads": ("n_heads", (1, 2, 4, 8, 12, 16)),
    "block_inner": ("intermediate_size", (256, 512, 1024, 2048, 3072, 4096)),
}


@part(code=("encoder.block_steps:run_block", "encoder.block_steps:block_rows"))
def show(p: Part) -> None:
    """Draw the block with its shapes, let sizes change, follow one token through it."""
    model = cache.model(p.model_name)
    p.say("lead")
    if model.bert is None:
        p.note("other_model", model=p.model_name)
        return
    text, encoding = cache.encoding(p.model_name, p.text("text"))
    inputs.say_what_was_left_out(text)
    config, n_tokens = model.bert.config, len(text.tokens)
    figure, settings = st.columns([3, 2], gap="large")
    with settings:
        changed, batch_size = _choose_sizes(p, config)
        real = block_rows(config, batch_size=1, n_tokens=n_tokens)
        rows = block_rows(changed, batch_size=batch_size, n_tokens=n_tokens)
        total, own = (sum(row.n_parameters for row in some) for some in (rows, real))
        st.metric(
            p.label("total"),
            formatted(total, ","),
            p.label("delta", more=total - own) if total != own else None,
            delta_color="off",
            # Streamlit doesn't take a true minus sign for one.
            delta_arrow="down" if total < own else "auto",
        )
    with figure:
        _draw(p, rows, real, config)
    p.say("notice")
    st.divider()
    p.say("follow")
    _follow(p, text, encoding)


def _choose_sizes(p: Part, config: BertConfig) -> tuple[BertConfig, int]:
    """Return the sizes that the learner chose; the model's own where they make no encoder."""
    sizes = {}
    for name, (field, choices) in SIZES.items():
        own = getattr(config, field)
        others = {str(size): str(size) for size in choices if size != own}
        chosen = p.choice(name, {OWN: p.label("same", n=own)} | others)
        sizes[field] = own if chosen == OWN else int(chosen)
    batch_size = p.slider("block_texts")

    def reset() -> None:
        for name in SIZES:
            inputs.choose(p.key(name), OWN)
        st.session_state[p.key("block_texts")] = 1

    p.button("block_reset", reset, icon="restart_alt")
    try:
        return replace(config, **sizes), batch_size
    except ValueError as error:
        p.warn("bad_sizes", icon="error", reason=translated(str(error)))
        return config, batch_size


def _draw(
    p: Part, rows: tuple[BlockRow, ...], real: tuple[BlockRow, ...], config: BertConfig
) -> None:
    names = {row.name: p.label(f"step_{row.name}") for row in rows}
    told = {"parameters": p.label("parameters"), "before": p.label("was")}
    p.figure(
        "block",
        partial(block_svg, rows, real, names, **told),
        {
            "step": list(names.values()),
            "formula": [row.formula for row in rows],
            "shape": [str(list(row.shape)) for row in rows],
            "parameters": [row.n_parameters for row in rows],
            "model_shape": [str(list(row.shape)) for row in real],
            "model_parameters": [row.n_parameters for row in real],
        },
        n=real[0].shape[1],
        **vars(config),
    )


def _follow(p: Part, text: TokenizedText, encoding: Encoding) -> None:
    """Let the learner choose layer and token; draw the vector's length step by step."""
    import torch

    with st.container(horizontal=True, vertical_alignment="bottom"):
        layer = choose_layer(p)
        position = who_looks(p, text.texts)
    bert = cache.model(p.model_name).bert
    assert bert is not None  # the opening is drawn for no other
    block = bert.blocks[layer - 1]
    with torch.inference_mode():
        steps = follow_token(run_block(block, encoding.states[layer - 1]), position)
    names = {step.name: p.label(f"step_{step.name}") for step in steps}
    p.figure(
        "lengths",
        length_chart(steps, names, x_title=p.label("length_x")),
        {
            "step": [step.name for step in steps],
            "numbers": [step.size for step in steps],
            "length": [step.length for step in steps],
            "mean": [step.mean for step in steps],
            "standard_deviation": [step.deviation for step in steps],
            "first_three": [" ".join(formatted(x, ".4f") for x in step.first) for step in steps],
        },
        layer=layer,
        token=text.texts[position],
    )
    p.say("length_notice")
