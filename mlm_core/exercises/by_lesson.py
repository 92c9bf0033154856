"""The exercises of each lesson, by the lesson's name.

Read before this: exercise.py.
"""

from importlib import import_module

from mlm_core.exercises.exercise import Exercise

LESSONS = (
    "subword_tokens",
    "attention_mask",
    "masking",
    "prediction_and_loss",
    "sentence_pairs",
    "train_an_encoder",
    "word_senses",
    "isotropy",
    "classification",
    "bio_tagging",
)


def exercises_of(lesson: str) -> tuple[Exercise, ...]:
    """Return a lesson's exercises in their order.

    Raises ValueError for a lesson that has none.

    >>> exercises_of("subword_tokens")[0].id
    'longest_match'
    """
    if lesson not in LESSONS:
        raise ValueError(
            f"no exercises for {lesson!r}: write mlm_core/exercises/{lesson}.py and name it in"
            " LESSONS"
        )
    return import_module(f"mlm_core.exercises.{lesson}").EXERCISES
