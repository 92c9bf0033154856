"""The controls of this lesson."""

from pages.shared.link.controls import OPENING, choice, drawn, slider, step, text

CONTROLS = (
    text("first", at=OPENING),
    drawn("first_word", at=OPENING),
    text("second", at=OPENING),
    drawn("second_word", at=OPENING),
    step("opening_layer", at=OPENING, label="layer", start="12"),
    choice("vectors", ("raw", "z-scored"), at=OPENING, options_label="treatment"),
    slider("opening_seed", 1, 100, 1, at=OPENING, label="seed"),
    step("layer", follows="opening_layer", at="dimensions formula senses", start="12"),
    slider("seed", 1, 100, 1, at="dimensions formula layers senses"),
    choice("corpus", ("ours", "own"), at="dimensions formula layers senses"),
    slider("dropped", 0, 20, 3, at="dimensions layers senses"),
    choice("histograms", ("all",), at="dimensions"),
    text("formula", follows="first", at="formula"),
    text("formula_word", follows="first_word", at="formula"),
    slider(
        "formula_dimension", 0, 255, 9, at="formula", values={"highest": 255}, start_in={"de": 154}
    ),
    choice(
        "exercise_which", at="exercises", label="choose", words="exercises", start="random_cosine"
    ),
)
