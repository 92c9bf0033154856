"""The row of this lesson, and those of its controls."""

from pages.kit.rows import OPENING, Lesson, choice, drawn, exercises, slider, step, text

LESSON = Lesson(
    slug="isotropy",
    file="pages/8_isotropy.py",
    icon=":material/explore:",
    opening=("kinship",),
    parts=(
        "dimensions",
        "senses",
        "formula",
        "layers",
        "in_short",
        "exercises",
    ),
    moved={"questions": "dimensions", "treatments": "dimensions", "frequent": "senses"},
    core=("dimensions", "senses", "in_short", "exercises"),
    minutes=11,
    notebook="3_senses_and_names.ipynb",
    examples_in=("de",),
    views={
        "random_cosine": OPENING,
        "common_vector": OPENING,
        "dimension_share": "dimensions",
        "largest_dimension": "dimensions",
        "z_score": "formula",
    },
)

CONTROLS = (
    text("first", at=OPENING, carries=True),
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
    text("formula", follows="first", at="formula"),
    text("formula_word", follows="first_word", at="formula"),
    slider(
        "formula_dimension", 0, 255, 9, at="formula", values={"highest": 255}, start_in={"de": 154}
    ),
    *exercises("random_cosine"),
)
