"""The input stack: token + position + segment embedding, then LayerNorm, from real weights."""

from functools import partial

import streamlit as st

from mlm_core.figures.chips import chip_row
from mlm_core.figures.encoder.bert import strips_html
from mlm_core.text.tokens import tokenize
from pages.shared.caches import cache
from pages.shared.figures.clickable import drawing
from pages.shared.kit.part import Part, part
from pages.shared.link import inputs

ROWS = {"token": "", "position": "+", "segment": "+", "total": "=", "normalized": "→"}


@part(code=("encoder.bert:Embeddings",))
def show(p: Part) -> None:
    """Show the three summands of one token, their sum and its LayerNorm."""
    p.say("lead")
    model = cache.model(p.model_name)
    if model.bert is None:
        p.note("no_bert", model=p.model_name)
        return
    settings = st.container(horizontal=True, vertical_alignment="bottom")
    with settings, st.popover(p.label("texts"), icon=":material/edit:"):
        text, pair = p.text("part_text"), p.text("pair")
    if not text.strip():
        p.note("empty", icon="edit")
        return
    second = pair if pair.strip() else None
    cut = tokenize(model.tokenizer, text, second, max_tokens=model.max_tokens)
    inputs.say_what_was_left_out(cut)
    with settings:
        position = p.position("stack_position", cut.texts, default=1)
    drawing(
        chip_row(cut.tokens, selected=(position,), clickable=True, label=p.plain("chips")),
        key=p.key("stack_chips"),
        on_click=lambda value: inputs.choose(p.key("stack_position"), value),
    )
    import torch

    with torch.inference_mode():
        steps = model.bert.embeddings.steps(
            torch.tensor([cut.ids]), torch.tensor([cut.segment_ids])
        )
    vectors = {p.plain(name): getattr(steps, name)[0, position] for name in ROWS}
    numbers = {name: vector.tolist() for name, vector in vectors.items()}
    token = cut.tokens[position]
    segment = ("A", "B")[token.segment]
    p.say("one", token=token.text, id=token.id, position=position, segment=segment)
    n = steps.total.shape[-1]
    p.figure(
        "stack",
        partial(
            strips_html,
            list(zip(ROWS.values(), numbers.keys(), numbers.values(), strict=True)),
            [vector.norm().item() for vector in vectors.values()],
            length_sign=p.plain("length"),
        ),
        {"number": range(n)} | numbers,
        token=token.text,
        n=n,
    )
    first = [vector[0] for vector in numbers.values()]
    p.say("sum", **dict(zip(ROWS, first, strict=True)))
    p.say("notice")
