"""One encoder block: shapes and parameters of every step, and one token's way through it."""

from functools import partial

import torch

from mlm_core.encoder.attention import causal_mask
from mlm_core.encoder.bert import BertConfig
from mlm_core.encoder.block_steps import block_rows, follow_token, run_block
from mlm_core.encoder.language_model import OwnModel
from mlm_core.figures.encoder.block import block_svg, length_chart
from mlm_core.number_format import formatted
from mlm_core.text.tokens import TokenizedText
from pages.kit.caches import cache_training
from pages.kit.part import Part, part
from pages.lessons.train_an_encoder import runs


@part(code=("encoder.block_steps:run_block", "encoder.block_steps:block_rows"))
def show(p: Part) -> None:
    """Draw a run's block with its shapes; follow one token through it."""
    p.say("lead")
    found = runs.choose_snapshot(p)
    if found is None:
        return
    title, snapshot = found
    model = cache_training.model_at(snapshot)
    text = p.tokens(p.text("inside_text"), model=model)
    shapes, lengths = p.columns(gap="large")
    with shapes:
        _draw(p, model.bert.config, len(text.tokens), title)
    with lengths:
        _follow(p, model, text, snapshot.settings.objective == "next_word", title)
    p.say("notice")


def _draw(p: Part, config: BertConfig, n_tokens: int, title: str) -> None:
    rows = block_rows(config, batch_size=1, n_tokens=n_tokens)
    names = {row.name: p.label(f"step_{row.name}") for row in rows}
    p.figure(
        "block",
        partial(block_svg, rows, names, parameters=p.label("parameters")),
        {
            "step": list(names.values()),
            "formula": [row.formula for row in rows],
            "shape": [str(list(row.shape)) for row in rows],
            "parameters": [row.n_parameters for row in rows],
        },
        run=title,
        n=n_tokens,
        total=sum(row.n_parameters for row in rows),
        **vars(config),
    )


def _follow(p: Part, model: OwnModel, text: TokenizedText, causal: bool, title: str) -> None:
    """Let the learner choose layer and token; draw the vector's length step by step."""
    p.say("follow")
    layer = int(p.choice("block_layer", [str(i) for i in range(1, model.n_layers + 1)]))
    position = p.position("inside_token", text.texts, default=min(2, len(text.tokens) - 1))
    states = model.encode(text, causal=causal).states[layer - 1]
    mask = causal_mask(len(text.tokens)) if causal else None
    with torch.inference_mode():
        steps = follow_token(run_block(model.bert.blocks[layer - 1], states, mask), position)
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
        run=title,
        layer=layer,
        token=text.texts[position],
    )
