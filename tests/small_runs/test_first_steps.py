"""The first steps of a run: they are the run's own, and the terms add up to its weights."""

from collections import deque

import numpy as np
import pytest

from mlm_core.small_runs.first_steps import FOLLOWED, N_STEPS, follow_row
from mlm_core.small_runs.run import SmallRun
from mlm_core.small_runs.settings import OBJECTIVES, SmallRunSettings
from mlm_core.small_runs.snapshot import model_at
from mlm_core.small_runs.text import prepare
from mlm_core.training.loop import learning_rate_at
from tests.small_runs.test_run import TALES


def tiny(**changes) -> SmallRunSettings:
    sizes = {"hidden_size": 8, "n_heads": 2, "n_layers": 1, "length": 16, "batch_size": 7}
    return SmallRunSettings(
        **{"own_text": TALES, "vocabulary_size": 120, "n_steps": N_STEPS, **sizes, **changes}
    )


def text_of(settings):
    return deque(prepare(settings), maxlen=1).pop()


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_weights_are_those_of_the_run_with_the_same_settings(objective):
    settings = tiny(objective=objective)
    text = text_of(settings)
    run = SmallRun(settings, text=text)
    deque(run.go_on(), maxlen=0)
    after = model_at(run.snapshot).bert
    row = text.special.mask
    theirs = {
        "token": after.embeddings.token.weight[row],
        "query": after.blocks[0].attention.query.weight[0],
        "feed_forward": after.blocks[0].inner.weight[0],
        "norm": after.blocks[0].attention_norm.weight,
    }
    for followed in FOLLOWED:
        found = follow_row(text, settings, followed, row)
        # A run keeps its weights in float16.
        kept = np.array(found.weights[-1], dtype=np.float32).astype(np.float16)
        assert kept.astype(np.float32).tolist() == theirs[followed].tolist(), followed


def test_the_terms_of_every_weight_give_the_weights_of_the_run():
    settings = tiny(weight_decay=0.1, peak_learning_rate=0.03)
    text = text_of(settings)
    for followed in FOLLOWED:
        found = follow_row(text, settings, followed, text.special.mask)
        assert found.rates == tuple(
            learning_rate_at(step, settings.training()) for step in range(N_STEPS)
        )
        assert found.weight_decay == (0.0 if followed == "norm" else 0.1)
        for entry in range(settings.hidden_size):
            for update in found.updates(entry):
                own = found.weights[update.number][entry]
                # Weights of about 1 in float32: an eighth of a millionth each for two roundings.
                assert update.after == pytest.approx(own, abs=3e-7)
                assert update.before == found.weights[update.number - 1][entry]


def test_a_run_shorter_than_five_steps_is_followed_to_its_end():
    settings = tiny(n_steps=3)
    found = follow_row(text_of(settings), settings, "norm")
    assert [update.number for update in found.updates(0)] == [1, 2, 3]
