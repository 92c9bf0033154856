"""The questions of the course as data, to be saved for other systems: what has one right answer.

The concept test in both forms, and the exercises whose answer is a number or one of some options,
with the numbers of one seed. An exercise that asks for a learner's words, or about them, has no
such answer.
"""

import re
from functools import partial

from mlm_core.encoder.model_list import BUNDLED
from mlm_core.evaluation.learning_gain import RIGHT, WHEN
from mlm_core.exercises.by_lesson import exercises_of
from mlm_core.exercises.exercise import Exercise, Learner, Task
from mlm_core.exercises.own.own_question import OwnQuestion
from pages.kit.exercises.feedback import section
from pages.kit.remember import remembered
from pages.server.caches import cache
from pages.server.course.concept_items import FORMS, HALVES, Item
from pages.server.course.lessons import LESSONS
from pages.server.course.words import CUT, Words, read_words

SEED = 1
# What Markdown reads as a mark; CommonMark knows a backslash before others too, Moodle doesn't.
_NO_MARK = re.compile(r"\\([^\w\s\\`*_{}\[\]<>#|])")
Categories = dict[str, tuple[OwnQuestion, ...]]


@remembered(4)  # some 100 kB for each language, with the test and without
def by_category(language: str, has_test: bool = True) -> Categories:
    """Return the questions in a language, by the title of their category."""
    return (_concept_test(language) if has_test else {}) | _exercises(language)


def as_html(markdown: str) -> str:
    """Return Markdown as HTML; what was HTML in it is text."""
    from markdown_it import MarkdownIt  # here, since only a saved file needs it

    return MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown).strip()


def portable(markdown: str) -> str:
    r"""Return Markdown of the app's words as other systems read it.

    >>> portable("0\\.5\\: \\*a\\*")
    '0.5: \\*a\\*'
    """
    return _NO_MARK.sub(r"\1", markdown.replace(CUT, ""))


def _concept_test(language: str) -> Categories:
    words, titles = read_words("concept_test", language), read_words("columns", language)
    return {
        f"{words.plain('title')}/{words.plain(f'part_{half}')}, {titles.plain(when)}": tuple(
            _asked(item, form, words) for item in items
        )
        for half, items in HALVES.items()
        for when, form in zip(WHEN, FORMS, strict=True)
    }


def _asked(item: Item, form: str, words: Words) -> OwnQuestion:
    question, options = item.asked_in(form), item.options(form)
    return OwnQuestion(
        kind="choice",
        text=portable(words.label(question)),
        options=tuple(portable(words.label(f"{question}_{option}")) for option in options),
        right=(options.index(RIGHT),),
    )


def _exercises(language: str) -> Categories:
    title = read_words("teaching", language).plain("save_exercises", seed=SEED)
    learner = Learner(
        seed=SEED,
        tokenizer=partial(cache.model_tokenizer, BUNDLED),
        model=partial(cache.model, BUNDLED),
        remember=cache.remembered,
    )
    found = {}
    for lesson in LESSONS:
        words = read_words(f"exercises/{lesson.slug}", language)
        asked = tuple(
            _of_task(exercise, exercise.draw(learner), words)
            for exercise in exercises_of(lesson.slug)
            if exercise.kind in ("number", "choice") and not exercise.uses_text
        )
        name = read_words(lesson.slug, language).plain("title")
        found |= {f"{title}/{name}": asked} if asked else {}
    return found


def _of_task(exercise: Exercise, task: Task, words: Words) -> OwnQuestion:
    text, explanation = (
        portable(section(words, exercise, task, name)) for name in ("question", "explanation")
    )
    if exercise.kind == "choice":
        assert task.answer is not None
        return OwnQuestion(
            kind="choice",
            text=text,
            options=tuple(portable(words.label(f"{exercise.id}_{one}")) for one in task.options),
            right=(task.options.index(task.answer),),
            explanation=explanation,
        )
    assert task.accepted is not None
    low, high = task.accepted
    # number_task has made the interval wider than it says, by less than these digits.
    number, tolerance = float(f"{(low + high) / 2:.9g}"), round((high - low) / 2, 7)
    return OwnQuestion(
        kind="number", text=text, number=number, tolerance=tolerance, explanation=explanation
    )
