"""The row of this lesson, and those of its controls."""

from pages.kit.rows import (
    OPENING,
    Lesson,
    choice,
    drawn,
    listed,
    position,
    slider,
    step,
    text,
)

TRAIN = {"at": "train", "words": "finetune_runs"}
ALL = {"when": {"set_trained": "all"}}
HEAD = {"when": {"set_trained": "head"}}
RANDOM = {"when": {"set_start": "random"}}
STORED = {"en": "entities_top", "de": "entities_de_top"}  # the tagger to begin with
TOP = {"start": STORED["en"], "start_in": STORED}

LESSON = Lesson(
    slug="bio_tagging",
    file="pages/10_bio_tagging.py",
    icon=":material/sell:",
    opening=("schemes",),
    parts=(
        "pieces",
        "distribution",
        "scores",
        "types",
        "viterbi",
        "train",
        "take_home",
        "bootstrap",
        "in_short",
        "exercises",
    ),
    core=("pieces", "scores", "in_short", "exercises"),
    minutes=8,
    builds_on=("subword_tokens", "classification"),
    notebook="3_senses_and_names.ipynb",
    examples_in=("de",),
    views={
        "write_tags": OPENING,
        "piece_labels": "pieces",
        "two_paths": "viterbi",
        "entity_f1": "scores",
        "two_readings": "scores",
    },
)

CONTROLS = (
    drawn("marked_text", at=OPENING, about="marked_text", default="schemes_text"),
    choice("marked_type", ("own",), at=OPENING, start="PER"),
    drawn("marked_spans", at=OPENING, about="marked_text"),
    choice("back", at=OPENING, start="IO"),
    text("marked_own_type", at=OPENING, when={"marked_type": "own"}),
    listed("types_run", at="types", label="which", words="runs", **TOP),
    listed(
        "types_name",
        at="types",
        values={"n": 57},
        values_in={"de": {"n": 42}},
        start="Chelsea",
        start_in={"de": "Paris"},
    ),
    choice("pieces_scheme", at="pieces", start="BIO"),
    choice("pieces_rule", ("copy_to_all", "all_pieces", "first_only"), at="pieces"),
    choice(
        "curves_measure",
        {"share": "measure_share_tags", "f1": "measure_f1_tags", "loss": "measure_loss"},
        **TRAIN,
        label="measure",
        start="f1",
    ),
    choice("set_data", {"entities": "data_entities", "own_tags": "set_own_tags"}, **TRAIN),
    choice("set_start", ("pretrained", "random"), **TRAIN),
    choice("set_trained", ("head", "top", "all"), **TRAIN, start="top"),
    step("set_read_top", **TRAIN, label="set_read", start="8"),
    step("set_k", **TRAIN, start="4"),
    choice("set_scheme", **TRAIN, start="BIO"),
    choice("set_labelling", ("first_only", "all_pieces", "copy_to_all"), **TRAIN),
    choice("set_examples", ("all",), **TRAIN),
    step("set_epochs_top", **TRAIN, label="set_epochs", start="5"),
    step("set_batch_short", **TRAIN, label="set_batch", start="16"),
    step("set_rate_top", **TRAIN, label="set_rate", start="0.0005"),
    slider("set_seed", 1, 100, 1, **TRAIN),
    step(
        "set_epochs_top_few",
        **TRAIN,
        label="set_epochs",
        start="20",
        when={"set_examples": "100"},
    ),
    step("set_read_all", **TRAIN, **ALL, label="set_read", start="12"),
    step("set_epochs_all", **TRAIN, **ALL, label="set_epochs", start="4"),
    step("set_rate_all", **TRAIN, **ALL, label="set_rate", start="0.0002"),
    step("set_read_head", **TRAIN, **HEAD, label="set_read", start="12"),
    step("set_epochs_head", **TRAIN, **HEAD, label="set_epochs", start="10"),
    step("set_rate_head", **TRAIN, **HEAD, label="set_rate", start="0.02"),
    step("set_epochs_random", **TRAIN, **RANDOM, label="set_epochs", start="10"),
    step("set_rate_random", **TRAIN, **RANDOM, label="set_rate", start="0.0002"),
    choice(
        "which",
        at="distribution viterbi scores",
        words="runs",
        **TOP,
        elsewhere={"scores": {"kind": "listed", "when": {"scores_case": "tagger"}}},
    ),
    position("piece", at="distribution", start="0", start_in={"de": "2"}),
    choice("sentence_from", ("test", "own"), at="viterbi"),
    position(
        "test_sentence",
        at="viterbi",
        start="23",
        start_in={"de": "2"},
        when={"sentence_from": "test"},
    ),
    choice("combination", ("first", "mean", "product"), at="viterbi"),
    position("viterbi_word", at="viterbi", start="3", start_in={"de": "7"}),
    choice("scores_scheme", at="scores", start="BIO"),
    choice("scores_reading", ("conlleval", "strict"), at="scores"),
    choice(
        "scores_case", ("own", "jane", "begins_inside", "types", "outside", "tagger"), at="scores"
    ),
    drawn("tags", at="scores"),
    choice(
        "scores_own_run",
        at="scores",
        label="which",
        words="runs",
        **TOP,
        when={"scores_case": "own"},
    ),
    position(
        "scores_sentence",
        at="scores",
        label="test_sentence",
        start="2",
        when={"scores_case": "tagger"},
    ),
    listed("bootstrap_a", at="bootstrap", label="which", words="runs", **TOP),
    listed(
        "bootstrap_b",
        at="bootstrap",
        label="which",
        words="runs",
        start="entities_head",
        start_in={"de": "entities_de_head"},
    ),
    choice("average", ("micro", "macro"), at="bootstrap"),
    slider("seed", 1, 100, 1, at="bootstrap"),
    choice("take_home_run", at="take_home", label="which", words="runs", **TOP),
    *(
        text(f"take_home_{data}_text", at="take_home", label="sentence", words="finetune_take_home")
        for data in ("entities", "own_tags")
    ),
    choice("exercise_which", at="exercises", label="choose", words="exercises", start="write_tags"),
    text(
        "exercise_text",
        at="exercises",
        label="text",
        words="exercises",
        when={"exercise_which": "piece_labels"},
    ),
    choice("shown", at="train", words="runs"),
)
