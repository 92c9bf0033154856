"""The row of this lesson, and those of its controls."""

from mlm_core.text.words import first_half
from pages.kit.rows import OPENING, Lesson, choice, drawn, exercises, position, slider, text

FEWEST_WORDS = 4  # of a sentence whose beginning is another one


def with_its_beginning(text: str) -> dict[str, str] | None:
    """Return a learner's sentence and its first half: they have words, but not the rest, alike."""
    if len(text.split()) < FEWEST_WORDS or "[MASK]" in text:
        return None
    return {"first": text, "second": first_half(text).rstrip(",;:.!?") + "."}


LESSON = Lesson(
    slug="attention_mask",
    file="pages/2_attention_mask.py",
    icon=":material/grid_on:",
    opening=("contrast",),
    parts=(
        "flow",
        "worked",
        "three_masks",
        "whole",
        "heads",
        "one_head",
        "cost",
        "in_short",
        "exercises",
    ),
    moved={
        "block": "train_an_encoder/block",
        "chain": "worked",
        "cloze": "prediction_and_loss/causal",
        "precision": "three_masks",
        "compare": "look_it_up/compare",
    },
    core=("flow", "worked", "three_masks", "in_short", "exercises"),
    minutes=14,
    notebook="1_fill_a_blank.ipynb",
    examples_in=("de",),
    views={
        "softmax_weight": "worked",
        "draw_mask": "flow",
        "n_scores": "cost",
        "which_mask": "three_masks",
        "same_vectors": OPENING,
    },
    fits=with_its_beginning,
)

CONTROLS = (
    text("first", at=OPENING, carries=True),
    text("second", at=OPENING),
    choice("switch", ("causal", "bidirectional"), at=OPENING, label="mask"),
    choice("word", shared_by=("first", "second"), at=OPENING),
    text(
        "text",
        follows="first",
        at="flow worked whole heads one_head three_masks cost",
        elsewhere={"worked": {"when": {"example": "sentence"}}},
    ),
    choice(
        "kind",
        ("causal", "bidirectional", "padding", "drawn"),
        at="flow",
        label="mask",
    ),
    # Where the bundled model's attention is spread over several tokens; many heads of higher
    # layers give nearly all of it to one.
    choice(
        "layer",
        at="flow worked one_head",
        start="1",
        elsewhere={"worked": {"when": {"example": "sentence"}}},
    ),
    choice(
        "head",
        at="flow worked one_head",
        start="4",
        elsewhere={"worked": {"when": {"example": "sentence"}}},
    ),
    position("query", at="flow", start="2"),
    drawn("drawn", at="flow", when={"kind": "drawn"}),
    slider(
        "padding",
        1,
        6,
        3,
        at="flow three_masks",
        elsewhere={"flow": {"when": {"kind": "padding"}}},
    ),
    position("hidden", at="three_masks"),
    position("followed", at="whole"),
    text("one_head_word", at="one_head", points=False),
    choice("example", ("toy", "sentence"), at="worked"),
    choice(
        "worked_mask",
        ("causal", "bidirectional"),
        at="worked",
        options_label="mask",
        start="bidirectional",
    ),
    choice("stage", ("scores", "scaled_scores", "masked_scores", "weights", "output"), at="worked"),
    drawn("cell", at="worked"),
    choice("worked_scale", ("on", "off"), at="worked", when={"example": "toy"}),
    drawn("e", at="worked", points=False, when={"example": "toy"}),
    drawn("wq", at="worked", points=False, when={"example": "toy"}),
    drawn("wk", at="worked", points=False, when={"example": "toy"}),
    drawn("wv", at="worked", points=False, when={"example": "toy"}),
    choice("count", ("scores", "products", "bytes"), at="cost"),
    *exercises("softmax_weight"),
)
