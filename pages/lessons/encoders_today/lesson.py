"""The row of this lesson, and those of its controls."""

from pages.kit.rows import (
    OPENING,
    Lesson,
    area,
    choice,
    exercises,
    listed,
    several,
    slider,
    step,
    text,
)

START_QUERY = "46"  # of the test part: the vectors find what shares few words
GERMAN_QUERY = "4"  # of the German one, for the same reason
TEMPERATURES = ("0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1")

LESSON = Lesson(
    slug="encoders_today",
    file="pages/12_encoders_today.py",
    icon=":material/travel_explore:",
    opening=("search", "search_run"),
    parts=(
        "scores",
        "take_home",
        "tuned_or_prompted",
        "made_modern",
        "in_short",
        "exercises",
    ),
    moved={"published": "tuned_or_prompted", "reach": "made_modern"},
    core=("scores", "in_short", "exercises"),
    minutes=11,
    notebook="5_encoders_today.ipynb",
    examples_in=("de",),
    views={
        "reciprocal_ranks": OPENING,
        "best_baseline": "scores",
        "max_sim": OPENING,
        "batch_loss": OPENING,
        "paired_seeds": "made_modern",
        "draw_reach": "made_modern",
    },
)

CONTROLS = (
    listed("search_query", at=OPENING, start=START_QUERY, start_in={"de": GERMAN_QUERY}),
    text("own_query", at=OPENING, default="default_take_home_query", carries=True),
    area("own_texts", at=OPENING),
    choice("ways", ("vectors", "closer"), at=OPENING),
    choice("set_pairs", ("labelled", "unlabelled"), at=OPENING),
    step("set_temperature", plain_options=TEMPERATURES, at=OPENING, start="0.05"),
    slider("set_seed", 1, 100, 1, at=OPENING),
    choice("curve", ("dev", "loss"), at=OPENING),
    choice(
        "measure",
        ("recall_at_1", "recall_at_5", "mean_reciprocal_rank", "spearman"),
        at="scores",
        start="mean_reciprocal_rank",
    ),
    text("take_home_query", at="take_home", follows="own_query"),
    choice("memory_for", ("fine_tuning", "32", "16", "4"), at="tuned_or_prompted", start="16"),
    choice("modern_measure", ("loss", "blanks", "pairs", "seconds"), at="made_modern"),
    several("modern_switches", at="made_modern", values={"most": 6}, start="rotary, pre_norm"),
    slider("modern_seed", 1, 100, 1, at="made_modern"),
    choice("reach_way", ("absolute", "rotary", "local"), at="made_modern"),
    *exercises("reciprocal_ranks"),
)
