"""The controls of this lesson."""

from pages.shared.link.controls import OPENING, choice, drawn, number, position, slider, text

CONTROLS = (
    text("text", at=OPENING),
    number("seed", 0, 9999, 4208, at=OPENING),
    drawn("dice", at=OPENING),
    drawn("step", at=OPENING),
    drawn("at", at=OPENING),
    choice("unit", ("token", "word", "span"), at="rule how_often"),
    choice("selection", ("fixed_count", "independent"), at="rule how_often"),
    choice("words", ("unigram", "uniform"), at="rule how_often"),
    slider("rate", 5, 100, 15, at="rule how_often", step=5),
    slider("zones", 0, 100, (80, 90), at="rule how_often", step=5),
    drawn("run", at="how_often"),
    choice("n_draws", at="how_often", start="1000"),
    text("short_text", at="short"),
    text("long_text", at="short"),
    position("why_place", at="why", start="9"),
    number("why_word", 0, 999, 1, at="why"),
    choice(
        "noise",
        ("masking", "substitution", "deletion", "insertion", "permutation", "infilling"),
        at="denoising",
        start="infilling",
    ),
    text("noise_text", at="denoising"),
    slider("noise_rate", 5, 80, 30, at="denoising", step=5),
    choice(
        "exercise_which", at="exercises", label="choose", words="exercises", start="count_chosen"
    ),
    text("exercise_text", at="exercises", label="text", words="exercises"),
)
