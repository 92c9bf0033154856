"""The controls of this lesson."""

from pages.shared.link.controls import OPENING, choice, drawn, text

CONTROLS = (
    text("text", at=OPENING),
    drawn("followed", at=OPENING),
    text("sentence", follows="text", at="which_words", label="text"),
    choice("layer", at="which_words", start="8", label="attention_layer"),
    choice("exercise_which", at="exercises", label="choose", words="exercises", start="rank"),
)
