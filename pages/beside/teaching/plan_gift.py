"""Questions of a GIFT file become steps of the plan; what isn't read is named by its line."""

from dataclasses import dataclass

from mlm_core.exercises.own.gift_reading import Refused, read_gift
from mlm_core.text.plain_text import decode_text
from pages.beside.teaching import plan_state
from pages.beside.teaching.lesson_plan import MOST_STEPS, MOST_TAKEN, Plan, Step, as_json
from pages.kit.part import Part

READ = "gift_read"  # state
MOST_NAMED = 20  # lines


@dataclass(frozen=True, kw_only=True)
class Read:
    """What came of a file."""

    n_added: int = 0
    n_left: int = 0  # questions for which the plan has no room
    refused: tuple[Refused, ...] = ()


def add(p: Part, data: bytes) -> None:
    """Add the questions of a file behind the plan's steps, in a callback."""
    try:
        text = decode_text(data).text
    except ValueError as error:
        p.state[READ] = Read(refused=(Refused(line=1, reason=str(error)),))
        return
    questions, refused = read_gift(text, (p.plain("gift_true"), p.plain("gift_false")))
    n_added = 0

    def longer(plan: Plan) -> Plan:
        nonlocal n_added
        free = MOST_TAKEN - len(as_json(plan).encode())
        for question in questions[: MOST_STEPS - len(plan.steps)]:
            step = Step(own=question)
            free -= len(as_json(Plan(steps=(step,))).encode())
            if free < 0:
                break
            plan, n_added = plan.with_step(step), n_added + 1
        return plan

    plan_state.change(p, longer)
    n_left = len(questions) - n_added
    p.state[READ] = Read(n_added=n_added, n_left=n_left, refused=tuple(refused))


def show_read(p: Part) -> None:
    """Say what came of the last file."""
    read: Read | None = p.state.get(READ)
    if read is None:
        return
    if read.n_added or not (read.n_left or read.refused):
        p.confirm("gift_added", n=read.n_added)
    if read.n_left:
        p.warn("gift_left", n=read.n_left, most=MOST_STEPS)
    if read.refused:
        lines = [
            p.section("gift_line", line=one.line, why=p.translated(one.reason))
            for one in read.refused[:MOST_NAMED]
        ]
        lines = [p.section("gift_refused", n=len(read.refused)), *(f"- {one}" for one in lines)]
        p.write("\n".join([lines[0], "", *lines[1:]]), box="warning", icon="warning")
