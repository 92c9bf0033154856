"""The controls of this lesson."""

from pages.shared.link.controls import OPENING, choice, position, step, text

CONTROLS = (
    text("text", at=OPENING),
    step("size", at=OPENING, start="3000"),
    text("surname", at=OPENING),
    choice("curve", ("corpus", "sentence"), at="curve", label="curve_on"),
    choice("tokenizer", at="pieces", start="model"),
    position("position", at="pieces", label="piece", start="1"),
    choice("algorithm", at="algorithms", start="WordPiece"),
    position("word", at="algorithms", start="4"),
    text("pair", at="input_stack"),
    position("stack_position", at="input_stack", label="stack_choose", start="1"),
    choice(
        "question",
        ("cls", "mask", "emoji", "scripts", "case", "numbers"),
        at="questions",
        label="question_choice",
        options_label="ask",
    ),
    text("try_cls", at="questions", label="try", default="try_cls"),
    text(
        "try_numbers",
        at="questions",
        label="try",
        default="try_numbers",
        when={"question": "numbers"},
    ),
    text("try_case", at="questions", label="try", default="try_case", when={"question": "case"}),
    text(
        "try_scripts",
        at="questions",
        label="try",
        default="try_scripts",
        when={"question": "scripts"},
    ),
    text("try_emoji", at="questions", label="try", default="try_emoji", when={"question": "emoji"}),
    text("try_mask", at="questions", label="try", default="try_mask", when={"question": "mask"}),
    text("long", at="task", label="task_long"),
    text("short", at="task", label="task_short"),
    choice(
        "exercise_which", at="exercises", label="choose", words="exercises", start="longest_match"
    ),
)
