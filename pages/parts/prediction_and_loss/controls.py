"""The controls of this lesson."""

from pages.shared.link.controls import OPENING, choice, drawn, slider, step, text

CONTROLS = (
    text("text", at=OPENING),
    drawn("marks", at=OPENING),
    text("cloze", at=OPENING),
    text("word", at=OPENING),
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
    text("left", follows="cloze", at="causal"),
    text("first", follows="text", at="sentences"),
    text("second", at="sentences"),
    choice("pieces", ("seen", "hidden"), at="sentences"),
    choice("exercise_which", at="exercises", label="choose", words="exercises", start="mean_loss"),
)
