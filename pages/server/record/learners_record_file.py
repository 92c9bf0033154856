"""Read a learner's record from a file, whatever the file is: nothing in it is trusted.

What is no record is refused with a reason. In a record, what this course doesn't have or can't
read is left out and counted. That an exercise was solved is believed: the record is the
learner's own.

Read before this: learners_record.py.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from mlm_core.evaluation.learning_gain import SITTINGS
from mlm_core.exercises.exercise import LONGEST_ANSWER
from mlm_core.text.plain_text import read_json
from pages.server.classroom.rooms import VISIT, read_code
from pages.server.course.concept_items import ITEMS, ORDERS
from pages.server.record.learners_record import (
    FORMAT,
    LONGEST_OF_CARD,
    OUTCOMES,
    VERSION,
    EvidenceCard,
    ExerciseDone,
    InStudy,
    LearnersRecord,
    LessonDone,
)
from pages.server.record.study_link import GROUPS, is_learner, read_study

LARGEST = 1_000_000  # bytes; a record of all lessons with the longest texts has 640,000
LONGEST_ENTRY = 2 * LONGEST_ANSWER + 1  # characters: two lines of a pair, or a sentence of 600
LONGEST_NAME = 200  # characters of a model's name
LONGEST_DATE = 40
LARGEST_SEED = 999_999_999
MOST_TRIES = 9_999
LINK = re.compile(r"(?:https?://[^\s<>\"'\\^`{|}]+)?")


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What one lesson has, by name."""

    parts: tuple[str, ...]
    exercises: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """How much of a file was left out."""

    lessons: int = 0
    parts: int = 0
    exercises: int = 0
    texts: int = 0  # evidence cards and explanations

    @property
    def any(self) -> bool:
        """Return whether anything was."""
        return bool(self.lessons or self.parts or self.exercises or self.texts)


class NotARecordError(ValueError):
    """A file that is no record; `section` names the words that say why, `values` fill them."""

    def __init__(self, section: str, **values: object) -> None:
        super().__init__(section)
        self.section, self.values = section, values


def read_record(data: bytes, course: Mapping[str, Contents]) -> tuple[LearnersRecord, LeftOut]:
    """Return the record in a file, and how much of it this course doesn't have or can't read.

    Raises NotARecordError for a file that is no record of this version.
    """
    file = _read_json(data)
    lessons, left_out = {}, LeftOut()
    for slug, raw in file["lessons"].items():
        if slug not in course:
            left_out = replace(left_out, lessons=left_out.lessons + 1)
            continue
        try:
            lessons[slug], left_out = _lesson(raw, course[slug], left_out)
        except ValueError:
            left_out = replace(left_out, lessons=left_out.lessons + 1)
    try:
        seed = _seed(file.get("seed"))
        saved = _text(file.get("saved", ""), LONGEST_DATE)
    except ValueError:
        raise NotARecordError("no_record") from None
    concepts, left_out = _concepts(file.get("concepts", {}), left_out)
    begun, left_out = _concepts(file.get("begun", {}), left_out)
    study, left_out = _study(file.get("study"), left_out)
    answers = {"concepts": concepts, "begun": begun, "study": study}
    return LearnersRecord(seed=seed, lessons=lessons, saved=saved, **answers), left_out


def _read_json(data: bytes) -> dict:
    if len(data) > LARGEST:
        raise NotARecordError("too_large", came=f"{len(data):,}", most=f"{LARGEST:,}")
    try:
        file = read_json(data)
    except json.JSONDecodeError as error:
        raise NotARecordError("no_json", line=error.lineno) from None
    except ValueError:  # no text, a number or nesting without end
        raise NotARecordError("no_text") from None
    if not isinstance(file, dict):
        raise NotARecordError("no_record")
    if file.get("format") != FORMAT:
        from mlm_core.labelled.file_kinds import kind_of_json  # it loads torch

        # The record of one run, which lesson_record.py writes, and a lesson plan are JSON too.
        kind = kind_of_json(file)
        raise NotARecordError(f"record_is_{kind}" if kind in ("run", "plan") else "no_record")
    if type(file.get("version")) is not int or file["version"] != VERSION:
        came = str(file.get("version"))[:LONGEST_DATE]
        raise NotARecordError("other_version", came=came, expected=VERSION)
    if not isinstance(file.get("lessons"), dict):
        raise NotARecordError("no_record")
    return file


def _lesson(raw: object, contents: Contents, left_out: LeftOut) -> tuple[LessonDone, LeftOut]:
    """Return what was done in a lesson. Raises ValueError if its outline can't be read."""
    outline = _mapping(raw)
    opened, named = outline.get("opened", []), _mapping(outline.get("exercises", {}))
    if not isinstance(opened, list):
        raise ValueError(f"opened parts as {type(opened).__name__}: write a list")
    seed = _seed(outline.get("seed"))
    exercises, n_unread = {}, 0
    for name in [name for name in contents.exercises if name in named]:
        try:
            exercises[name] = _exercise(named[name])
        except ValueError:
            n_unread += 1
    if exercises and seed is None:
        seed = next(iter(exercises.values())).seed
    texts, n_unread_texts = _texts_of(outline)
    known = [part for part in opened if isinstance(part, str) and part in contents.parts]
    left_out = replace(
        left_out,
        parts=left_out.parts + len(opened) - len(known),
        exercises=left_out.exercises + n_unread + len(named.keys() - set(contents.exercises)),
        texts=left_out.texts + n_unread_texts,
    )
    done = LessonDone(opened=tuple(dict.fromkeys(known)), seed=seed, exercises=exercises)
    return replace(done, **texts), left_out


def _concepts(raw: object, left_out: LeftOut) -> tuple[dict[str, dict[str, str]], LeftOut]:
    """Return the answers to the concept test; an unknown one is left out as an exercise is."""
    found, n_unread = {}, int(not isinstance(raw, dict))
    for when, answers in raw.items() if isinstance(raw, dict) else ():
        if when not in SITTINGS or not isinstance(answers, dict):
            n_unread += 1
            continue
        known = {
            name: answer
            for name, answer in answers.items()
            if name in ITEMS and answer in ("", *ITEMS[name].options())
        }
        n_unread += len(answers) - len(known)
        if known:
            found[when] = known
    return found, replace(left_out, exercises=left_out.exercises + n_unread)


def _study(raw: object, left_out: LeftOut) -> tuple[InStudy | None, LeftOut]:
    """Return the study that a learner is in; one that can't be read is left out as a text is."""
    if raw is None:
        return None, left_out
    try:
        entry = _mapping(raw)
        seat = entry.get("group", ""), entry.get("order", "")
        is_seat = seat == ("", "") or (seat[0] in GROUPS and seat[1] in ORDERS)
        visits, learner = _mapping(entry.get("visits", {})), entry.get("learner", "")
        is_known = all(
            VISIT.fullmatch(one) and isinstance(code, str) and read_code(code) == code != ""
            for one, code in visits.items()
        )
        is_seat &= isinstance(learner, str) and (learner == "" or is_learner(learner)) and is_known
        if not is_seat or not isinstance(entry.get("agreed"), bool | None):
            raise ValueError("no seat of a study: write a group and an order of forms")
        read_study(entry.get("link"))
    except ValueError:
        return None, replace(left_out, texts=left_out.texts + 1)
    about = {"group": seat[0], "order": seat[1], "learner": learner, "visits": visits}
    return InStudy(link=entry["link"], agreed=entry.get("agreed"), **about), left_out


def _texts_of(outline: dict) -> tuple[dict, int]:
    """Return a lesson's evidence card and explanation, and how many of the two can't be read."""
    texts, n_unread = {}, 0
    for name, read in (("card", _card), ("explained", _explained)):
        if outline.get(name) in (None, ""):
            continue
        try:
            texts[name] = read(outline[name])
        except ValueError:
            n_unread += 1
    return texts, n_unread


def _card(raw: object) -> EvidenceCard:
    entry = _mapping(raw)
    card = EvidenceCard(**{n: _text(entry.get(n, ""), most) for n, most in LONGEST_OF_CARD.items()})
    return card if LINK.fullmatch(card.link) else replace(card, link="")


def _explained(raw: object) -> str:
    return _text(raw, LONGEST_OF_CARD["expected"])


def _exercise(raw: object) -> ExerciseDone:
    entry = _mapping(raw)
    if entry.get("outcome") not in OUTCOMES:
        raise ValueError(f"no outcome of an exercise: write one of {', '.join(OUTCOMES)}")
    seed = _seed(entry.get("seed"))
    if seed is None:
        raise ValueError("an exercise without its seed: write the number")
    return ExerciseDone(
        outcome=entry["outcome"],
        tries=_count(entry.get("tries", 0), MOST_TRIES),
        hints=_count(entry.get("hints", 0), MOST_TRIES),
        answer=_text(entry.get("answer", ""), LONGEST_ENTRY),
        seed=seed,
        model=_text(entry.get("model", ""), LONGEST_NAME),
        text=_text(entry.get("text", ""), LONGEST_ENTRY),
    )


def _mapping(raw: object) -> dict:
    if not isinstance(raw, dict):
        raise ValueError(f"{type(raw).__name__} where an object is due: write {{...}}")
    return raw


def _count(raw: object, most: int) -> int:
    # True is an int to Python, and a float may be infinite.
    if type(raw) is not int or not 0 <= raw <= most:
        raise ValueError(f"no count: write a whole number from 0 to {most}")
    return raw


def _seed(raw: object) -> int | None:
    return None if raw is None else _count(raw, LARGEST_SEED)


def _text(raw: object, longest: int) -> str:
    if not isinstance(raw, str) or len(raw) > longest:
        raise ValueError(f"no text: write at most {longest} characters in quotes")
    return raw.encode("utf-8", errors="replace").decode("utf-8")
