"""15 % hidden or any share: what differs in training, what counts as grammar, what is stored."""

import operator
from dataclasses import replace

import pytest
import torch

from mlm_core.evaluation.seeds import seed_mean
from mlm_core.small_runs.mask_rates import (
    HIDDEN_SHARES,
    choose_drawn,
    neighbours_of_grammar,
    share_of_neighbours,
)
from mlm_core.small_runs.text import prepare_at_once
from mlm_core.stored.mask_rates import SEEDS, SHARES, STEPS, read_runs
from mlm_core.text.mini_world.world import world
from tools.mask_rates import rate_run, rate_settings


def test_each_text_draws_a_share_of_its_own_and_hides_only_what_may_be_hidden():
    may = torch.ones(2_000, 40, dtype=torch.bool)
    may[:, 0] = False
    chosen = choose_drawn(may, torch.Generator().manual_seed(1))
    assert not chosen[:, 0].any()
    shares = chosen[:, 1:].double().mean(dim=1)
    # Uniform from 0 to 1: mean 1/2, variance 1/12 and a little from the tokens' own chance.
    assert shares.mean().item() == pytest.approx(1 / 2, abs=0.03)
    assert shares.var().item() == pytest.approx(1 / 12 + 1 / 6 / 39, abs=0.01)


def test_all_neighbours_of_the_world_are_known_and_others_are_not():
    known = neighbours_of_grammar()
    sentences = [one.words for document in world("held_out") for one in document.sentences]
    assert share_of_neighbours(sentences, known) == 1
    assert ("a", "old") not in known and ("an", "old") in known  # one variable, two slots
    assert share_of_neighbours([("the", "the", ".")], known) == 0


def test_a_short_run_is_tested_and_writes_and_gives_the_same_again():
    settings = replace(
        rate_settings(2), n_steps=3, hidden_size=8, n_heads=2, n_layers=1, batch_size=5
    )
    text = prepare_at_once(settings)
    first, again = (rate_run(text, settings, "drawn", n_sentences=2) for _ in range(2))
    assert first == again and len(first.losses) == len(SHARES)
    assert len(first.neighbours) == len(STEPS) and len(first.sentences) == 2


def test_the_stored_runs_are_all_there_and_say_what_the_lesson_says():
    runs = {(run.share, run.seed): run for run in read_runs()}
    assert set(runs) == {(share, seed) for share in HIDDEN_SHARES for seed in SEEDS}
    for seed in SEEDS:
        fixed, drawn = runs["fixed", seed], runs["drawn", seed]
        assert fixed.losses[0] < drawn.losses[0]
        assert all(map(operator.lt, drawn.losses[1:], fixed.losses[1:]))  # from half hidden on
    gain = seed_mean(
        [runs["drawn", seed].neighbours[-1] - runs["fixed", seed].neighbours[-1] for seed in SEEDS]
    )
    assert not gain.is_clear  # "no clear difference"
