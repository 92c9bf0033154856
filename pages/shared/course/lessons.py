"""The course map as data: which lessons there are, in order, and what each covers."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One lesson. Its words are in pages/text/en/<slug>.md."""

    slug: str  # its URL and the prefix of its link parameters
    file: str  # its page
    part: str  # heading in the sidebar; a key in pages/text/en/home.md
    icon: str  # Material symbol
    rows: tuple[int, ...]  # of the textbook's list that it brings to life (docs/lessons.md)
    notebook: str | None = None  # of docs/notebooks, on the same subject


LESSONS = (
    Lesson(
        slug="subword_tokens",
        file="pages/1_subword_tokens.py",
        part="part_text",
        icon=":material/segment:",
        rows=(7, 8, 44),
    ),
    Lesson(
        slug="attention_mask",
        file="pages/2_attention_mask.py",
        part="part_encoder",
        icon=":material/grid_on:",
        rows=(1, 2, 3, 4, 5, 6, 9, 11, 43, 44),
        notebook="1_fill_a_blank.ipynb",
    ),
    Lesson(
        slug="masking",
        file="pages/3_masking.py",
        part="part_pretraining",
        icon=":material/casino:",
        rows=(12, 13, 14, 15, 16, 44),
        notebook="2_train_an_encoder.ipynb",
    ),
    Lesson(
        slug="prediction_and_loss",
        file="pages/4_prediction_and_loss.py",
        part="part_pretraining",
        icon=":material/percent:",
        rows=(11, 17, 18, 19, 43, 44),
        notebook="1_fill_a_blank.ipynb",
    ),
    Lesson(
        slug="sentence_pairs",
        file="pages/5_sentence_pairs.py",
        part="part_pretraining",
        icon=":material/link:",
        rows=(8, 20, 21, 22, 44),
    ),
    Lesson(
        slug="train_an_encoder",
        file="pages/6_train_an_encoder.py",
        part="part_training",
        icon=":material/model_training:",
        rows=(9, 10, 23, 24, 25, 44),
        notebook="2_train_an_encoder.ipynb",
    ),
    Lesson(
        slug="word_senses",
        file="pages/7_word_senses.py",
        part="part_vectors",
        icon=":material/scatter_plot:",
        rows=(26, 27, 28, 29, 44),
        notebook="3_senses_and_names.ipynb",
    ),
    Lesson(
        slug="isotropy",
        file="pages/8_isotropy.py",
        part="part_vectors",
        icon=":material/explore:",
        rows=(30, 31, 32, 33, 44),
        notebook="3_senses_and_names.ipynb",
    ),
    Lesson(
        slug="classification",
        file="pages/9_classification.py",
        part="part_finetuning",
        icon=":material/category:",
        rows=(34, 35, 36, 44, 45),
    ),
    Lesson(
        slug="bio_tagging",
        file="pages/10_bio_tagging.py",
        part="part_finetuning",
        icon=":material/sell:",
        rows=(37, 38, 39, 40, 41, 42, 44, 45),
        notebook="3_senses_and_names.ipynb",
    ),
)

# Stands beside the lessons: index of the textbook, questions, glossary.
LOOK_IT_UP = Lesson(
    slug="look_it_up",
    file="pages/11_look_it_up.py",
    part="",
    icon=":material/menu_book:",
    rows=(),
)
# Links that show a class one view, and the plan of a lesson.
TEACHING = Lesson(
    slug="teaching",
    file="pages/12_teaching.py",
    part="",
    icon=":material/co_present:",
    rows=(),
)
BESIDE = (LOOK_IT_UP, TEACHING)

BY_SLUG = {lesson.slug: lesson for lesson in LESSONS}
