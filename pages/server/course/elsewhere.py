"""Lessons from elsewhere: folders that the host names, checked before anything of them is shown.

    MLM_LESSONS=/srv/my_topic,/srv/lessons     # folders, between commas

A folder with a lesson.py is a lesson, and its name is the lesson's slug. Of another folder, each
folder in it with a lesson.py is one. Its files are imported as `pages.lessons.<slug>`, as ours are.
What is wrong with a lesson is a `FaultError`, and nothing else of it is shown. Where a part failed
while it was drawn says `raised_in`. The guide is docs/a_lesson_of_your_own.md.
"""

import ast
import importlib
import keyword
import logging
import re
import sys
import traceback
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import streamlit as st
from streamlit.string_util import validate_icon_or_emoji

from mlm_core.encoder.model_list import READERS
from pages.server import TESTED
from pages.server.course.rows import OPENING, Control, Lesson
from pages.server.course.sections import FIRST, TEXT_FOLDER, labels_in, sections_in
from pages.server.course.terms import explained

logger = logging.getLogger("mlm_app")

SETTING = "MLM_LESSONS"
PATHS_OF_STREAMLIT = ("app", "component", "media", "static")
LONGEST_REASON = 300  # characters of an error's message
# What overview.md has for the part "in_short".
OF_IN_SHORT = ("in_short", *(f"{one}_{n}" for one in ("question", "answer") for n in "123"))
_VALUE = re.compile(r"\{\{(\w+)[^}]*\}\}")


class FaultError(Exception):
    """Why a lesson is not shown; `kind` is a section of pages/text/<language>/elsewhere.md."""

    def __init__(self, kind: str, file: Path, what: str = "", near: str = "", line: int = 0):
        self.kind, self.file, self.what = kind, file, what
        text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
        found = (n for n, one in enumerate(text.splitlines(), 1) if (near or what) in one)
        self.line = line or next(found, 1)


def folders_in(setting: str, taken: Collection[str]) -> dict[str, Path]:
    """Return the folders of lessons by slug, and say in the log which are refused."""
    found: dict[str, Path] = {}
    if setting and st.__version__ != TESTED:
        logger.error("%s is ignored: it needs Streamlit %s", SETTING, TESTED)
        return found
    for name in filter(None, map(str.strip, setting.split(","))):
        named = Path(name).expanduser().resolve()
        inner = sorted(file.parent for file in named.glob("*/lesson.py"))
        folders = [named] if any(named.glob("lesson.py")) else inner
        if not folders:
            logger.error("%s: neither %s nor a folder in it has a lesson.py", SETTING, named)
        for folder in folders:
            if why := refusal(folder.name, (*taken, *found)):
                logger.error("%s: %s is refused: %s", SETTING, folder, why)
            else:
                found[folder.name] = folder
    return found


def refusal(slug: str, taken: Collection[str]) -> str:
    """Return why a slug can't be one, or nothing."""
    if not (slug.isascii() and slug.isidentifier()) or keyword.iskeyword(slug):
        return "name the folder as a Python name: letters, digits and _, no digit first"
    for other in (*taken, *PATHS_OF_STREAMLIT):  # keys of controls begin with the slug and _
        if f"{slug}_".startswith(f"{other}_") or f"{other}_".startswith(f"{slug}_"):
            return f"its name and {other!r}, which is taken, begin alike: choose another"
    return ""


def load(slug: str, folder: Path) -> tuple[Lesson, FaultError | None]:
    """Return a lesson's row; or that of a page that says what is wrong, and what."""
    file, name = folder / "lesson.py", f"pages.lessons.{slug}"
    package = sys.modules[name] = ModuleType(name)
    package.__path__ = [str(folder)]
    try:
        rows = importlib.import_module(f"{name}.lesson")
        lesson, controls = getattr(rows, "LESSON", None), getattr(rows, "CONTROLS", None)
        if not isinstance(lesson, Lesson):
            raise FaultError("no_rows", file, near="LESSON")
        if not (isinstance(controls, tuple) and all(isinstance(one, Control) for one in controls)):
            raise FaultError("no_rows", file, near="CONTROLS")
        _check_row(lesson, slug, file)
        _check_controls(lesson, controls, file)
        _check_parts(lesson, folder)
        _check_words(lesson, controls, folder)
    except FaultError as error:
        fault = error.with_traceback(None)  # it is kept, and would keep what its frames hold
    except (Exception, SystemExit) as error:  # its code may raise anything
        raised, line = raised_in(error, [folder]) or (file, 1)
        fault = FaultError("raised", raised, reason_of(error), line=line)
    else:
        return replace(lesson, file=str(file)), None
    logger.error("%s: %s is not shown. %s", SETTING, slug, _said(fault))
    return Lesson(slug=slug, file=str(file), icon=":material/report:", parts=("fault",)), fault


def _said(fault: FaultError) -> str:
    """Return what its page says of a fault, in the first language and with the whole path."""
    text = sections_in(TEXT_FOLDER / FIRST / "elsewhere.md")[fault.kind].replace("**", "")
    return _VALUE.sub(lambda value: str(getattr(fault, value[1])), text)


def reason_of(error: BaseException) -> str:
    """Return the kind of an error and its message."""
    said = error.msg if isinstance(error, SyntaxError) else error
    if isinstance(error, KeyError) and error.args:
        said = error.args[0]  # without the quotation marks of a key
    return f"{type(error).__name__}: {said}"[:LONGEST_REASON]


def raised_in(error: BaseException, folders: Collection[Path]) -> tuple[Path, int] | None:
    """Return the last file and line of these folders that an error went through."""
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        places.append((error.filename or "", error.lineno))
    for name, line in reversed(places):
        if any(Path(name).is_relative_to(folder) for folder in folders):
            return Path(name), line or 1
    return None


def is_raised_there(error: BaseException, folders: Collection[Path]) -> bool:
    """Return whether an error began in a file of these folders, and not in what that called."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    return any(Path(one.filename).is_relative_to(folder) for one in last for folder in folders)


def _check_row(lesson: Lesson, slug: str, file: Path) -> None:
    if lesson.slug != slug:
        raise FaultError("other_slug", file, lesson.slug, near="slug")
    for name in ("opening", "parts", "core", "examples_in"):
        names = getattr(lesson, name)
        is_tuple = isinstance(names, tuple) and all(isinstance(one, str) for one in names)
        if not is_tuple or (name == "parts" and not names):
            raise FaultError("no_tuple", file, name)
    for name in (*lesson.core, *lesson.examples_in):
        if name not in (*lesson.parts, *READERS):
            raise FaultError("unknown_name", file, name)
    if "exercises" in lesson.parts:
        raise FaultError("exercises", file, "exercises")
    validate_icon_or_emoji(lesson.icon)


def _check_controls(lesson: Lesson, controls: tuple[Control, ...], file: Path) -> None:
    names = ["part", *(row.name for row in controls)]  # the first is the picker of parts
    for name in names:
        if names.count(name) > 1:
            raise FaultError("twice", file, name)
    places = {OPENING, *lesson.parts}
    for row in controls:
        others = {*row.when, *row.shared_by, *filter(None, (row.follows, row.about))}
        for name in sorted(others - set(names)) + sorted(set(row.at) - places):
            raise FaultError("unknown_name", file, name)


def _check_parts(lesson: Lesson, folder: Path) -> None:
    for name in (*lesson.opening, *lesson.parts):
        file = folder / f"{name}.py"
        if name == "in_short":
            continue  # every lesson has the same
        if not file.is_file():
            raise FaultError("no_file", file)
        tree = ast.parse(file.read_bytes(), str(file))
        if not any(isinstance(one, ast.FunctionDef) and one.name == "show" for one in tree.body):
            raise FaultError("no_show", file)


def _check_words(lesson: Lesson, controls: tuple[Control, ...], folder: Path) -> None:
    """Find a missing word of those that other pages show, too, and marks that name no term."""
    found: dict[Path, dict[str, str]] = {}
    for language in sorted(one.name for one in TEXT_FOLDER.iterdir() if one.is_dir()):
        for name in ("words", "overview"):
            if (file := folder / language / f"{name}.md").is_file():
                found[file] = _sections_of(file, language)
    of_in_short = OF_IN_SHORT if "in_short" in lesson.parts else ()
    for name, sections in (("words", ("lead",)), ("overview", ("goals", *of_in_short))):
        file = folder / FIRST / f"{name}.md"
        if file not in found:
            raise FaultError("no_file", file)
        for section in sections:
            if section not in found[file]:
                raise FaultError("no_section", file, section)
    # The labels that other pages show, too, each with the values that they fill in.
    own = [row for row in controls if not row.words]
    names = ["title", "question", *(f"part_{name}" for name in lesson.parts)]
    names += [label for row in own for label in row.options.values()]
    values = {name: set() for name in names} | {row.label: {*row.values} for row in own}
    _check_labels(values, found, folder / FIRST / "words.md")


def _check_labels(
    values: dict[str, set[str]], found: dict[Path, dict[str, str]], first: Path
) -> None:
    for file in sorted((one for one in found if one.name == first.name), key=first.__ne__):
        labels = labels_in(found[file].get("labels", ""))
        for label in sorted(values):
            if file == first and label not in labels:
                raise FaultError("no_label", file, label, near="## labels")
            if set(_VALUE.findall(labels.get(label, ""))) - values[label]:
                raise FaultError("value", file, label)


def _sections_of(file: Path, language: str) -> dict[str, str]:
    try:
        sections = sections_in(file)
    except UnicodeDecodeError as error:
        raise FaultError("no_text", file) from error
    for section, text in sections.items():
        try:
            explained(text, language)
        except KeyError as error:
            raise FaultError("unknown_term", file, error.args[0], near=section) from error
    return sections
