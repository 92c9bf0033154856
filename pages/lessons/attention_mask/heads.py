"""Every layer and head of the model at once, on the learner's sentence."""

from functools import partial

from mlm_core.figures.encoder.heads import heads_svg
from pages.kit.part import Part, part, table_of_heads
from pages.lessons.attention_mask.setting import choose_mask, encode

# Pixels; a deep model's heads are drawn smaller, so that all fit on a screen or two.
WIDE, NARROW, DEEP = 150, 64, 6


@part()
def show(p: Part) -> None:
    """Draw all heads' weights side by side, under either mask; a click opens one."""
    model = p.model
    p.say("lead")
    text, mask = p.text("text"), choose_mask(p)
    tokens, encoding = encode(p, text, mask)
    weights = [layer[0].numpy() for layer in encoding.weights]

    def open_head(value: str) -> None:
        layer, _, head = value.partition(",")
        p.choose("layer", str(int(layer) + 1))
        p.choose("head", str(int(head) + 1))
        p.choose("part", "flow", on_whole_page=True)

    p.figure(
        "heads",
        partial(
            heads_svg,
            weights,
            layer_word=p.label("layer"),
            head_word=p.label("head"),
            widest=NARROW if model.n_layers > DEEP else WIDE,
        ),
        lambda: table_of_heads(weights, tokens.texts),
        on_click=open_head,
        layers=model.n_layers,
        heads=model.n_heads,
        mask=p.label(f"mask_{mask}"),
    )
    p.say("notice")
