"""The course map: which lessons there are, in order; each is a row in its own folder.

A lesson's row and the rows of its controls are in pages/lessons/<slug>/lesson.py (rows.py).
"""

import importlib
from dataclasses import replace
from pathlib import Path

from pages.server.course.rows import Lesson

SLUGS = (
    "subword_tokens",
    "attention_mask",
    "masking",
    "prediction_and_loss",
    "sentence_pairs",
    "train_an_encoder",
    "word_senses",
    "isotropy",
    "classification",
    "bio_tagging",
    "inside_a_prediction",
    "encoders_today",
)

HOME = "home"
HOME_EXAMPLES_IN = ("de",)  # as a lesson's `examples_in`


def folder_of(slug: str) -> Path:
    """Return the folder of a lesson, with its rows, parts and words."""
    return Path(__file__).parents[2] / "lessons" / slug


def package_of(slug: str) -> str:
    """Return the package with the parts of a lesson, or of a page that is none."""
    return f"pages.{'lessons' if slug in SLUGS else 'beside'}.{slug}"


LESSONS: tuple[Lesson, ...] = tuple(
    replace(importlib.import_module(f"{package_of(slug)}.lesson").LESSON, number=number)
    for number, slug in enumerate(SLUGS, 1)
)

# Stands beside the lessons: index of the textbook, questions, glossary, references.
LOOK_IT_UP = Lesson(
    slug="look_it_up",
    file="pages/13_look_it_up.py",
    icon=":material/menu_book:",
    opening=("find",),
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


def moved_to(lesson: Lesson, part: str) -> tuple[Lesson, str] | None:
    """Return the lesson and part where the subject of a part is now; None if it is here."""
    if part not in lesson.moved:
        return None
    slug, _, name = lesson.moved[part].rpartition("/")
    return BY_SLUG[slug or lesson.slug], name
