"""A step of the teacher's own, a text or a question: written, shown, and tried.

While one is written, the plan isn't drawn, so no other change can come between.
"""

import re
from typing import get_args

from mlm_core.exercises.exercise import UnreadableAnswerError, read_number
from mlm_core.exercises.own.own_question import Kind, OwnQuestion
from mlm_core.number_format import formatted
from pages.beside.teaching import plan_state
from pages.beside.teaching.lesson_plan import MOST_STEPS, MOST_TAKEN, Step, as_json
from pages.kit.part import Part, as_text
from pages.server.classroom.own_step import LONGEST_OWN, Own, image_as_text, read_own, title_of
from pages.server.course.words import Words
from pages.server.room import by_teacher

KINDS = ("choice", "text", *get_args(Kind)[1:])
IMAGES = ("png", "jpg", "jpeg", "gif", "webp")
WITH_PARTNERS = ("match", "labels")
# State: the position of the step that is written, and a number of its own; why it isn't taken; what
# the image that was chosen last has added to the text.
EDITED, REFUSED, ADDED = "own_edited", "own_refused", "own_added"
NEW = MOST_STEPS  # the position of a step that will be the last one, however many there are then
LONGEST_LIST, LONGEST_NUMBER = 9_000, 40  # characters of a field
RIGHT, WRONG = "* ", "- "  # before an answer; a wrong one needs it if it begins like a mark


def is_open(p: Part) -> bool:
    """Return whether a step is being written."""
    return p.state.get(EDITED, (None,))[0] is not None


def open_editor(p: Part, position: int) -> None:
    """Let a step be written, in a callback: one of the plan, or a `NEW` one."""
    plan_state.take_fields(p, plan_state.version(p))
    p.state[EDITED] = position, p.state.get(EDITED, (None, 0))[1] + 1
    for name in (REFUSED, ADDED):
        p.state.pop(name, None)


def show_editor(p: Part) -> None:
    """Show the fields of a text or question, as they are until it is taken."""
    plan, position = plan_state.current(p), p.state[EDITED][0]
    own = plan.steps[position].own if position < len(plan.steps) else ""
    p.write(f"#### {p.label('own_step', n=min(position, len(plan.steps)) + 1)}")
    kinds = {name: p.label(f"own_{name}") for name in KINDS}
    looks = {"default": _kind_of(own), "wrap": True, "persist_state": "session"}
    kind = p.segments(_field(p, "kind"), kinds, "own_kind", **looks)
    p.caption(f"own_{kind}")
    # No form: its fields would be lost with another kind or part.
    _area(p, "text", "own_words", own if isinstance(own, str) else own.text, LONGEST_OWN)
    if kind == "text":
        add = {"on_change": _add_image, "args": (p,)}
        p.upload(_field(p, "image"), IMAGES, "own_image", max_upload_size=1, **add)
    else:
        question = own if isinstance(own, OwnQuestion) and own.kind == kind else None
        _show_answers(p, kind, question)
        explanation = own.explanation if isinstance(own, OwnQuestion) else ""
        _area(p, "explanation", "own_explanation", explanation, LONGEST_LIST)
    p.button("own_take", _take, p, icon="check", type="primary")
    refused = p.state.get(REFUSED)
    if isinstance(refused, Exception):
        p.refused(refused)
    elif refused:
        p.write(p.section(refused), box="error", icon="error")
    p.button("own_back", _close, p, icon="close", type="tertiary")


def show_title(p: Part, own: Own) -> None:
    """Show what a step without a view is."""
    p.write(as_text(name_of(p.words, own)), width="content")


def name_of(words: Words, own: Own) -> str:
    """Return the name of a step without a view: what it is, and its first words."""
    kind, title = words.plain(label_of(own)), title_of(own)
    # No `Text`, which would be read as Markdown.
    return str(words.plain("own_title", kind=kind, title=title) if title else kind)


def label_of(own: Own) -> str:
    """Return the label that says what a step without a view is."""
    return f"own_{_kind_of(own)}" if own else "no_view"


def show_trial(p: Part, position: int, own: Own) -> None:
    """Show a step as learners get it, and judge what is answered."""
    box = p.box(f"own_try_{position}_{plan_state.version(p)}", "play_circle", "own_try")
    if box.open:
        with box:
            by_teacher.show_trial(own, key=p.key(f"own_trial_{position}"))


def show_way(p: Part, position: int, own: Own) -> None:
    """Show the button that opens a step without a view to be written."""
    label, looks = "own_change" if own else "own_write", {"icon": "edit", "type": "tertiary"}
    p.button(f"own_edit_{position}", open_editor, p, position, label=label, **looks)


def _show_answers(p: Part, kind: str, question: OwnQuestion | None) -> None:
    if kind == "number":
        for column, name in zip(p.columns(), ("number", "tolerance"), strict=True):
            shown = "" if question is None else formatted(getattr(question, name), ".15g")
            with column:
                field = (_field(p, name), f"own_right_{name}")
                p.typed(*field, longest=LONGEST_NUMBER, value=shown)
        return
    columns = p.columns() if kind in WITH_PARTNERS else [p.place()]
    lists = ("", "") if question is None else (_lines(question), "\n".join(question.partners))
    for column, name, value in zip(columns, ("options", "partners"), lists, strict=False):
        with column:
            _area(p, f"{name}_{kind}", f"own_{name}_{kind}", value, LONGEST_LIST)


def _area(p: Part, name: str, label: str, value: str, longest: int) -> None:
    height = 80 if name == "explanation" else 130
    p.pasted(_field(p, name), label, longest=longest, height=height, value=value)


def _add_image(p: Part) -> None:
    """Put the image that is chosen at the end of the text, in place of the one before.

    An upload is forgotten where it isn't drawn, with another kind or part; the text isn't.
    """
    p.state.pop(REFUSED, None)
    file, text = p.state.get(_field(p, "image")), _typed(p, "text")
    text, added = text.removesuffix(p.state.pop(ADDED, "")), ""
    try:
        added = f"\n\n{image_as_text(file.getvalue())}" if file is not None else ""
        read_own({"text": text + added})
    except ValueError as error:
        p.state[REFUSED] = error
    else:
        p.state[ADDED], p.state[_field(p, "text")] = added, text + added


def _take(p: Part) -> None:
    """Put what was written into the plan, or say why it can't be asked."""
    plan, position = plan_state.current(p), p.state[EDITED][0]
    try:
        own = _written(p)
        if position < NEW:
            plan = plan.changed(position, own=own, link="")
        elif len(plan.steps) < MOST_STEPS:
            plan = plan.with_step(Step(own=own))
        else:
            raise ValueError(f"a plan has at most {MOST_STEPS} steps: remove one first")
        if len(as_json(plan).encode()) > MOST_TAKEN:
            raise ValueError(f"the plan would have more than {MOST_TAKEN} bytes: use fewer images")
    except UnreadableAnswerError:
        p.state[REFUSED] = "own_no_number"
    except ValueError as error:
        p.state[REFUSED] = error
    else:
        plan_state.change(p, lambda _: plan)
        _close(p)


def _close(p: Part) -> None:
    position, number = p.state[EDITED]
    p.state[EDITED] = None, number
    p.state[plan_state.MOVED_TO] = min(position, len(plan_state.current(p).steps) - 1)


def _written(p: Part) -> Own:
    """Return what the fields say. Raises ValueError, UnreadableAnswerError."""
    kind, text = p.state[_field(p, "kind")], _typed(p, "text")
    if kind not in KINDS or not text.strip():
        raise ValueError("the question has no words: write what is asked")
    if kind == "text":
        return read_own({"text": text})
    words: dict = {"kind": kind, "text": text, "explanation": _typed(p, "explanation")}
    if kind == "number":
        tolerance = _typed(p, "tolerance").strip() or "0"
        return OwnQuestion(
            **words, number=read_number(_typed(p, "number")), tolerance=read_number(tolerance)
        )
    options = _typed(p, f"options_{kind}")
    if kind in WITH_PARTNERS:
        words["partners"] = tuple(_listed(_typed(p, f"partners_{kind}"), kind))
    if kind != "choice":
        return OwnQuestion(**words, options=tuple(_listed(options, kind)))
    lines = _listed(options, kind)
    right = tuple(at for at, line in enumerate(lines) if line.startswith(RIGHT))
    if not right:
        raise ValueError("put * and a blank before each right answer")
    shown = (line[2:].strip() if line.startswith((RIGHT, WRONG)) else line for line in lines)
    return OwnQuestion(**words, options=tuple(shown), right=right)


def _typed(p: Part, name: str) -> str:
    return p.state.get(_field(p, name)) or ""


def _listed(typed: str, kind: str) -> list[str]:
    """Return the lines that are not empty; of labels, one line alone is cut at its blanks."""
    lines = [" ".join(line.split()) for line in typed.splitlines() if line.strip()]
    return lines[0].split() if kind == "labels" and len(lines) == 1 else lines


def _lines(question: OwnQuestion) -> str:
    """Return the options as they are written, one a line."""
    marks = [""] * len(question.options)
    if question.kind == "choice":
        for at, option in enumerate(question.options):
            mark = WRONG if re.match(r"[*-] ", option) else ""
            marks[at] = RIGHT if at in question.right else mark
    return "\n".join(mark + option for mark, option in zip(marks, question.options, strict=True))


def _kind_of(own: Own) -> str:
    return own.kind if isinstance(own, OwnQuestion) else "text" if own else KINDS[0]


def _field(p: Part, name: str) -> str:
    return f"own_{p.state[EDITED][1]}_{name}"
