"""A lesson plan: steps in order, each with some minutes and a note; and its file.

    {"format": "mlm-lesson-plan", "version": 2, "title": "…",
     "steps": [{"link": "masking?masking_part=why", "minutes": 8, "note": "…"},
               {"text": "**Read** this.", "minutes": 2, "note": ""},
               {"question": {"kind": "number", …}, "minutes": 3, "note": ""}]}

A step shows a view by its link, the teacher's own text or question, or nothing: it is talk, or
work on paper. A link is kept without the app's address, so a plan is as good on another server.
Files of version 1, which have no own texts and questions, are read, too.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from mlm_core.number_format import formatted
from mlm_core.text.plain_text import decode_text, read_json
from pages.beside.teaching.view import LONGEST_LINK
from pages.server.classroom.own_step import Own, own_as_json, read_own

FORMAT, VERSION, READS = "mlm-lesson-plan", 2, (1, 2)
MOST_STEPS, MOST_MINUTES = 60, 240
LONGEST_NOTE, LONGEST_TITLE = 2_000, 120  # characters
LARGEST_FILE = 1_000_000  # bytes; sixty full notes are half of it
MOST_TAKEN = 500_000  # bytes of a plan's file that may take one more text or question


class UnreadablePlanError(ValueError):
    """A file that is no plan; `reason` names the section that says what was expected."""

    def __init__(self, reason: str, **values: object) -> None:
        super().__init__(f"{reason}: {values}")
        self.reason, self.values = reason, values


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of a lesson."""

    link: str = ""  # without the app's address; "" is a step without a view
    own: Own = ""  # the teacher's own text or question; then there is no link
    minutes: int = 5
    note: str = ""  # what the teacher says or asks


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A lesson, step by step."""

    title: str = ""
    steps: tuple[Step, ...] = ()

    @property
    def minutes(self) -> int:
        """Return how long it takes."""
        return sum(step.minutes for step in self.steps)

    def begins(self, position: int) -> int:
        """Return the minute at which a step begins."""
        return sum(step.minutes for step in self.steps[:position])

    def with_step(self, step: Step) -> "Plan":
        """Return the plan with one step more; a full plan stays as it is."""
        return replace(self, steps=(*self.steps, step)[:MOST_STEPS])

    def without(self, position: int) -> "Plan":
        """Return the plan without one step."""
        return replace(self, steps=self.steps[:position] + self.steps[position + 1 :])

    def moved(self, position: int, to: int) -> "Plan":
        """Return the plan with a step at another position, the others in their order."""
        steps = list(self.steps)
        if not 0 <= to < len(steps):
            return self
        steps.insert(to, steps.pop(position))
        return replace(self, steps=tuple(steps))

    def changed(self, position: int, **values: object) -> "Plan":
        """Return the plan with a step that has other values."""
        steps = list(self.steps)
        steps[position] = replace(steps[position], **values)
        return replace(self, steps=tuple(steps))


def as_json(plan: Plan) -> str:
    """Return the plan as the text of its file."""
    steps = [
        ({"link": step.link} if step.link else own_as_json(step.own))
        | {"minutes": step.minutes, "note": step.note}
        for step in plan.steps
    ]
    whole = {"format": FORMAT, "version": VERSION, "title": plan.title, "steps": steps}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def read_plan(data: bytes) -> Plan:
    """Return the plan of a file.

    Raises UnreadablePlanError if it isn't one: nothing of a file is taken that has a fault.
    """
    if len(data) > LARGEST_FILE:
        raise UnreadablePlanError(
            "too_large", n=formatted(len(data), ","), most=formatted(LARGEST_FILE, ",")
        )
    try:
        whole = _drawable(read_json(data))
    except json.JSONDecodeError as error:
        from mlm_core.labelled.file_kinds import KINDS, kind_of  # it loads torch

        kind = kind_of(decode_text(data).text)
        if kind in ("text", "json"):
            raise UnreadablePlanError("no_json", line=error.lineno) from None
        raise UnreadablePlanError("no_plan", seen=KINDS[kind]) from None
    except (ValueError, RecursionError):
        raise UnreadablePlanError("no_text") from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        from mlm_core.labelled.file_kinds import KINDS, kind_of_json  # it loads torch

        raise UnreadablePlanError("no_plan", seen=KINDS[kind_of_json(whole)])
    if type(whole.get("version")) is not int or whole["version"] not in READS:
        raise UnreadablePlanError("version", version=VERSION, came=_shown(whole.get("version")))
    steps, title = whole.get("steps"), whole.get("title", "")
    if not isinstance(steps, list) or len(steps) > MOST_STEPS:
        raise UnreadablePlanError("steps", most=MOST_STEPS)
    if not isinstance(title, str) or len(title) > LONGEST_TITLE:
        raise UnreadablePlanError("title", most=LONGEST_TITLE, came=_shown(title))
    read = tuple(_step(step, number) for number, step in enumerate(steps, start=1))
    return Plan(title=title, steps=read)


def from_lines(lines: Sequence[str], title: str, known: Sequence[str] = ()) -> Plan:
    """Return the plan of lines: `8 | masking?masking_part=why | Ask first`.

    A line without a note has link and note of the `known` line about the same lesson.
    """
    views = [line.split(" | ", 2)[1:] for line in known]
    by_lesson = {link.partition("?")[0]: (link, note) for link, note in views}
    steps = []
    for line in lines:
        minutes, link, *note = line.split(" | ", 2)
        link, text = (link, note[0]) if note else by_lesson[link]
        steps.append(Step(link=link, minutes=int(minutes), note=text))
    return Plan(title=title, steps=tuple(steps))


def _step(found: object, number: int) -> Step:
    if not isinstance(found, dict):
        raise UnreadablePlanError("step", number=number, came=_shown(found))
    link, minutes, note = found.get("link", ""), found.get("minutes"), found.get("note", "")
    if not isinstance(link, str) or len(link) > LONGEST_LINK:
        raise UnreadablePlanError("step_link", number=number, most=LONGEST_LINK)
    # True is an int to Python, and no number of minutes.
    if type(minutes) is not int or not 0 <= minutes <= MOST_MINUTES:
        raise UnreadablePlanError(
            "step_minutes", number=number, most=MOST_MINUTES, came=_shown(minutes)
        )
    if not isinstance(note, str) or len(note) > LONGEST_NOTE:
        raise UnreadablePlanError("step_note", number=number, most=LONGEST_NOTE)
    if link:
        return Step(link=link, minutes=minutes, note=note)
    try:
        return Step(own=read_own(found), minutes=minutes, note=note)
    except ValueError as error:
        raise UnreadablePlanError("step_own", number=number, why=str(error)) from None


def _drawable(whole: object) -> Any:
    r"""Return JSON without the halves of characters that it can hold and no page can show.

    >>> _drawable({"title": "a\ud800"})
    {'title': 'a?'}
    """
    return json.loads(json.dumps(whole, ensure_ascii=False).encode("utf-8", "replace"))


def _shown(value: object) -> str:
    """Return the beginning of what stood there instead."""
    return json.dumps(value)[:40]
