"""The row of this lesson, and those of its controls."""

from pages.kit.rows import OPENING, Lesson, choice, exercises, position, step, text

LESSON = Lesson(
    slug="subword_tokens",
    file="pages/1_subword_tokens.py",
    icon=":material/segment:",
    opening=("setting", "opening", "guess"),
    parts=(
        "pieces",
        "input_stack",
        "algorithms",
        "vocabulary",
        "in_short",
        "exercises",
    ),
    moved={
        "questions": "pieces",
        "task": "exercises",
        "curve": "vocabulary",
        "own_text": "vocabulary",
    },
    core=("pieces", "input_stack", "in_short", "exercises"),
    minutes=12,
    examples_in=("de",),
    views={
        "longest_match": "algorithms",
        "first_merge": "algorithms",
        "find_word": "pieces",
        "which_table": "input_stack",
        "vocabulary_price": "vocabulary",
    },
)

CONTROLS = (
    text("text", at=OPENING, carries=True),
    step("size", at=OPENING, start="3000"),
    text("surname", at=OPENING, asks=True),
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
    *exercises("longest_match"),
)
