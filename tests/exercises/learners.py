"""A learner with the bundled model, for tests."""

from functools import cache

from mlm_core.encoder import pretrained
from mlm_core.encoder.model_list import BUNDLED
from mlm_core.exercises.exercise import Exercise, Learner, Task

SEEDS = (*range(1, 11), 4711, 123_456_789)
SENTENCE = "The old man crossed the river at night."


@cache
def bundled_model():
    return pretrained.load(BUNDLED)


def remember_in(kept: dict[str, object]):
    """Return what keeps what was made under a name, as the app's cache does."""

    def remember(name, make):
        if name not in kept:
            kept[name] = make()
        return kept[name]

    return remember


REMEMBER = remember_in({})


def learner(seed: int, text: str = SENTENCE) -> Learner:
    return Learner(
        seed=seed,
        text=text,
        tokenizer=lambda: bundled_model().tokenizer,
        model=bundled_model,
        remember=REMEMBER,
    )


@cache
def drawn(exercise: Exercise, seed: int) -> Task:
    """Draw an exercise once for all tests that look at it: each takes many seeds of every one."""
    return exercise.draw(learner(seed))
