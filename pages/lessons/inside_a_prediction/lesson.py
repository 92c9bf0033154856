"""The row of this lesson, and those of its controls."""

from mlm_core.text.words import with_blanks
from pages.kit.rows import OPENING, Lesson, choice, drawn, exercises, step, text

MOST_WORDS = 12  # in a template's slot: each takes a pass


def with_one_blank(text: str) -> dict[str, str] | None:
    """Return a learner's sentence with one blank, its last word of content if it has none."""
    blank = text if text.count("[MASK]") == 1 else with_blanks(text)
    return {"text": blank} if blank else None


LESSON = Lesson(
    slug="inside_a_prediction",
    file="pages/11_inside_a_prediction.py",
    icon=":material/troubleshoot:",
    opening=("layers",),
    parts=("which_words", "follow", "break_it", "knows", "expects", "in_short", "exercises"),
    core=("which_words", "follow", "in_short", "exercises"),
    minutes=14,
    notebook="4_inside_a_prediction.ipynb",
    examples_in=("de",),
    views={
        "needed_head": "break_it",
        "settled_layer": OPENING,
        "they_disagree": "which_words",
        "two_patches": "follow",
        "memory_aside": "knows",
        "random_heads": "break_it",
    },
    fits=with_one_blank,
)

CONTROLS = (
    text("text", at=OPENING, carries=True),
    drawn("followed", at=OPENING),
    text("sentence", follows="text", at="which_words break_it knows", label="text"),
    choice("layer", at="which_words", start="8", label="attention_layer"),
    text("follow_clean", at="follow"),
    text("follow_other", at="follow"),
    text("follow_answers", at="follow", points=False),
    drawn("follow_state", at="follow", about="follow_clean"),
    drawn("off", at="break_it", points=False),
    step("bits", at="break_it", start="32"),
    choice("measured", ("loss", "blank"), at="break_it"),
    choice("knows_task", ("part_of_speech", "number"), at="knows"),
    choice("knows_read_at", ("blank", "word"), at="knows"),
    text("expects_words", at="expects", values={"most": MOST_WORDS}),
    text("expects_answers", at="expects"),
    text("expects_word_first", at="expects"),
    text("expects_blank_first", at="expects"),
    *exercises("needed_head"),
)
