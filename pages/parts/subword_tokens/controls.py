"""The controls of this lesson."""

from pages.shared.link.controls import OPENING, choice, position, step, text

CONTROLS = (
    text("text", at=OPENING),
    step("size", at=OPENING, start="3000"),
    text("surname", at=OPENING),
    text(
        "part_text",
        follows="text",
        label="text",
        at="pieces input_stack algorithms vocabulary",
    ),
    choice("curve", ("corpus", "sentence", "own"), at="vocabulary"),
    choice("tokenizer", at="pieces", start="model"),
    position("position", at="pieces", start="1"),
    choice("algorithm", at="algorithms", start="WordPiece"),
    position("word", at="algorithms", start="4"),
    text("pair", at="input_stack"),
    position("stack_position", at="input_stack", start="1"),
    choice(
        "exercise_which", at="exercises", label="choose", words="exercises", start="longest_match"
    ),
)
