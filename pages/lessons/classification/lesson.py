"""The row of this lesson, and those of its controls."""

from pages.kit.rows import OPENING, Lesson, area, choice, drawn, exercises, listed, text
from pages.kit.training.finetune_rows import panel_rows

N_PASSAGES = 20  # of the test part
A_RUN = {"label": "which", "words": "runs"}  # the picker that parts share
GERMAN_RUN = {"de": "sentiment_de_top"}
OF_ANSWER = {"at": "take_home", "words": "finetune_take_home"}
ON_PAIRS, ON_PARAPHRASES = {"own_run": "entailment_top"}, {"own_run": "paraphrase_top"}
OF_OWN_PASSAGE = {"answers_source": "own"}

LESSON = Lesson(
    slug="classification",
    file="pages/9_classification.py",
    icon=":material/category:",
    opening=("three_ways",),
    parts=(
        "train",
        "own_sentence",
        "pretraining",
        "few_labels",
        "compare",
        "selection",
        "pairs",
        "answers",
        "our_labels",
        "take_home",
        "in_short",
        "exercises",
    ),
    moved={
        "errors": "own_sentence",
        "freeze": "compare",
        "published": "encoders_today/tuned_or_prompted",
    },
    core=("own_sentence", "pretraining", "in_short", "exercises"),
    minutes=12,
    examples_in=("de",),
    views={
        "head_by_hand": "own_sentence",
        "trained_numbers": "train",
        "two_measures": "own_sentence",
        "one_word_apart": "own_sentence",
        "more_than_chance": "compare",
    },
)

CONTROLS = (
    listed(
        "ways_sentence_differ",
        at=OPENING,
        label="three_ways_sentence",
        start="202",
        start_in={"de": "96"},
    ),
    text("ways_text", at=OPENING, default="default_own_text", carries=True),
    choice("ways_measure", ("proportion_right", "f1", "loss"), at=OPENING),
    choice("shown", at="train", words="runs", start="sentiment_top", start_in=GERMAN_RUN),
    *panel_rows(
        "classes",
        {
            "sentiment": "data_sentiment",
            "sentiment_de": "data_sentiment_de",
            "entailment": "data_entailment",
            "paraphrase": "data_paraphrase",
            "passages": "data_passages",
            "own_classes": "set_own_classes",
        },
        start_in={"de": "sentiment_de"},
    ),
    listed("own_run", at="own_sentence", start="sentiment_top", start_in=GERMAN_RUN, **A_RUN),
    text("own_text_sentiment", at="own_sentence", label="own_text", follows="ways_text"),
    text("own_pair_entailment", at="own_sentence", label="own_first", when=ON_PAIRS),
    text("own_second_entailment", at="own_sentence", label="own_second", when=ON_PAIRS),
    text("own_pair_paraphrase", at="own_sentence", label="own_first", when=ON_PARAPHRASES),
    text("own_second_paraphrase", at="own_sentence", label="own_second", when=ON_PARAPHRASES),
    listed("own_class", at="own_sentence", start="likeliest"),
    listed("errors_listed", at="own_sentence", start="errors"),
    choice("few_data", ("stored", "own"), at="few_labels"),
    text("few_words_stored", at="few_labels", label="few_words"),
    text("few_words_own", at="few_labels", label="few_words", when={"few_data": "own"}),
    area("few_templates", at="few_labels"),
    choice("compare_task", ("sentiment", "entailment", "passages", "entities"), at="compare"),
    drawn("selection_run", at="selection"),
    choice("selection_size", at="selection", start="50"),
    choice("pairs_run", at="pairs", start="entailment_top", **A_RUN),
    text("pairs_first", at="pairs", default="pairs_sample"),
    text("pairs_second", at="pairs", default="pairs_sample_entailment"),
    *(
        text(
            f"pairs_{name}_paraphrase",
            at="pairs",
            label=f"own_{name}",
            when={"pairs_run": "paraphrase_top"},
        )
        for name in ("first", "second")
    ),
    choice("answers_run", at="answers", start="passages_top", **A_RUN),
    choice("answers_source", ("stored", "own"), at="answers"),
    listed("answers_passage", at="answers", start="0"),
    listed("answers_question_0", at="answers", label="answers_question", start="2"),
    *(
        listed(
            f"answers_question_{i}",
            at="answers",
            label="answers_question",
            start="0",
            when={"answers_passage": str(i)},
        )
        for i in range(1, N_PASSAGES)
    ),
    area("answers_own_passage", at="answers", when=OF_OWN_PASSAGE),
    text("answers_own_question", at="answers", when=OF_OWN_PASSAGE),
    text("answers_own_answer", at="answers", when=OF_OWN_PASSAGE),
    text("labels_classes", at="our_labels"),
    listed("take_home_run", at="take_home", start="sentiment_top", start_in=GERMAN_RUN, **A_RUN),
    text("take_home_sentiment_text", label="text", **OF_ANSWER),
    *(
        text(
            f"take_home_{data}_{name}",
            label=name,
            when={"take_home_run": f"{data}_top"},
            **OF_ANSWER,
        )
        for data, names in {
            "passages": ("question", "passage"),
            "entailment": ("first", "second"),
            "paraphrase": ("first", "second"),
        }.items()
        for name in names
    ),
    *(
        text(f"take_home_own_classes_{name}", label=name, **OF_ANSWER)
        for name in ("text", "first", "second")
    ),
    *exercises("head_by_hand"),
    *(
        text(f"own_{name}_own_classes", at="own_sentence", label=f"own_{label}")
        for name, label in {"text": "text", "pair": "first", "second": "second"}.items()
    ),
)
