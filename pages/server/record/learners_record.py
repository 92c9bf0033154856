"""The learner's record: what was opened and solved in every lesson, as data to keep.

    the session  ->  LearnersRecord  ->  as_json()  ->  a file of the learner's
    the file  ->  learners_record_file.read_record()  ->  merged()  ->  the session

Nothing here knows of Streamlit: session_record.py takes a record from the session and puts one
into it. Another thing is lesson_record.py, the figures of one run to read and hand in.

Read before this: mlm_core/exercises/exercise.py. Read next: learners_record_file.py.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Literal

from pages.server.record.study_link import is_of_one_study, read_study

FORMAT = "masked language models: course record"
VERSION = 1  # one more when an older app could no longer read what is written

Outcome = Literal["solved", "shown", "tried"]
# In the order of merging: who has solved it has solved it; who has seen the answer has seen it.
OUTCOMES: tuple[Outcome, ...] = ("solved", "shown", "tried")
# Characters of an evidence card's entries; a learner's explanation is as long as "expected".
LONGEST_OF_CARD = {
    "asked": 1_000,
    "setting": 800,
    "result": 800,
    "link": 1_500,
    "expected": 1_000,
    "failed": 1_000,
    "kept": 40,
}


@dataclass(frozen=True, kw_only=True)
class ExerciseDone:
    """How far a learner came with one exercise."""

    outcome: Outcome
    tries: int = 0  # wrong answers
    hints: int = 0  # of those in order
    answer: str = ""  # the one that solved it, else the last; "" if there was none
    seed: int  # of the numbers that it was answered with
    model: str  # that was chosen then
    text: str = ""  # the learner's own sentence, where the exercise asks about one


@dataclass(frozen=True, kw_only=True)
class EvidenceCard:
    """What a lesson's opening showed when it was kept, with the learner's own words."""

    asked: str = ""  # what was typed, one field a line
    setting: str = ""  # the other controls, one a line
    result: str = ""  # what the figures say, one a line
    link: str = ""
    expected: str = ""
    failed: str = ""  # or surprised
    kept: str = ""  # date and time


@dataclass(frozen=True, kw_only=True)
class LessonDone:
    """What a learner did in one lesson."""

    opened: tuple[str, ...] = ()  # parts, the first opened first
    seed: int | None = None  # of its exercises; None: that of the whole record
    exercises: Mapping[str, ExerciseDone] = field(default_factory=dict)
    card: EvidenceCard | None = None
    explained: str = ""  # the learner's own words on the lesson's question to explain

    def count(self, outcome: Outcome) -> int:
        """Return how many exercises came out so."""
        return sum(done.outcome == outcome for done in self.exercises.values())


@dataclass(frozen=True, kw_only=True)
class InStudy:
    """What a learner said to a study's link, and the seat that chance gave them."""

    link: str  # its parameter: study_link.py
    agreed: bool | None = None  # None: not answered yet
    group: str = ""  # "" without a seat
    order: str = ""  # of the test's forms
    learner: str = ""  # random, drawn with the seat: it joins the files of several rooms
    # The rooms that it entered, by the random id of the visit there: to be forgotten by.
    visits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class LearnersRecord:
    """What a learner did in the course. Lessons in which nothing was done are not in it."""

    saved: str = ""  # date and time
    seed: int | None = None  # of the exercises of all lessons that have none of their own
    lessons: Mapping[str, LessonDone] = field(default_factory=dict)
    # Answers to the concept test by sitting ("before", "after") and question; "" for none.
    concepts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    begun: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # not handed in yet
    study: InStudy | None = None

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing to keep."""
        return not (self.lessons or self.concepts or self.begun or self.study)

    def count(self, outcome: Outcome) -> int:
        """Return how many exercises of all lessons came out so."""
        return sum(lesson.count(outcome) for lesson in self.lessons.values())


def as_json(record: LearnersRecord) -> bytes:
    """Return the record as a file that `read_record` takes."""
    named = {"format": FORMAT, "version": VERSION, **asdict(record)}
    # Half a surrogate pair is no character, and no file has one.
    return json.dumps(named, indent=1, ensure_ascii=False).encode("utf-8", errors="replace") + b"\n"


def of_file(record: LearnersRecord) -> LearnersRecord:
    """Return a record as another browser takes it up: the page asks for consent again."""
    if record.study is None or not record.study.agreed:
        return record
    return replace(record, study=replace(record.study, agreed=None))


def merged(here: LearnersRecord, other: LearnersRecord) -> LearnersRecord:
    """Return both together: nothing that is opened or solved in either is lost.

    >>> opened = [LearnersRecord(lessons={"a": LessonDone(opened=(part,))}) for part in "xy"]
    >>> merged(*opened).lessons["a"].opened
    ('x', 'y')
    """
    lessons = dict(here.lessons)
    for slug, theirs in other.lessons.items():
        lessons[slug] = _together(lessons[slug], theirs) if slug in lessons else theirs
    seed = other.seed if here.seed is None else here.seed
    return LearnersRecord(
        seed=seed,
        lessons=lessons,
        saved=other.saved,
        concepts=_answers_together(here.concepts, other.concepts),
        begun=_answers_together(here.begun, other.begun),
        study=_studies_together(here, other),
    )


def _studies_together(here: LearnersRecord, other: LearnersRecord) -> InStudy | None:
    """Return the study whose link is open here, with the seat of an earlier sitting.

    A seat that is drawn here stays, unless the other record alone has handed in answers.
    """
    mine, theirs = here.study, other.study
    if mine is None or theirs is None or mine.agreed is False:
        return mine or theirs
    if not is_of_one_study(read_study(mine.link), read_study(theirs.link)):
        return mine
    visits = {**theirs.visits, **mine.visits}
    stays = mine.group and (any(here.concepts.values()) or not any(other.concepts.values()))
    if stays or not theirs.group:
        return replace(mine, visits=visits)
    if mine.agreed is None and mine.link == theirs.link:
        return replace(theirs, visits=visits)
    seat = {"group": theirs.group, "order": theirs.order, "learner": theirs.learner}
    return replace(mine, visits=visits, **seat)


def _answers_together(
    here: Mapping[str, Mapping[str, str]], other: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, str]]:
    return {when: {**other.get(when, {}), **here.get(when, {})} for when in sorted({*here, *other})}


def _together(here: LessonDone, other: LessonDone) -> LessonDone:
    exercises = dict(here.exercises)
    for name, theirs in other.exercises.items():
        ours = exercises.get(name)
        if ours is None or OUTCOMES.index(theirs.outcome) < OUTCOMES.index(ours.outcome):
            exercises[name] = theirs
    # One lesson has one seed: that with which more was solved, for its answers to be seen again.
    sides = (here, other) if here.exercises or not other.exercises else (other, here)
    best = max(sides, key=lambda lesson: lesson.count("solved"))
    return LessonDone(
        opened=tuple(dict.fromkeys((*here.opened, *other.opened))),
        seed=best.seed,
        exercises=exercises,
        card=max(filter(None, (here.card, other.card)), key=lambda card: card.kept, default=None),
        explained=here.explained or other.explained,
    )
