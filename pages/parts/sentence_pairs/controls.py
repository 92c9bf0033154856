"""The controls of this lesson."""

from pages.shared.link.controls import OPENING, area, choice, position, slider, step, text

CONTROLS = (
    text("opening_first", at=OPENING),
    text("opening_next", at=OPENING),
    text("opening_random", at=OPENING),
    text("first", at="own head"),
    text("second", at="own head"),
    choice("segments", ("pair", "one"), at="head"),
    choice("stage", ("pooled", "logits", "probabilities", "loss"), at="head"),
    choice("number", at="head", start="0"),
    slider("seed", 1, 100, 1, at="head batch truncation languages"),
    choice("truth", {"0": "true_pair", "1": "random_pair"}, at="head"),
    choice(
        "class", {"0": "is_next", "1": "not_next"}, at="head", label="truth", when={"stage": "loss"}
    ),
    choice("documents", ("ours", "own"), at="batch packing"),
    choice("size", at="batch", start="12"),
    position("row", at="batch", start="0"),
    area("truncation_first", at="truncation"),
    area("truncation_second", at="truncation"),
    slider("window", 8, 64, 24, at="truncation"),
    step("step", at="truncation", start="0"),
    choice("pack_size", at="packing", start="128"),
    choice("layout", ("pairs", "document", "full", "stream"), at="packing"),
    choice("sequences", at="packing", start="256"),
    choice("corpus", ("ours", "bert", "roberta"), at="packing", start="bert"),
    slider("passes", 1, 100, 40, at="packing"),
    slider("alpha", 0.0, 1.0, 0.3, at="languages", step=0.05),
    choice("counted", ("wikipedia", "crawl"), at="languages"),
    choice("algorithm", at="languages", start="BPE"),
    choice("vocabulary", at="languages", start="800"),
    text("sentence", at="languages"),
    text("cls_sentence", at="cls_vector"),
    text("cls_paraphrase", at="cls_vector"),
    text("cls_unrelated", at="cls_vector"),
    choice(
        "exercise_which", at="exercises", label="choose", words="exercises", start="second_segment"
    ),
    text("exercise_text", at="exercises", label="text", words="exercises"),
)
