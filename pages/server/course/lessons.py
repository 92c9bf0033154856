"""The course map: which lessons and other pages there are; each has a row in its own folder.

The row of a lesson and those of its controls are in pages/lessons/<slug>/lesson.py, those of
another page in pages/beside/<slug>/page.py (rows.py). Behind our lessons come those whose folders
the host names (elsewhere.py).
"""

import importlib
import os
import re
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from pages.server.course import elsewhere
from pages.server.course.rows import OPENING, Lesson

ROOT = Path(__file__).parents[3]
OURS = (
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

# What a class does in two sessions of at most 90 minutes: the core way, and the concept test.
SESSIONS = (OURS[:6], OURS[6:])
HOME = "home"
NO_LESSONS = ("look_it_up", "concept_test", "teaching")  # in the order of the sidebar
# By slug: the folders of lessons from elsewhere, which may be anywhere.
FOLDERS = elsewhere.folders_in(os.environ.get(elsewhere.SETTING, ""), (*OURS, HOME, *NO_LESSONS))
SLUGS = (*OURS, *FOLDERS)


def folder_of(slug: str) -> Path:
    """Return the folder of a lesson, with its rows, parts and words."""
    return FOLDERS.get(slug, ROOT / "pages/lessons" / slug)


def package_of(slug: str) -> str:
    """Return the package with the parts of a lesson, or of a page that is none."""
    return f"pages.{'lessons' if slug in SLUGS else 'beside'}.{slug}"


def rows_of(slug: str) -> ModuleType:
    """Return the module with the row of a lesson or of another page, and those of its controls."""
    return importlib.import_module(f"{package_of(slug)}.{'lesson' if slug in SLUGS else 'page'}")


def file_of_rows(slug: str) -> str:
    """Return the file with the rows of a lesson or of another page, as readers see it."""
    return shown(Path(str(rows_of(slug).__file__)))


def computed_of(slug: str) -> ModuleType | None:
    """Return what a lesson works out and keeps; None if it has no computed.py."""
    has_one = (folder_of(slug) / "computed.py").is_file()
    return importlib.import_module(f"{package_of(slug)}.computed") if has_one else None


def shown(file: Path) -> str:
    """Return a file as readers see it: from the repository's root, or from a lesson's folder on."""
    for folder in (*FOLDERS.values(), ROOT):
        if file.is_relative_to(folder):
            above = ROOT if folder == ROOT else folder.parent
            return file.relative_to(above).as_posix()
    return str(file)


_loaded = [elsewhere.load(slug, folder) for slug, folder in FOLDERS.items()]
_rows = [*(rows_of(slug).LESSON for slug in OURS), *(row for row, _ in _loaded)]
LESSONS: tuple[Lesson, ...] = tuple(
    replace(row, number=number) for number, row in enumerate(_rows, 1)
)
# By slug: what is wrong with lessons from elsewhere that are named and not shown.
FAULTS = {row.slug: fault for row, fault in _loaded if fault is not None}
BESIDE: tuple[Lesson, ...] = tuple(rows_of(slug).PAGE for slug in NO_LESSONS)
LOOK_IT_UP, CONCEPT_TEST, TEACHING = BESIDE

BY_SLUG = {lesson.slug: lesson for lesson in LESSONS}
PAGES = BY_SLUG | {page.slug: page for page in (rows_of(HOME).PAGE, *BESIDE)}
# What a teacher can send to a class.
OFFERED = BY_SLUG | {CONCEPT_TEST.slug: CONCEPT_TEST}


def moved_to(lesson: Lesson, part: str) -> tuple[Lesson, str] | None:
    """Return the page and part where the subject of a part is now; None if it is here."""
    if part not in lesson.moved:
        return None
    slug, _, name = lesson.moved[part].rpartition("/")
    return PAGES[slug or lesson.slug], name


def changed_since(lesson: Lesson, part: str, version: str) -> str | None:
    """Return the version that last changed the opening or a part; None if it isn't newer.

    `version` is what a link says; what is no version is as new as the app.
    """
    changed = [lesson.changed[name] for name in (OPENING, part) if name in lesson.changed]
    newest = max(changed, key=_numbers_of, default=None)
    if newest is None or not re.fullmatch(r"\d{1,4}(\.\d{1,4}){0,2}", version, re.ASCII):
        return None
    return newest if _numbers_of(newest) > _numbers_of(version) else None


def _numbers_of(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]
