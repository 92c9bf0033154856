"""The training loop: schedule, groups, exactness, and a loss that is no number."""

from dataclasses import dataclass

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from mlm_core.encoder.bert import Bert
from mlm_core.training.loop import (
    NonFiniteLossError,
    TrainingSettings,
    generator_of_step,
    learning_rate_at,
    make_optimizer,
    train,
)
from tests.small_bert import small_config


@dataclass(frozen=True, eq=False)
class Numbers:
    """A batch of inputs and what the model should make of them."""

    inputs: torch.Tensor
    wanted: torch.Tensor


class Doubling:
    """The task of doubling a number."""

    def batch(self, step: int, generator: torch.Generator) -> Numbers:
        inputs = torch.randn(8, 1, generator=generator)
        return Numbers(inputs, 2 * inputs)

    def loss(self, model: nn.Module, batch: Numbers) -> tuple[torch.Tensor, dict]:
        return ((model(batch.inputs) - batch.wanted) ** 2).mean(), {}

    def n_tokens(self, batch: Numbers) -> int:
        return len(batch.inputs)


class Counting:
    """The task of naming the entry after the one that stands at a chosen position."""

    def batch(self, step: int, generator: torch.Generator) -> Numbers:
        ids = torch.randint(13, (16, 7), generator=generator)
        return Numbers(ids, (ids + 1) % 13)

    def loss(self, model: nn.Module, batch: Numbers) -> tuple[torch.Tensor, dict]:
        at = torch.tensor([[2, 5, 3]]).expand(len(batch.inputs), -1)
        logits = model.masked_language_logits(model.last_states(batch.inputs, positions=at))
        wanted = batch.wanted.gather(1, at)
        return F.cross_entropy(logits.float().flatten(0, 1), wanted.flatten()), {}

    def n_tokens(self, batch: Numbers) -> int:
        return batch.inputs.numel()


def fresh_model() -> nn.Linear:
    model = nn.Linear(1, 1)
    nn.init.zeros_(model.weight)
    nn.init.zeros_(model.bias)
    return model


def losses(settings: TrainingSettings, seed: int = 1) -> list[float]:
    return [float(step.loss) for step in train(fresh_model(), Doubling(), settings, seed=seed)]


def test_the_model_learns():
    found = losses(TrainingSettings(n_steps=300, peak_learning_rate=0.05))
    assert found[-1] < 1e-3 < found[0]


def test_the_same_seed_gives_the_same_losses_and_another_seed_others():
    settings = TrainingSettings(n_steps=20)
    assert losses(settings) == losses(settings)
    assert losses(settings) != losses(settings, seed=2)


def test_a_loop_that_goes_on_at_a_step_gives_the_losses_of_one_that_never_stopped():
    settings = TrainingSettings(n_steps=20)
    whole = losses(settings)
    model = fresh_model()
    optimizer = make_optimizer(model, settings)
    parts = []
    for step in train(model, Doubling(), settings, seed=1, optimizer=optimizer):
        parts.append(float(step.loss))
        if step.number == 7:
            break
    for step in train(model, Doubling(), settings, seed=1, first_step=7, optimizer=optimizer):
        parts.append(float(step.loss))
    assert parts == whole


def test_training_in_bfloat16_goes_the_way_of_float32():
    config = small_config(
        13,
        n_positions=7,
        hidden_size=24,
        intermediate_size=40,
        dropout_rate=0.0,
        initializer_range=0.1,
    )
    ways = []
    for bfloat16 in (False, True):
        torch.manual_seed(2)
        settings = TrainingSettings(n_steps=40, peak_learning_rate=1e-2, bfloat16=bfloat16)
        ways.append(
            [float(step.loss) for step in train(Bert(config), Counting(), settings, seed=1)]
        )
    exact, rounded = ways
    assert exact != rounded
    # Rounding errs by up to 0.4 % of a number, to both sides; the losses stay within 2 %.
    assert exact[-1] < 0.1 * exact[0]
    assert rounded == pytest.approx(exact, rel=0.02)


def test_the_rate_climbs_to_its_peak_and_falls_towards_0():
    settings = TrainingSettings(n_steps=50, peak_learning_rate=2.0, warmup_proportion=0.2)
    rates = [learning_rate_at(step, settings) for step in range(50)]
    assert rates[:10] == pytest.approx([0.2 * (i + 1) for i in range(10)])
    assert max(rates) == rates[9] == rates[10] == 2.0
    assert rates[-1] == pytest.approx(2.0 / 40)  # one step more would have 0
    assert rates[9:] == sorted(rates[9:], reverse=True)


@pytest.mark.parametrize("warmup_proportion", [0.0, 0.1, 0.97])
@pytest.mark.parametrize("n_steps", [1, 2, 30])
def test_the_rate_is_that_of_transformers_but_for_a_first_update_of_rate_0(
    n_steps, warmup_proportion
):
    from transformers import get_linear_schedule_with_warmup

    settings = TrainingSettings(
        n_steps=n_steps, peak_learning_rate=0.5, warmup_proportion=warmup_proportion
    )
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=0.5)
    n_warm = round(warmup_proportion * n_steps)
    schedule = get_linear_schedule_with_warmup(optimizer, n_warm, n_steps)
    theirs = []
    for _ in range(n_steps):
        theirs.append(schedule.get_last_lr()[0])
        optimizer.step()
        schedule.step()
    ours = [learning_rate_at(step, settings) for step in range(n_steps)]
    assert ours[n_warm:] == pytest.approx(theirs[n_warm:])
    # In the warm-up theirs counts steps from 0, ours from 1.
    assert ours[: max(0, n_warm - 1)] == pytest.approx(theirs[1:n_warm])
    assert min(ours) > 0


def test_every_update_moves_the_model_even_if_there_is_only_one():
    for n_steps in (1, 3):
        model = fresh_model()
        before = model.weight.item()
        for _ in train(model, Doubling(), TrainingSettings(n_steps=n_steps), seed=1):
            assert model.weight.item() != before
            before = model.weight.item()


def test_the_last_loss_is_checked_though_the_others_are_not():
    model = fresh_model()
    model.weight.data.fill_(float("nan"))
    settings = TrainingSettings(n_steps=3, check_every=7)
    numbers = []
    with pytest.raises(NonFiniteLossError, match="at step 3"):
        for step in train(model, Doubling(), settings, seed=1):
            numbers.append(step.number)
    assert numbers == [1, 2]


def test_a_loss_that_is_no_number_stops_the_run_and_says_what_to_change():
    model = fresh_model()
    model.weight.data.fill_(float("nan"))
    with pytest.raises(NonFiniteLossError, match="lower the peak rate"):
        list(train(model, Doubling(), TrainingSettings(n_steps=3), seed=1))


def test_impossible_settings_are_refused():
    for wrong in ({"n_steps": 0}, {"n_steps": 1, "peak_learning_rate": 0.0}):
        with pytest.raises(ValueError, match="must be above 0"):
            TrainingSettings(**wrong)
    with pytest.raises(ValueError, match="warmup_proportion"):
        TrainingSettings(n_steps=1, warmup_proportion=1.0)


def test_steps_and_named_uses_draw_from_generators_of_their_own():
    firsts = {
        float(torch.rand((), generator=generator_of_step(seed, step, "cpu")))
        for seed in (1, 2)
        for step in (0, 1, 2, "starting weights")
    }
    assert len(firsts) == 8
