"""The course map: which lessons and other pages there are; each has a row in its own folder.

The row of a lesson and those of its controls are in pages/lessons/<slug>/lesson.py, those of
another page in pages/beside/<slug>/page.py (rows.py).
"""

import importlib
from dataclasses import replace
from pathlib import Path
from types import ModuleType

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


def folder_of(slug: str) -> Path:
    """Return the folder of a lesson, with its rows, parts and words."""
    return Path(__file__).parents[2] / "lessons" / slug


def package_of(slug: str) -> str:
    """Return the package with the parts of a lesson, or of a page that is none."""
    return f"pages.{'lessons' if slug in SLUGS else 'beside'}.{slug}"


def rows_of(slug: str) -> ModuleType:
    """Return the module with the row of a lesson or of another page, and those of its controls."""
    return importlib.import_module(f"{package_of(slug)}.{'lesson' if slug in SLUGS else 'page'}")


LESSONS: tuple[Lesson, ...] = tuple(
    replace(rows_of(slug).LESSON, number=number) for number, slug in enumerate(SLUGS, 1)
)
# In the order of the sidebar.
BESIDE: tuple[Lesson, ...] = tuple(
    rows_of(slug).PAGE for slug in ("look_it_up", "concept_test", "teaching")
)
LOOK_IT_UP, CONCEPT_TEST, TEACHING = BESIDE

BY_SLUG = {lesson.slug: lesson for lesson in LESSONS}
PAGES = BY_SLUG | {page.slug: page for page in (rows_of(HOME).PAGE, *BESIDE)}
# What a teacher can send to a class.
OFFERED = BY_SLUG | {CONCEPT_TEST.slug: CONCEPT_TEST}


def moved_to(lesson: Lesson, part: str) -> tuple[Lesson, str] | None:
    """Return the lesson and part where the subject of a part is now; None if it is here."""
    if part not in lesson.moved:
        return None
    slug, _, name = lesson.moved[part].rpartition("/")
    return BY_SLUG[slug or lesson.slug], name
