"""The row of this lesson, and those of its controls."""

from mlm_core.text.sentences import sentence_spans
from pages.kit.rows import OPENING, Lesson, choice, exercises, position, slider, step, text

VOCABULARY = {"effect": "vocabulary"}  # the view of "languages" that learns one


def as_pair(text: str) -> dict[str, str] | None:
    """Return a learner's two sentences as A and the B that followed it."""
    found = [text[start:stop] for start, stop in sentence_spans(text)]
    return {"opening_first": found[0], "opening_next": found[1]} if len(found) == 2 else None


LESSON = Lesson(
    slug="sentence_pairs",
    file="pages/5_sentence_pairs.py",
    icon=":material/link:",
    opening=("opening",),
    parts=(
        "own",
        "packing",
        "batch",
        "languages",
        "in_short",
        "exercises",
    ),
    moved={
        "head": "own",
        "truncation": "packing",
        "passes": "packing",
        "task": "exercises",
        "cls_vector": "encoders_today/scores",
    },
    core=("packing", "batch", "in_short", "exercises"),
    minutes=11,
    examples_in=("de",),
    views={
        "second_segment": "own",
        "which_label": "batch",
        "total_loss": "own",
        "two_continuations": "own",
        "padding_share": "packing",
    },
    fits=as_pair,
)

CONTROLS = (
    text("opening_first", at=OPENING, carries=True),
    text("opening_next", at=OPENING),
    text("opening_random", at=OPENING),
    text("first", follows="opening_first", at="own packing"),
    text("second", follows="opening_next", at="own packing"),
    choice("segments", ("pair", "one"), at="own"),
    choice("stage", ("pooled", "logits", "probabilities", "loss"), at="own"),
    choice("number", at="own", start="0", when={"stage": "pooled"}),
    choice("truth", {"0": "true_pair", "1": "random_pair"}, at="own"),
    choice("pack_size", at="packing", start="128"),
    choice("documents", ("ours", "own"), at="packing batch"),
    choice("layout", ("pairs", "document", "full", "stream"), at="packing"),
    slider("window", 8, 64, 16, at="packing"),
    step("step", at="packing", start="0"),
    choice("size", at="batch", start="12"),
    position("row", at="batch", start="0"),
    slider(
        "seed",
        1,
        100,
        1,
        at="own packing batch languages",
        elsewhere={"languages": {"when": VOCABULARY}},
    ),
    choice("effect", ("vocabulary", "large", "encoder"), at="languages"),
    slider("alpha", 0.0, 1.0, 0.3, at="languages", step=0.05),
    choice("counted", ("wikipedia", "crawl"), at="languages", when=VOCABULARY),
    choice("algorithm", at="languages", start="BPE", when=VOCABULARY),
    choice("vocabulary", at="languages", start="800", when=VOCABULARY),
    text("sentence", at="languages", when=VOCABULARY),
    *exercises("second_segment", uses_text="second_segment"),
)
