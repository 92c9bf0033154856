"""How long a lesson takes: computed from its words, its controls and its exercises."""

import functools
import re

from pages.shared.course.language import FIRST
from pages.shared.course.lessons import Lesson
from pages.shared.course.words import sections_of
from pages.shared.link.controls import OPENING, controls_of

WORDS_A_MINUTE = 150  # read with care, in a language that may be one's second
PER_CONTROL, PER_EXERCISE = 0.5, 2.0
_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_NO_WORDS = re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$|\{\{.*?\}\}", re.DOTALL)


def core_minutes(lesson: Lesson) -> int:
    """Return the minutes of the opening, the core parts, "In short" and one exercise."""
    return round(_minutes(lesson, lesson.core) + PER_EXERCISE)


def all_minutes(lesson: Lesson) -> int:
    """Return the minutes of the whole lesson, without those of a training."""
    from mlm_core.exercises.by_lesson import exercises_of

    n_exercises = len(exercises_of(lesson.slug))
    return round(_minutes(lesson, lesson.parts) + PER_EXERCISE * n_exercises)


@functools.cache
def _minutes(lesson: Lesson, parts: tuple[str, ...]) -> float:
    """Return the minutes of the opening, the goals, the named parts and the summary."""
    own = sections_of(lesson.slug, FIRST)
    overview = sections_of(f"overview/{lesson.slug}", FIRST)
    shown = {*lesson.opening, *parts}
    texts = [own["lead"], overview["goals"], overview["in_short"]]
    texts += [text for name, text in own.items() if name.partition(".")[0] in shown]
    n_words = sum(len(_WORD.findall(_NO_WORDS.sub(" ", text))) for text in texts)
    places = {OPENING, *parts} - {"exercises"}
    controls = [
        control
        for control in controls_of(lesson.slug).values()
        if places & set(control.at) and not (control.when or control.is_seed or control.is_dice)
    ]
    return n_words / WORDS_A_MINUTE + PER_CONTROL * len(controls)
