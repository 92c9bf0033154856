"""What an exercise's answer is given with: a line, two lines, options, or a mask to draw."""

import streamlit as st

from mlm_core.exercises.exercise import LONGEST_ANSWER, LONGEST_NUMBER, Exercise, Task
from mlm_core.figures.matrix import matrix_svg
from pages.server.course.words import Words, read_words
from pages.server.figures.clickable import drawing


def ask(slug: str, exercise: Exercise, task: Task, words: Words) -> None:
    """Show the widgets for an answer; the button "Check" sends it."""
    key = f"{slug}_exercise_{exercise.id}"
    if exercise.kind == "mask":
        _draw_mask(slug, exercise, task, key)
        return
    frame = read_words("exercises")
    with st.form(f"{key}_form", border=False):
        if exercise.kind == "choice":
            st.radio(
                frame.label("answer_choice"),
                task.options,
                index=None,
                format_func=lambda name: words.label(f"{exercise.id}_{name}"),
                key=f"{key}_answer",
                persist_state="session",
            )
        elif exercise.kind == "pair":
            for i in (1, 2):
                _line(words.label(f"{exercise.id}_answer_{i}"), f"{key}_answer_{i}", LONGEST_ANSWER)
        else:
            label = "answer_guess" if exercise.kind == "guess" else "answer"
            _line(frame.label(label), f"{key}_answer", _longest(exercise))
        st.form_submit_button(
            frame.label("check"),
            on_click=_send,
            args=(slug, exercise.id),
            icon=":material/done:",
            type="primary",
            key=f"{key}_check",
        )


def fill_in(slug: str, exercise: Exercise, task: Task, answer: str) -> None:
    """Put an answer into the fields that are shown next, as far as they can take it."""
    key = f"{slug}_exercise_{exercise.id}"
    if exercise.kind == "choice":
        st.session_state[f"{key}_answer"] = answer if answer in task.options else None
    elif exercise.kind == "pair":
        for i, line in enumerate(answer.partition("\n")[::2], 1):
            st.session_state[f"{key}_answer_{i}"] = line[:LONGEST_ANSWER]
    elif exercise.kind == "mask":
        from mlm_core.encoder.drawn_masks import mask_from_text

        try:
            mask_from_text(answer, len(task.tokens))
        except ValueError:
            answer = ""  # it begins all open
        st.session_state[f"{key}_mask"] = answer
    else:
        st.session_state[f"{key}_answer"] = answer[: _longest(exercise)]


def _longest(exercise: Exercise) -> int:
    """Return a little more than is read, so that too long an answer is told and not cut."""
    return (LONGEST_NUMBER if exercise.kind in ("number", "guess") else LONGEST_ANSWER) + 1


def _line(label: str, key: str, longest: int) -> None:
    # Who types a number needs no line across the whole page.
    width = 320 if longest <= LONGEST_NUMBER + 1 else "stretch"
    st.text_input(
        label,
        key=key,
        max_chars=longest,
        autocomplete="off",
        persist_state="session",
        width=width,
    )


def _send(slug: str, exercise_id: str) -> None:
    """Keep what was answered until the page is drawn, where a failure can be shown."""
    key = f"{slug}_exercise_{exercise_id}"
    if f"{key}_answer_1" in st.session_state:
        lines = (st.session_state[f"{key}_answer_{i}"] or "" for i in (1, 2))
        answer = "\n".join(" ".join(line.split()) for line in lines)
    elif f"{key}_mask" in st.session_state:
        answer = st.session_state[f"{key}_mask"]
    else:
        answer = st.session_state.get(f"{key}_answer") or ""
    st.session_state[f"{slug}_exercise_sent"] = exercise_id, answer


def _draw_mask(slug: str, exercise: Exercise, task: Task, key: str) -> None:
    """Show a matrix whose cells turn when they are clicked or drawn over; it begins all open."""
    from mlm_core.encoder.attention import bidirectional_mask
    from mlm_core.encoder.drawn_masks import mask_from_text, mask_to_text, painted

    frame, n = read_words("exercises"), len(task.tokens)
    drawn = st.session_state.get(f"{key}_mask") or mask_to_text(bidirectional_mask(n))
    st.session_state[f"{key}_mask"] = drawn
    mask = mask_from_text(drawn, n)

    def paint(cells: str) -> None:
        st.session_state[f"{key}_mask"] = mask_to_text(painted(mask, cells))

    st.caption(frame.section("mask_how"))
    drawing(
        matrix_svg(
            mask.float().tolist(),
            task.tokens,
            task.tokens,
            blocked=(~mask).tolist(),
            clickable="paint",
            alt=frame.plain("mask_alt", n=int(mask.sum()), of=n * n),
        ),
        key=f"{key}_matrix",
        on_click=paint,
    )
    with st.container(horizontal=True):
        st.button(
            frame.label("check"),
            on_click=_send,
            args=(slug, exercise.id),
            icon=":material/done:",
            type="primary",
            key=f"{key}_check",
        )
        for name, start in (
            ("mask_all", bidirectional_mask(n)),
            ("mask_nothing", ~bidirectional_mask(n)),
        ):
            st.button(
                frame.label(name),
                on_click=st.session_state.__setitem__,
                args=(f"{key}_mask", mask_to_text(start)),
                type="tertiary",
                key=f"{key}_{name}",
            )
