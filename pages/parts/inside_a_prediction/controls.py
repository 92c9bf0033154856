"""The controls of this lesson."""

from pages.shared.link.controls import OPENING, choice, drawn, step, text

CONTROLS = (
    text("text", at=OPENING),
    drawn("followed", at=OPENING),
    text("sentence", follows="text", at="which_words break_it", label="text"),
    choice("layer", at="which_words", start="8", label="attention_layer"),
    drawn("off", at="break_it"),
    step("bits", at="break_it", start="32"),
    choice("measured", ("loss", "blank"), at="break_it"),
    choice(
        "exercise_which", at="exercises", label="choose", words="exercises", start="needed_head"
    ),
)
