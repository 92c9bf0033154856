"""AdamW's terms of one weight, in a real run, against torch.optim.AdamW and its state."""

import pytest
import torch
from torch import nn

from mlm_core.small_runs.first_steps import follow_row
from mlm_core.small_runs.held_out import make_training_task
from mlm_core.small_runs.run import untrained_bert
from mlm_core.training.loop import generator_of_step, learning_rate_at
from tests.small_runs.test_first_steps import text_of, tiny


def test_every_term_is_that_of_torchs_adamw_on_the_same_run():
    settings = tiny(weight_decay=0.1, peak_learning_rate=0.02, n_steps=9)
    text, training = text_of(settings), settings.training()
    found = follow_row(text, settings, "query")
    bert = untrained_bert(settings, text.tokenizer.get_vocab_size())
    task = make_training_task(text, settings)
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in bert.parameters() if p.ndim > 1], "weight_decay": 0.1},
            {"params": [p for p in bert.parameters() if p.ndim == 1], "weight_decay": 0.0},
        ],
        betas=training.betas,
        eps=training.epsilon,
    )
    followed = bert.blocks[0].attention.query.weight
    bert.train()
    for step in range(len(found.rates)):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate_at(step, training)
        batch = task.batch(step, generator_of_step(settings.seed, step, "cpu"))
        task.loss(bert, batch)[0].backward()
        nn.utils.clip_grad_norm_(bert.parameters(), training.max_grad_norm)
        gradient = followed.grad[0].tolist()
        optimizer.step()
        optimizer.zero_grad()
        state = optimizer.state[followed]
        for entry in range(settings.hidden_size):
            update = found.updates(entry)[step]
            # float32 beside float64: a few units of the seventh digit.
            assert update.gradient == pytest.approx(gradient[entry], rel=1e-4, abs=1e-9)
            m, v = state["exp_avg"][0, entry].item(), state["exp_avg_sq"][0, entry].item()
            assert update.first_moment == pytest.approx(m, rel=1e-4, abs=1e-9)
            assert update.second_moment == pytest.approx(v, rel=1e-4, abs=1e-13)
            assert update.after == pytest.approx(followed[0, entry].item(), abs=1e-6)
