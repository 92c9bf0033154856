"""A learner with the bundled model, for tests."""

from functools import cache

from mlm_core.encoder import pretrained
from mlm_core.encoder.model_list import BUNDLED
from mlm_core.exercises.exercise import Learner

SEEDS = (*range(1, 25), 4711, 123_456_789)
SENTENCE = "The old man crossed the river at night."


@cache
def bundled_model():
    return pretrained.load(BUNDLED)


def learner(seed: int, text: str = SENTENCE) -> Learner:
    return Learner(
        seed=seed,
        text=text,
        tokenizer=lambda: bundled_model().tokenizer,
        model=bundled_model,
    )
