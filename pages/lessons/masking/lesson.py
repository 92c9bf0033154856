"""The row of this lesson, and those of its controls."""

from pages.kit.rows import OPENING, Lesson, choice, drawn, exercises, number, position, slider, text

LESSON = Lesson(
    slug="masking",
    file="pages/3_masking.py",
    icon=":material/casino:",
    opening=("setting", "play"),
    parts=(
        "rule",
        "why",
        "how_many",
        "passes",
        "denoising",
        "in_short",
        "exercises",
    ),
    moved={
        "questions": "how_many",
        "task": "exercises",
        "how_often": "how_many",
        "short": "how_many",
        "own_generator": "how_many",
    },
    core=("why", "in_short", "exercises"),
    minutes=10,
    notebook="2_train_an_encoder.ipynb",
    examples_in=("de",),
    views={
        "count_chosen": "how_many",
        "which_branch": OPENING,
        "none_chosen": "how_many",
        "positions_that_count": OPENING,
        "odd_generator": "how_many",
    },
)

CONTROLS = (
    text("text", at=OPENING, carries=True),
    number("seed", 0, 9999, 5419, at=OPENING),
    drawn("dice", at=OPENING),
    drawn("step", at=OPENING, points=False),
    drawn("at", at=OPENING),
    drawn("draws", at=OPENING, points=False),
    text("part_text", follows="text", label="text", at="rule why how_many passes"),
    choice("unit", ("token", "word", "span"), at="rule"),
    choice(
        "selection",
        ("fixed_count", "independent"),
        at="rule how_many",
        elsewhere={"how_many": {"start": "independent"}},
    ),
    choice("words", ("unigram", "uniform"), at="rule"),
    slider("rate", 5, 100, 15, at="rule", step=5),
    slider("zones", 0, 100, (80, 90), at="rule", step=5),
    choice("counted", ("number", "positions", "actions"), at="how_many"),
    drawn("run", at="how_many", points=False),
    choice("n_draws", at="how_many", start="1000"),
    choice("way", ("once", "ten", "anew"), at="passes"),
    position("why_place", at="why", start="2"),
    number("why_word", 0, 999, 2, at="why"),
    choice(
        "noise",
        ("masking", "substitution", "deletion", "insertion", "permutation", "infilling"),
        at="denoising",
        start="infilling",
    ),
    text("noise_text", follows="text", at="denoising"),
    slider("noise_rate", 5, 80, 30, at="denoising", step=5),
    *exercises("count_chosen", uses_text="count_chosen"),
)
