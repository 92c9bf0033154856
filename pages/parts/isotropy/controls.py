"""The controls of this lesson."""

from pages.shared.link.controls import OPENING, choice, listed, slider, step, text

CONTROLS = (
    text("first", at=OPENING),
    text("first_word", at=OPENING),
    text("second", at=OPENING),
    text("second_word", at=OPENING),
    step("opening_layer", at=OPENING, label="layer", start="12"),
    slider("opening_seed", 1, 100, 1, at=OPENING, label="seed"),
    step("layer", at="dimensions treatments formula senses frequent", start="12"),
    slider("seed", 1, 100, 1, at="dimensions treatments formula layers senses frequent"),
    choice("corpus", ("ours", "own"), at="dimensions treatments formula layers senses frequent"),
    listed("rank", at="dimensions", start="0"),
    slider("dropped", 0, 20, 3, at="treatments layers senses frequent"),
    choice("histograms", ("all",), at="treatments"),
    listed("query", at="treatments", start="0"),
    text("formula", follows="first", at="formula"),
    text("formula_word", follows="first_word", at="formula"),
    slider("formula_dimension", 0, 255, 9, at="formula", values={"highest": 255}),
    choice(
        "exercise_which", at="exercises", label="choose", words="exercises", start="random_cosine"
    ),
)
