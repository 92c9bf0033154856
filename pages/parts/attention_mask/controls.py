"""The controls of this lesson."""

from pages.shared.link.controls import OPENING, choice, drawn, position, slider, text

CONTROLS = (
    text("first", at=OPENING),
    text("second", at=OPENING),
    choice("switch", ("causal", "bidirectional"), at=OPENING, label="mask"),
    choice("word", at=OPENING, start="bank"),
    text("text", follows="first", at="flow chain heads block three_masks precision cost"),
    choice(
        "kind",
        ("causal", "bidirectional", "padding", "drawn"),
        at="flow chain heads",
        label="mask",
        start="bidirectional",
        elsewhere={"flow": {"start": "causal"}, "chain": {"start": "causal"}},
    ),
    # Where the bundled model's attention is spread over several tokens; many heads of higher
    # layers give nearly all of it to one.
    choice("layer", at="flow chain block precision", start="1"),
    choice("head", at="flow chain precision", start="4"),
    position(
        "query",
        at="flow chain block precision",
        start="2",
        elsewhere={"block": {"label": "block_token"}},
    ),
    drawn("drawn", at="flow chain heads", when={"kind": "drawn"}),
    slider(
        "padding",
        1,
        6,
        3,
        at="flow chain heads three_masks",
        elsewhere={
            "flow": {"when": {"kind": "padding"}},
            "chain": {"when": {"kind": "padding"}},
            "heads": {"when": {"kind": "padding"}},
        },
    ),
    choice("stage", ("scores", "scaled_scores", "masked_scores", "weights", "output"), at="chain"),
    position("key", at="chain", start="1"),
    position("number", at="chain", start="0", when={"stage": "output"}),
    choice("block_hidden", at="block", start="model"),
    choice("block_heads", at="block", start="model"),
    choice("block_inner", at="block", start="model"),
    slider("block_texts", 1, 32, 1, at="block"),
    text("cloze", at="cloze"),
    position("hidden", at="three_masks", start="3"),
    drawn("e", at="worked"),
    choice(
        "worked_mask",
        ("causal", "bidirectional"),
        at="worked",
        options_label="mask",
        start="bidirectional",
    ),
    choice("worked_scale", ("on", "off"), at="worked"),
    drawn("wq", at="worked"),
    drawn("wk", at="worked"),
    drawn("wv", at="worked"),
    choice(
        "worked_step",
        ("scores", "scaled_scores", "masked_scores", "weights", "output"),
        at="worked",
        options_label="worked",
        start="weights",
    ),
    choice("worked_row", at="worked", start="1"),
    choice("worked_column", at="worked", start="1"),
    choice("row", ("part", "all"), at="precision"),
    choice("type", at="precision", start="float16"),
    choice("constant", ("inf", "1e9", "65504", "1e4"), at="precision", start="1e9"),
    choice("way", ("write", "add", "multiply"), at="precision"),
    choice("count", ("scores", "products", "bytes"), at="cost"),
    slider("n", 16, 1024, 256, at="cost", step=16),
    choice(
        "exercise_which", at="exercises", label="choose", words="exercises", start="nonzero_weights"
    ),
    text("exercise_text", at="exercises", label="text", words="exercises"),
)
