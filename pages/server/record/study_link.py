"""A study's link: what is asked of a visit that opens it, as data.

    /concept_test?study=<packed>       JSON of a Study

The first link asks the test before and after; a later one asks one sitting, of learners who bring
their record. Chance gives each learner a seat: a group, and the order of the test's two forms
(../classroom/study_seats.py). The seat stays in the learner's record.
"""

import json
import re
from dataclasses import asdict, dataclass

from mlm_core.evaluation.learning_gain import SITTINGS, WHEN
from mlm_core.text.plain_text import read_json
from pages.server.classroom.rooms import read_code
from pages.server.course.concept_items import HALVES
from pages.server.course.lessons import CONCEPT_TEST
from pages.server.course.packed import packed, unpacked
from pages.server.link.controls import FIGURES, NO, part_key

IN_LINK = "study"
# What a learner does between the tests: a lesson, its words without figures, or nothing.
GROUPS = ("lesson", "words", "waiting")
LEARNER, ID = re.compile(r"[0-9a-f]{8}", re.ASCII), re.compile(r"[\w-]*", re.ASCII)
LONGEST_ID = 20  # characters
LONGEST, LARGEST = 8_000, 16_000  # characters of the parameter, bytes of what is in it
LONGEST_TEXTS = {"view": 2_000, "back": 200, "consent": 2_000}  # characters


@dataclass(frozen=True, kw_only=True)
class Study:
    """What the teacher set."""

    room: str  # the code of the room that gets the answers
    half: str  # of the test
    id: str = ""  # of the study, the same in all its links; "" in older ones
    sitting: str = SITTINGS[0]  # that the link begins with
    groups: tuple[str, ...] = ()  # that chance chooses from; a later link needs none
    view: str = ""  # the lesson, as a link without the app's address
    back: str = ""  # when learners come back; a teacher's text, as `consent` is
    consent: str = ""  # "" is the usual text
    has_delayed: bool = False  # a third sitting follows, so the right answers wait

    @property
    def sittings(self) -> tuple[str, ...]:
        """Return the sittings of this link, in their order."""
        return WHEN if self.sitting == WHEN[0] else (self.sitting,)

    @property
    def tells_answers(self) -> bool:
        """Return whether the right answers are shown once all is handed in."""
        return not self.has_delayed or self.sitting == SITTINGS[-1]

    def packed(self) -> str:
        """Return the parameter of the link."""
        return packed(json.dumps(asdict(self), ensure_ascii=False).encode(errors="replace"))

    def parameters(self) -> dict[str, str]:
        """Return all parameters of the link, which leads to the concept test."""
        return {part_key(CONCEPT_TEST.slug): self.half, IN_LINK: self.packed()}


def for_group(group: str) -> dict[str, list[str]]:
    """Return the parameters that the view of a group has besides; "" is that of nobody left out."""
    return {FIGURES: [NO if group == GROUPS[1] else "yes"]}


def is_of_one_study(one: Study, other: Study) -> bool:
    """Return whether two links are of one study; a link without an id goes with any."""
    return not one.id or not other.id or one.id == other.id


def is_id(text: str) -> bool:
    """Return whether a text may be the id of a study; "" is that of an older link."""
    return len(text) <= LONGEST_ID and ID.fullmatch(text) is not None


def is_learner(text: str) -> bool:
    """Return whether a text is the random id of a learner in a study."""
    return LEARNER.fullmatch(text) is not None


def read_study(text: object) -> Study:
    """Return what a link's parameter says. Raises ValueError for what no teacher's page made."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise ValueError(f"a study's parameter has at most {LONGEST} characters")
    raw = read_json(unpacked(text, LARGEST))
    if not isinstance(raw, dict):
        raise ValueError("a study's parameter is a JSON object")
    names = ("room", "half", "id", "sitting", *LONGEST_TEXTS)
    texts = {name: raw.get(name, "") for name in names}
    asked = raw.get("groups")
    groups = tuple(one for one in GROUPS if isinstance(asked, list) and one in asked)
    is_read = (
        all(isinstance(one, str) for one in texts.values())
        and all(len(texts[name]) <= most for name, most in LONGEST_TEXTS.items())
        and read_code(texts["room"]) == texts["room"] != ""
        and texts["half"] in HALVES
        and is_id(texts["id"])
        and texts["sitting"] in SITTINGS
        and (groups or texts["sitting"] != SITTINGS[0])
    )
    if not is_read:
        raise ValueError("a study's parameter has a room, a half of the test, a sitting and groups")
    return Study(**texts, groups=groups, has_delayed=raw.get("has_delayed") is True)
