"""The controls of this lesson."""

from pages.shared.link.controls import OPENING, choice, drawn, step, text

MOST_WORDS = 12  # in a template's slot: each takes a pass

CONTROLS = (
    text("text", at=OPENING),
    drawn("followed", at=OPENING),
    text("sentence", follows="text", at="which_words break_it knows", label="text"),
    choice("layer", at="which_words", start="8", label="attention_layer"),
    drawn("off", at="break_it", points=False),
    step("bits", at="break_it", start="32"),
    choice("measured", ("loss", "blank"), at="break_it"),
    choice("knows_task", ("part_of_speech", "number"), at="knows"),
    choice("knows_read_at", ("blank", "word"), at="knows"),
    text("expects_words", at="expects", values={"most": MOST_WORDS}),
    text("expects_answers", at="expects"),
    text("expects_word_first", at="expects"),
    text("expects_blank_first", at="expects"),
    choice(
        "exercise_which", at="exercises", label="choose", words="exercises", start="needed_head"
    ),
)
