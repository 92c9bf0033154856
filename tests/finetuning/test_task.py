"""The task: every example once an epoch, padding without effect, losses by hand."""

import math
from types import SimpleNamespace

import pytest
import torch

from mlm_core.encoder.language_model import pad_batch
from mlm_core.finetuning.fine_tuned import make_upper, reading_of
from mlm_core.finetuning.task import (
    FineTuneTask,
    frozen_states,
    log_probabilities_of,
    loss_of,
    predict,
)
from tests.finetuning.small_models import settings_for, small_data, small_encoder


def made(kind, *, frozen=True, pairs=False, batch_size=3):
    """Return what a run makes before its first step."""
    encoder, data = small_encoder(), small_data(kind, pairs=pairs)
    settings = settings_for(data, trained="top" if frozen else "all", n_top_layers=1)
    reading = reading_of(encoder, data, settings)
    examples = [reading.read(example) for example in data.train]
    used, states = None, None
    if frozen:
        states = [s for part in frozen_states(encoder.bert, 2, examples, 3) for s in part]
    else:
        used = torch.tensor(sorted({i for example in examples for i in example.text.ids}))
    upper = make_upper(encoder.bert, data, settings, used)
    task = FineTuneTask(kind, examples, states, padding_id=0, batch_size=batch_size, seed=4)
    return SimpleNamespace(encoder=encoder, examples=examples, upper=upper, task=task)


@pytest.mark.parametrize("kind", ["classes", "answers", "tags"])
@pytest.mark.parametrize("pairs", [False, True])
def test_frozen_states_give_the_loss_of_the_whole_encoder(kind, pairs):
    run = made(kind, pairs=pairs)
    batch = run.task.collect(range(len(run.examples)))
    loss, _ = run.task.loss(run.upper, batch)
    bert = run.encoder.bert
    whole = pad_batch([example.text for example in run.examples], 0)
    states = bert.last_states(whole.ids, whole.segment_ids, whole.not_padding)
    logits = run.upper.head(states, whole.not_padding)
    found = log_probabilities_of(kind, logits, batch.may_answer)
    torch.testing.assert_close(loss, loss_of(kind, found, batch.labels))


@pytest.mark.parametrize("kind", ["classes", "answers", "tags"])
def test_trained_from_the_ids_the_first_loss_is_the_same_as_from_frozen_states(kind):
    frozen, whole = made(kind), made(kind, frozen=False)
    batches = [run.task.collect([2, 0, 3]) for run in (frozen, whole)]
    losses = [
        run.task.loss(run.upper, batch)[0]
        for run, batch in zip((frozen, whole), batches, strict=True)
    ]
    torch.testing.assert_close(losses[0], losses[1])


@pytest.mark.parametrize("kind", ["classes", "answers", "tags"])
def test_the_company_in_a_batch_changes_no_prediction(kind):
    run = made(kind)
    together = [one for part in predict(run.upper, run.task) for one in part]
    run.task.batch_size = 1
    alone = [one for part in predict(run.upper, run.task) for one in part]
    assert len(together) == len(alone) == len(run.examples)
    for one, other, example in zip(together, alone, run.examples, strict=True):
        torch.testing.assert_close(one, other)
        # Each is a distribution: over classes or tags, or for start and end over the tokens.
        total = one.exp().sum(dim=0 if kind == "answers" else -1)
        torch.testing.assert_close(total, torch.ones_like(total))
        if kind == "answers":
            assert torch.equal(torch.isfinite(one[:, 0]), example.may_answer)


def test_every_epoch_has_each_example_once_in_an_order_of_its_own():
    task = made("classes").task
    assert task.steps_an_epoch == 3  # 7 examples, 3 at a time
    any_chance = torch.Generator()
    epochs = []
    for epoch in range(4):
        order = []
        for step in range(3):
            batch = task.batch(3 * epoch + step, any_chance)
            order += [
                tuple(row[real].tolist())
                for row, real in zip(batch.ids, batch.not_padding, strict=True)
            ]
        assert sorted(order) == sorted(tuple(e.text.ids) for e in task.examples)
        epochs.append(tuple(order))
    assert len(set(epochs)) > 1
    again = task.batch(4, torch.Generator().manual_seed(99))
    assert torch.equal(again.ids, task.batch(4, any_chance).ids)


def test_the_loss_of_classes_and_of_the_tags_that_count_by_hand():
    logs = torch.tensor([[0.5, 0.5], [0.1, 0.9]]).log()
    loss = loss_of("classes", logs, torch.tensor([[0], [1]]))
    assert loss.item() == pytest.approx(-(math.log(0.5) + math.log(0.9)) / 2)
    logs = torch.tensor([[[0.5, 0.5], [0.2, 0.8], [0.1, 0.9]]]).log()
    loss = loss_of("tags", logs, torch.tensor([[-100, 1, 0]]))
    assert loss.item() == pytest.approx(-(math.log(0.8) + math.log(0.1)) / 2)


def test_the_loss_of_answers_is_of_start_and_end_among_the_passages_tokens_by_hand():
    logits = torch.tensor([[[9.0, 9.0], [0.0, 0.0], [0.0, math.log(3)]]])
    may_answer = torch.tensor([[False, True, True]])
    logs = log_probabilities_of("answers", logits, may_answer)
    assert logs[0, :, 0].exp().tolist() == pytest.approx([0, 0.5, 0.5])
    assert logs[0, :, 1].exp().tolist() == pytest.approx([0, 0.25, 0.75])
    loss = loss_of("answers", logs, torch.tensor([[1, 2]]))
    assert loss.item() == pytest.approx(-(math.log(0.5) + math.log(0.75)) / 2)
