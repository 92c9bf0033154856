"""The row of this lesson, and those of its controls."""

from mlm_core.text.words import with_blanks
from pages.kit.rows import OPENING, Lesson, choice, drawn, exercises, slider, step, text


def whole_and_with_blank(text: str) -> dict[str, str] | None:
    """Return a learner's sentence for the machine, and with a blank for the guess."""
    if "[MASK]" in text:
        return {"cloze": text}
    blank = with_blanks(text)
    return {"text": text, "cloze": blank} if blank else {"text": text}


LESSON = Lesson(
    slug="prediction_and_loss",
    file="pages/4_prediction_and_loss.py",
    icon=":material/percent:",
    opening=("machine", "guess"),
    parts=(
        "numbers",
        "positions",
        "step",
        "surprise",
        "blanks",
        "write",
        "causal",
        "sentences",
        "in_short",
        "exercises",
    ),
    moved={
        "questions": "positions",
        "task": "exercises",
        "temperature": "surprise",
        "signal": "positions",
    },
    core=("numbers", "positions", "in_short", "exercises"),
    minutes=13,
    notebook="1_fill_a_blank.ipynb",
    examples_in=("de",),
    views={
        "mean_loss": "positions",
        "one_step": "step",
        "perplexity": "numbers",
        "top_five": OPENING,
        "two_blanks": "blanks",
    },
    fits=whole_and_with_blank,
)

CONTROLS = (
    text("text", at=OPENING, carries=True),
    drawn("marks", at=OPENING),
    text("cloze", at=OPENING),
    text("word", at=OPENING, asks=True),
    choice("place", at="numbers step surprise", start="2"),
    choice("entry", ("true", "best"), at="numbers"),
    text("step_word", at="step"),
    choice("step_moves", ("bias_and_embedding", "bias"), at="step"),
    step("step_rate", at="step", start="0.003"),
    text("own", at="surprise"),
    slider("temperature", 0.1, 3.0, 0.5, at="surprise", step=0.1),
    choice("count", ("chosen", "all", "rest"), at="positions"),
    step("rate", at="positions", start="15"),
    choice("blanks_kind", ("words", "pieces"), at="blanks"),
    text("blanks", at="blanks"),
    choice("way", ("left_to_right", "most_certain_first"), at="blanks"),
    choice("step", at="blanks", start="2"),
    text("pieces_sentence", at="blanks", when={"blanks_kind": "pieces"}),
    text("pieces_word", at="blanks", when={"blanks_kind": "pieces"}),
    text("write_text", at="write"),
    slider("write_length", 0, 16, 8, at="write"),
    slider("write_steps", 1, None, None, at="write"),
    slider("write_temperature", 0.0, 2.0, 0.0, at="write", step=0.1, label="temperature"),
    choice(
        "write_order",
        ("most_certain_first", "random", "left_to_right"),
        at="write",
        options_label="way",
    ),
    slider("write_seed", 1, 100, 1, at="write"),
    drawn("write_again", at="write"),
    text("left", follows="cloze", at="causal"),
    text("first", follows="text", at="sentences"),
    text("second", at="sentences"),
    choice("pieces", ("seen", "hidden"), at="sentences"),
    *exercises("mean_loss"),
)
