"""The controls of this lesson."""

from pages.shared.link.controls import OPENING, choice, listed, slider, step, text

CONTROLS = (
    text("first", at=OPENING, label="sentence_first"),
    text("first_word", at=OPENING, label="word_first"),
    text("second", at=OPENING, label="sentence_second"),
    text("second_word", at=OPENING, label="word_second"),
    step("opening_layer", at=OPENING, label="layer", start="12"),
    slider("opening_seed", 1, 100, 1, at=OPENING, label="seed"),
    step("layer", at="dimensions treatments formula senses frequent", start="12"),
    slider("seed", 1, 100, 1, at="dimensions treatments formula layers senses frequent"),
    choice("corpus", ("ours", "own"), at="dimensions treatments formula layers senses frequent"),
    listed("rank", at="dimensions", start="0"),
    slider("dropped", 0, 20, 3, at="treatments layers senses frequent", label="n_dropped"),
    choice("histograms", ("all",), at="treatments"),
    listed("query", at="treatments", label="neighbours_of", start="0"),
    text("formula", at="formula", label="sentence_formula"),
    text("formula_word", at="formula", label="word_formula"),
    slider(
        "formula_dimension", 0, 255, 9, at="formula", label="dimension", values={"largest": 255}
    ),
    choice(
        "exercise_which", at="exercises", label="choose", words="exercises", start="random_cosine"
    ),
)
