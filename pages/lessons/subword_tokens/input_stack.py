"""The input stack: token + position + segment embedding, then LayerNorm, from real weights."""

from functools import partial

import torch

from mlm_core.figures.chips import chip_row
from mlm_core.figures.encoder.bert import strips_html
from pages.kit.part import Part, part

ROWS = {"token": "", "position": "+", "segment": "+", "total": "=", "normalized": "→"}


@part(code=("encoder.bert:Embeddings",))
def show(p: Part) -> None:
    """Show the three summands of one token, their sum and its LayerNorm."""
    p.say("lead")
    model = p.model
    if model.bert is None:
        p.note("no_bert", model=p.model_name)
        return
    settings = p.row()
    with settings, p.popover("texts", "edit"):
        text, pair = p.text("part_text"), p.text("pair")
    if not text.strip():
        p.note("empty", icon="edit")
        return
    second = pair if pair.strip() else None
    cut = p.tokens(text, second)
    with settings:
        position = p.position("stack_position", cut.texts, default=1)
    p.drawing(
        "stack_chips",
        chip_row(cut.tokens, selected=(position,), clickable=True, label=p.plain("chips")),
        lambda value: p.choose("stack_position", value),
    )
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
