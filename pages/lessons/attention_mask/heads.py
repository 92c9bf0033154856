"""Every layer and head of the model at once, on the learner's sentence."""

from functools import partial

from mlm_core.figures.encoder.heads import heads_svg
from pages.kit.part import Part, part, table_of_heads

# Pixels; a deep model's heads are drawn smaller, so that all fit on a screen or two.
WIDE, NARROW, DEEP = 150, 64, 6


@part()
def show(p: Part) -> None:
    """Draw all heads' weights side by side; a click opens one."""
    model = p.model
    p.say("lead")
    tokens, encoding = p.encoding(p.text("text"))
    p.say_what_was_left_out(tokens)
    weights = [layer[0].numpy() for layer in encoding.weights]

    def open_head(value: str) -> None:
        layer, _, head = value.partition(",")
        p.choose("layer", str(int(layer) + 1))
        p.choose("head", str(int(head) + 1))
        p.choose("kind", "bidirectional")
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
    )
    p.say("notice")
