"""The row of this lesson, and those of its controls."""

from pages.kit.rows import OPENING, Lesson, choice, drawn, exercises, listed, position, text
from pages.kit.training.finetune_rows import panel_rows

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
    minutes=12,
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
    drawn("marked_text", at=OPENING, about="marked_text", default="schemes_text", carries=True),
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
    *panel_rows("tags", {"entities": "data_entities", "own_tags": "set_own_tags"}),
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
        "scores_case",
        ("own", "jane", "begins_inside", "types", "outside", "tagger"),
        at="scores",
        start="own",
        points=False,  # at no text: an old German link with it read German
        start_in={"de": "jane"},  # the tagger finds none of the German example's names whole
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
    choice("take_home_run", at="take_home", label="which", words="runs", **TOP),
    *(
        text(f"take_home_{data}_text", at="take_home", label="sentence", words="finetune_take_home")
        for data in ("entities", "own_tags")
    ),
    *exercises("write_tags", uses_text="piece_labels"),
    choice("shown", at="train", words="runs"),
)
