"""The course map as data: which lessons there are, in order, and what each covers."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One lesson. Its words are in pages/text/en/<slug>.md.

    Each name in `opening` and `parts` is a file of pages/parts/<slug>/ with a function `show`;
    the title of a part is the label part_<name>.
    """

    slug: str  # its URL and the prefix of its link parameters
    file: str  # its page
    icon: str  # Material symbol
    opening: tuple[str, ...] = ()  # shown always, one below the other
    parts: tuple[str, ...]  # one at a time is shown below, in this order
    # Parts that there once were, and those where their subject is now: "part", or "lesson/part".
    moved: Mapping[str, str] = field(default_factory=dict, hash=False)
    core: tuple[str, ...] = ()  # the parts of the core way through the course; the rest is "more"
    # Of the opening, the core parts, "In short" and one exercise, as tests/pages/test_overview.py
    # counts them from the words and controls that these show.
    minutes: int = 0
    builds_on: tuple[str, ...] = ()  # slugs of the lessons whose terms it uses
    notebook: str | None = None  # of docs/notebooks, on the same subject
    # Languages beside the first one that its examples are in, too (language.py).
    examples_in: tuple[str, ...] = ()

    @property
    def number(self) -> int | None:
        """Return its number in the course, None for a page beside the lessons."""
        return LESSONS.index(self) + 1 if self in LESSONS else None

    def moved_to(self, part: str) -> tuple["Lesson", str] | None:
        """Return the lesson and part where the subject of a part is now; None if it is here."""
        if part not in self.moved:
            return None
        slug, _, name = self.moved[part].rpartition("/")
        return BY_SLUG[slug or self.slug], name


HOME = "home"
HOME_EXAMPLES_IN = ("de",)  # as a lesson's `examples_in`

LESSONS = (
    Lesson(
        slug="subword_tokens",
        file="pages/1_subword_tokens.py",
        icon=":material/segment:",
        opening=("setting", "opening", "guess"),
        parts=(
            "pieces",
            "input_stack",
            "algorithms",
            "vocabulary",
            "in_short",
            "exercises",
        ),
        moved={
            "questions": "pieces",
            "task": "exercises",
            "curve": "vocabulary",
            "own_text": "vocabulary",
        },
        core=("pieces", "input_stack", "in_short", "exercises"),
        minutes=8,
        examples_in=("de",),
    ),
    Lesson(
        slug="attention_mask",
        file="pages/2_attention_mask.py",
        icon=":material/grid_on:",
        opening=("contrast",),
        parts=(
            "flow",
            "worked",
            "three_masks",
            "whole",
            "heads",
            "cost",
            "precision",
            "compare",
            "in_short",
            "exercises",
        ),
        moved={
            "block": "train_an_encoder/block",
            "chain": "worked",
            "cloze": "prediction_and_loss/causal",
        },
        core=("flow", "worked", "three_masks", "in_short", "exercises"),
        minutes=9,
        builds_on=("subword_tokens",),
        notebook="1_fill_a_blank.ipynb",
        examples_in=("de",),
    ),
    Lesson(
        slug="masking",
        file="pages/3_masking.py",
        icon=":material/casino:",
        opening=("setting", "play"),
        parts=(
            "rule",
            "why",
            "how_many",
            "passes",
            "denoising",
            "own_generator",
            "in_short",
            "exercises",
        ),
        moved={
            "questions": "how_many",
            "task": "exercises",
            "how_often": "how_many",
            "short": "how_many",
        },
        core=("rule", "why", "in_short", "exercises"),
        minutes=8,
        builds_on=("subword_tokens",),
        notebook="2_train_an_encoder.ipynb",
        examples_in=("de",),
    ),
    Lesson(
        slug="prediction_and_loss",
        file="pages/4_prediction_and_loss.py",
        icon=":material/percent:",
        opening=("machine", "guess"),
        parts=(
            "numbers",
            "positions",
            "step",
            "surprise",
            "blanks",
            "write",
            "causal",
            "sentences",
            "in_short",
            "exercises",
        ),
        moved={
            "questions": "positions",
            "task": "exercises",
            "temperature": "surprise",
            "signal": "positions",
        },
        core=("numbers", "positions", "in_short", "exercises"),
        minutes=8,
        builds_on=("attention_mask", "masking"),
        notebook="1_fill_a_blank.ipynb",
        examples_in=("de",),
    ),
    Lesson(
        slug="sentence_pairs",
        file="pages/5_sentence_pairs.py",
        icon=":material/link:",
        opening=("opening",),
        parts=(
            "own",
            "packing",
            "batch",
            "passes",
            "languages",
            "in_short",
            "exercises",
        ),
        moved={
            "head": "own",
            "truncation": "packing",
            "task": "exercises",
            "cls_vector": "encoders_today/scores",
        },
        core=("own", "in_short", "exercises"),
        minutes=7,
        builds_on=("masking", "prediction_and_loss"),
        examples_in=("de",),
    ),
    Lesson(
        slug="train_an_encoder",
        file="pages/6_train_an_encoder.py",
        icon=":material/model_training:",
        opening=("run",),
        parts=(
            "experiments",
            "inside",
            "block",
            "optimizer",
            "parameters",
            "family",
            "take_home",
            "in_short",
            "exercises",
        ),
        moved={"compare": "experiments", "pair_task": "experiments"},
        core=("experiments", "in_short", "exercises"),
        minutes=6,
        builds_on=("masking", "prediction_and_loss", "sentence_pairs"),
        notebook="2_train_an_encoder.ipynb",
    ),
    Lesson(
        slug="word_senses",
        file="pages/7_word_senses.py",
        icon=":material/scatter_plot:",
        opening=("map",),
        parts=(
            "static",
            "disambiguate",
            "by_layer",
            "inventory",
            "languages",
            "own",
            "class_map",
            "in_short",
            "exercises",
        ),
        moved={"questions": "by_layer", "discourse": "by_layer", "german": "languages"},
        core=("static", "disambiguate", "in_short", "exercises"),
        minutes=8,
        builds_on=("attention_mask",),
        notebook="3_senses_and_names.ipynb",
        examples_in=("de",),
    ),
    Lesson(
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
        minutes=8,
        builds_on=("word_senses",),
        notebook="3_senses_and_names.ipynb",
        examples_in=("de",),
    ),
    Lesson(
        slug="classification",
        file="pages/9_classification.py",
        icon=":material/category:",
        opening=("three_ways",),
        parts=(
            "train",
            "own_sentence",
            "pretraining",
            "compare",
            "freeze",
            "selection",
            "pairs",
            "answers",
            "take_home",
            "in_short",
            "exercises",
        ),
        moved={"errors": "own_sentence", "published": "encoders_today/published"},
        core=("train", "own_sentence", "in_short", "exercises"),
        minutes=8,
        builds_on=("prediction_and_loss", "train_an_encoder"),
        examples_in=("de",),
    ),
    Lesson(
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
    ),
    Lesson(
        slug="inside_a_prediction",
        file="pages/11_inside_a_prediction.py",
        icon=":material/troubleshoot:",
        opening=("layers",),
        parts=("which_words", "break_it", "knows", "expects", "in_short", "exercises"),
        core=("in_short", "exercises"),
        minutes=5,
        builds_on=("attention_mask", "prediction_and_loss"),
        notebook="4_inside_a_prediction.ipynb",
        examples_in=("de",),
    ),
    Lesson(
        slug="encoders_today",
        file="pages/12_encoders_today.py",
        icon=":material/travel_explore:",
        opening=("search", "search_run"),
        parts=(
            "scores",
            "take_home",
            "tuned_or_prompted",
            "reach",
            "published",
            "in_short",
            "exercises",
        ),
        core=("in_short", "exercises"),
        minutes=7,
        builds_on=("attention_mask", "isotropy", "classification"),
        notebook="5_encoders_today.ipynb",
        examples_in=("de",),
    ),
)

# Stands beside the lessons: index of the textbook, questions, glossary, references.
LOOK_IT_UP = Lesson(
    slug="look_it_up",
    file="pages/13_look_it_up.py",
    icon=":material/menu_book:",
    parts=("textbook", "questions", "glossary", "references"),
)
# Links that show a class one view, and the plan of a lesson.
TEACHING = Lesson(
    slug="teaching",
    file="pages/14_teaching.py",
    icon=":material/co_present:",
    parts=("link", "plan", "room", "receipts", "seminar", "errata", "know"),
)
# The same questions before and after the lessons: what was learned.
CONCEPT_TEST = Lesson(
    slug="concept_test",
    file="pages/15_concept_test.py",
    icon=":material/quiz:",
    parts=("first_half", "second_half", "gain"),
)
BESIDE = (LOOK_IT_UP, CONCEPT_TEST, TEACHING)

BY_SLUG = {lesson.slug: lesson for lesson in LESSONS}
# What a teacher can send to a class.
OFFERED = BY_SLUG | {CONCEPT_TEST.slug: CONCEPT_TEST}
