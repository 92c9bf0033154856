"""AdamW: a step by hand, torch's own optimizer to the last bit, and what is not decayed."""

import copy
import math

import pytest
import torch
from torch import nn

from mlm_core.training.adamw import AdamW, update_weight
from tests.fresh import run_fresh

OPTIONS = {"rate": 0.1, "betas": (0.9, 0.98), "epsilon": 1e-6, "weight_decay": 0.01}


def test_the_first_step_by_hand():
    weight = nn.Parameter(torch.tensor([[2.0]], dtype=torch.float64))
    optimizer = AdamW([weight], **OPTIONS)
    weight.grad = torch.tensor([[-3.0]], dtype=torch.float64)
    optimizer.step()
    # m' = g and v' = g^2 at step 1, so the step is the rate in the direction of -g.
    expected = 2.0 - 0.1 * 0.01 * 2.0 + 0.1 * 3.0 / (math.sqrt(9.0) + 1e-6)
    assert weight.item() == pytest.approx(expected, rel=1e-12)


def test_two_steps_of_one_weight_by_hand():
    # Round numbers: m and v are then fractions that can be worked out on paper.
    settings = {"betas": (0.5, 0.75), "epsilon": 0.0, "weight_decay": 0.1}
    first = update_weight(2.0, -3.0, rate=0.1, **settings)
    assert (first.first_moment, first.second_moment) == (-1.5, 2.25)
    assert (first.first_corrected, first.second_corrected) == (-3.0, 9.0)
    assert first.step == pytest.approx(-0.1) and first.decay == pytest.approx(0.02)
    assert first.after == pytest.approx(2.08)
    second = update_weight(first.after, 1.0, first, rate=0.2, **settings)
    assert second.number == 2
    assert second.first_moment == pytest.approx(0.5 * -1.5 + 0.5 * 1.0)  # -0.25
    assert second.second_moment == pytest.approx(0.75 * 2.25 + 0.25 * 1.0)  # 1.9375
    assert second.first_corrected == pytest.approx(-0.25 / 0.75)
    assert second.second_corrected == pytest.approx(1.9375 / 0.4375)
    assert second.step == pytest.approx(0.2 * (-1 / 3) / math.sqrt(1.9375 / 0.4375))
    assert second.decay == pytest.approx(0.2 * 0.1 * 2.08)
    assert second.after == pytest.approx(2.08 - second.decay - second.step)


def test_the_first_step_is_the_rate_whatever_the_size_of_the_gradient():
    for gradient in (-1000.0, -0.1, 0.02, 5.0):
        found = update_weight(
            0.3, gradient, rate=0.01, betas=(0.9, 0.98), epsilon=1e-6, weight_decay=0.0
        )
        # The quotient g / (|g| + epsilon) is at least 1 - epsilon / |g|: 1 - 5e-5 for 0.02.
        assert found.step == pytest.approx(math.copysign(0.01, gradient), rel=6e-5)
        assert found.decay == 0.0


def test_it_moves_as_torchs_own_to_the_last_bit():
    torch.manual_seed(4)
    ours = nn.Sequential(nn.Linear(3, 5), nn.LayerNorm(5), nn.Linear(5, 2))
    theirs = copy.deepcopy(ours)
    optimizer = AdamW(ours.parameters(), **OPTIONS)
    vectors = [p for p in theirs.parameters() if p.ndim == 1]
    matrices = [p for p in theirs.parameters() if p.ndim > 1]
    other = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": 0.01}, {"params": vectors, "weight_decay": 0.0}],
        lr=0.1,
        betas=(0.9, 0.98),
        eps=1e-6,
        fused=True,
    )
    for step in range(7):
        optimizer.rate = rate = 0.1 / (step + 1)
        for group in other.param_groups:
            group["lr"] = rate
        batch = torch.randn(11, 3)
        for model in (ours, theirs):
            model(batch).pow(2).mean().backward()
        optimizer.step()
        other.step()
        optimizer.zero_grad()
        other.zero_grad()
        for mine, its in zip(ours.parameters(), theirs.parameters(), strict=True):
            assert torch.equal(mine, its)


def test_the_terms_of_one_weight_are_those_of_torchs_own():
    weight = nn.Parameter(torch.tensor([[0.3]], dtype=torch.float64))
    other = torch.optim.AdamW([weight], lr=0.1, betas=(0.9, 0.98), eps=1e-6, weight_decay=0.01)
    update = None
    for gradient in (-3.0, 0.2, 0.2, 5.0, -0.001):
        start = weight.item()
        update = update_weight(start, gradient, update, **OPTIONS)
        weight.grad = torch.tensor([[gradient]], dtype=torch.float64)
        other.step()
        state = other.state[weight]
        assert update.first_moment == pytest.approx(state["exp_avg"].item())
        assert update.second_moment == pytest.approx(state["exp_avg_sq"].item())
        assert update.after == pytest.approx(weight.item(), rel=1e-12)


def test_without_a_gradient_only_matrices_shrink():
    model = nn.Sequential(nn.Linear(3, 5), nn.LayerNorm(5))
    nn.init.ones_(model[0].bias)
    before = copy.deepcopy(model)
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    AdamW(model.parameters(), **OPTIONS).step()
    torch.testing.assert_close(model[0].weight, before[0].weight * (1 - 0.1 * 0.01))
    assert torch.equal(model[0].bias, before[0].bias)
    assert torch.equal(model[1].weight, before[1].weight)


def test_a_parameter_without_a_gradient_stays_and_a_frozen_one_is_left_out():
    idle, frozen = nn.Parameter(torch.ones(2, 2)), nn.Parameter(torch.ones(2), requires_grad=False)
    optimizer = AdamW([idle, frozen], **OPTIONS)
    optimizer.step()
    assert not optimizer.state and torch.equal(idle, torch.ones(2, 2))
    assert all(frozen is not parameter for group, _ in optimizer.groups for parameter in group)


def test_a_run_brings_in_neither_the_compiler_nor_symbolic_algebra():
    # A fresh interpreter: other tests may have imported anything.
    script = (
        "import sys, itertools\n"
        "from mlm_core.small_runs.run import SmallRun\n"
        "from mlm_core.small_runs.settings import SmallRunSettings\n"
        "run = SmallRun(SmallRunSettings(n_steps=3, evaluate_every=2))\n"
        "assert list(run.go_on())[-1].phase == 'finished'\n"
        "from mlm_core.finetuning.run import FineTuneRun\n"
        "from tests.finetuning.small_models import settings_for, small_data, small_encoder\n"
        "data = small_data('classes')\n"
        "run = FineTuneRun(settings_for(data), data, small_encoder())\n"
        "assert list(run.go_on())[-1].phase == 'finished'\n"
        "import torch\n"
        "from mlm_core.probing.linear_probe import fit_logistic_regression\n"
        "fit_logistic_regression(torch.eye(3), torch.tensor([0, 1, 1]))\n"
        "print(sorted({'torch._dynamo', 'sympy', 'transformers'} & set(sys.modules)))\n"
    )
    run = run_fresh(script)
    assert run.stdout.strip() == "[]", run.stdout + run.stderr
