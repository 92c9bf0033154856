"""The controls of this lesson."""

from pages.shared.link.controls import OPENING, area, choice, position, slider, step, text

CONTROLS = (
    text("opening_first", at=OPENING, default="default_first"),
    text("opening_next", at=OPENING, default="default_next"),
    text("opening_random", at=OPENING, default="default_random"),
    text("first", at="own head", default="own_first"),
    text("second", at="own head", default="own_second"),
    choice("segments", ("pair", "one"), at="head"),
    choice("stage", ("pooled", "logits", "probabilities", "loss"), at="head"),
    choice("number", at="head", start="0"),
    slider("seed", 1, 100, 1, at="head batch truncation languages"),
    choice("truth", {"0": "true_pair", "1": "random_pair"}, at="head"),
    choice(
        "class", {"0": "is_next", "1": "not_next"}, at="head", label="truth", when={"stage": "loss"}
    ),
    choice("documents", ("ours", "own"), at="batch packing"),
    choice("size", at="batch", label="batch_size", start="12"),
    position("row", at="batch", label="batch_row", start="0"),
    area("truncation_first", at="truncation"),
    area("truncation_second", at="truncation"),
    slider("window", 8, 64, 24, at="truncation", label="truncation_window"),
    step("step", at="truncation", label="truncation_step", start="0"),
    choice("pack_size", at="packing", label="window", start="128"),
    choice("layout", ("pairs", "document", "full", "stream"), at="packing"),
    choice("sequences", at="packing", label="run_sequences", start="256"),
    choice("corpus", ("ours", "bert", "roberta"), at="packing", label="run_words", start="bert"),
    slider("passes", 1, 100, 40, at="packing", label="run_passes"),
    slider("alpha", 0.0, 1.0, 0.3, at="languages", step=0.05),
    choice("counted", ("wikipedia", "crawl"), at="languages"),
    choice("algorithm", at="languages", start="BPE"),
    choice("vocabulary", at="languages", label="vocabulary_size", start="800"),
    text("sentence", at="languages", label="sampling_sentence", default="sampling_default"),
    text("cls_sentence", at="cls_vector", default="cls_default_sentence"),
    text("cls_paraphrase", at="cls_vector", default="cls_default_paraphrase"),
    text("cls_unrelated", at="cls_vector", default="cls_default_unrelated"),
    choice(
        "exercise_which", at="exercises", label="choose", words="exercises", start="second_segment"
    ),
    text("exercise_text", at="exercises", label="text", words="exercises"),
)
