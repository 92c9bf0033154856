"""What an exercise's answer is given with: a line, two lines, options, or a mask to draw."""

from mlm_core.encoder.attention import bidirectional_mask
from mlm_core.encoder.drawn_masks import mask_from_text, mask_to_text, painted
from mlm_core.exercises.exercise import LONGEST_ANSWER, LONGEST_NUMBER, Exercise, Task
from mlm_core.figures.matrix import matrix_svg
from pages.kit.part import Part


def ask(p: Part, exercise: Exercise, task: Task) -> None:
    """Show the widgets for an answer; the button "Check" sends it."""
    name = name_of(exercise)
    if exercise.kind == "mask":
        _draw_mask(p, exercise, task)
        return
    sends = (f"{name}_form", f"{name}_check", _send, p, exercise.id)
    with p.form(*sends, label="check", icon="done", border=False):
        if exercise.kind == "choice":
            options = {one: p.label(f"{exercise.id}_{one}") for one in task.options}
            p.one_of(f"{name}_answer", options, "answer_choice", persist_state="session")
        elif exercise.kind == "pair":
            for i in (1, 2):
                _line(p, f"{name}_answer_{i}", f"{exercise.id}_answer_{i}", LONGEST_ANSWER)
        else:
            _line(p, f"{name}_answer", "answer", _longest(exercise))


def name_of(exercise: Exercise) -> str:
    """Return what the names of an exercise's widgets begin with."""
    return f"exercise_{exercise.id}"


def fill_in(p: Part, exercise: Exercise, task: Task, answer: str) -> None:
    """Put an answer into the fields that are shown next, as far as they can take it."""
    name = name_of(exercise)
    if exercise.kind == "choice":
        p.state[f"{name}_answer"] = answer if answer in task.options else None
    elif exercise.kind == "pair":
        for i, line in enumerate(answer.partition("\n")[::2], 1):
            p.state[f"{name}_answer_{i}"] = line[:LONGEST_ANSWER]
    elif exercise.kind == "mask":
        try:
            mask_from_text(answer, len(task.tokens))
        except ValueError:
            answer = ""  # it begins all open
        p.state[f"{name}_mask"] = answer
    else:
        p.state[f"{name}_answer"] = answer[: _longest(exercise)]


def _longest(exercise: Exercise) -> int:
    """Return one character more than is read: an answer that is too long gets a message."""
    return (LONGEST_NUMBER if exercise.kind == "number" else LONGEST_ANSWER) + 1


def _line(p: Part, name: str, label: str, longest: int) -> None:
    # Who types a number needs no line across the whole page.
    width = 320 if longest <= LONGEST_NUMBER + 1 else "stretch"
    p.typed(name, label, longest=longest, width=width)


def _send(p: Part, exercise_id: str) -> None:
    """Keep what was answered until the page is drawn, where a failure can be shown."""
    name = f"exercise_{exercise_id}"
    if f"{name}_answer_1" in p.state:
        lines = (p.state[f"{name}_answer_{i}"] or "" for i in (1, 2))
        answer = "\n".join(" ".join(line.split()) for line in lines)
    elif f"{name}_mask" in p.state:
        answer = p.state[f"{name}_mask"]
    else:
        answer = p.state.get(f"{name}_answer") or ""
    p.state["exercise_sent"] = exercise_id, answer


def _draw_mask(p: Part, exercise: Exercise, task: Task) -> None:
    """Show a matrix whose cells turn when they are clicked or drawn over; it begins all open."""
    name, n = name_of(exercise), len(task.tokens)
    drawn = p.state.get(f"{name}_mask") or mask_to_text(bidirectional_mask(n))
    p.state[f"{name}_mask"] = drawn
    mask = mask_from_text(drawn, n)

    def draw(text: str) -> None:
        p.state[f"{name}_mask"] = text

    def paint(cells: str) -> None:
        draw(mask_to_text(painted(mask, cells)))

    p.caption("mask_how")
    matrix = matrix_svg(
        mask.float().tolist(),
        task.tokens,
        task.tokens,
        blocked=(~mask).tolist(),
        clickable="paint",
        alt=p.plain("mask_alt", n=int(mask.sum()), of=n * n),
    )
    p.drawing(f"{name}_matrix", matrix, paint)
    with p.row("top"):
        p.button(f"{name}_check", _send, p, exercise.id, label="check", icon="done", type="primary")
        everything = bidirectional_mask(n)
        for label, start in (("mask_all", everything), ("mask_nothing", ~everything)):
            settings = {"label": label, "type": "tertiary"}
            p.button(f"{name}_{label}", draw, mask_to_text(start), **settings)
