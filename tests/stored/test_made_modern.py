"""The stored runs of BERT's recipe with one change each."""

from dataclasses import replace
from itertools import product

import pytest

from mlm_core.evaluation.seeds import t_quantile
from mlm_core.small_runs.run import SmallRun
from mlm_core.small_runs.text import prepare_at_once
from mlm_core.stored.made_modern import (
    BASELINE,
    CONTROLS,
    MEASURES,
    N_STEPS,
    RATES,
    SEEDS,
    SWITCHES,
    TEST_EVERY,
    WAYS,
    read_results,
    recipe_settings,
    switches_of,
)
from mlm_core.text.mini_world.world import documents
from tools.made_modern import dev_documents, loss_on_dev, modern_run, with_dev


def test_all_ways_and_seeds_are_stored_and_the_rate_is_the_best_on_dev():
    stored = read_results()
    assert stored.on_dev[RATES.index(stored.rate)] == min(stored.on_dev)
    assert RATES[0] < stored.rate < RATES[-1], "the best is bracketed"
    assert [(run.seed, run.way) for run in stored.runs] == [*product(SEEDS, (*WAYS, *CONTROLS))]
    assert all(len(run.losses) == N_STEPS // TEST_EVERY + 1 for run in stored.runs)


def test_an_effect_is_the_mean_difference_of_equal_seeds():
    stored = read_results()
    for switch, measure in product(SWITCHES, MEASURES):
        changed, usual = stored.values(switch, measure), stored.values(BASELINE, measure)
        found = stored.effect(switch, measure)
        assert found.mean == pytest.approx((sum(changed) - sum(usual)) / len(SEEDS))
    # What the lesson says of such intervals.
    assert t_quantile(len(SEEDS) - 1) == pytest.approx(4.3, abs=0.01)
    assert 1 - 0.95 ** len(SWITCHES) == pytest.approx(1 / 4, abs=0.02)


def test_more_words_and_set_heads_give_most_of_two_effects():
    stored = read_results()
    for switch, control in (("falling_masks", "constant_masks"), ("rotary", "preset_heads")):
        alone, whole = (stored.effect(way, "loss") for way in (control, switch))
        assert alone.is_clear and alone.mean < 0.5 * whole.mean < 0
    assert not stored.effect("falling_masks", "loss", over="constant_masks").is_clear
    # What the lesson says of the rates.
    assert stored.on_dev[0] == pytest.approx(min(stored.on_dev), abs=0.01)


@pytest.mark.parametrize("way", ["rotary", "constant_masks"])
def test_the_first_test_of_a_stored_run_comes_out_again(way):
    stored = read_results()
    kept = next(run for run in stored.runs if (run.way, run.seed) == (way, SEEDS[1]))
    settings = recipe_settings((way,), SEEDS[1], stored.rate)
    settings = replace(settings, **CONTROLS.get(way, {}))
    for snapshot in SmallRun(settings).go_on():
        if len(snapshot.held_out) == 2:
            break
    # Rounding differs by machine, and grows from step to step.
    assert [p.loss for p in snapshot.held_out] == pytest.approx(kept.losses[:2], abs=0.03)


def test_dev_has_no_sentence_of_the_other_parts():
    dev = dev_documents()
    known = {one for part in ("train", "held_out") for each in documents(part) for one in each}
    assert len(dev) > 100 and known.isdisjoint(one for document in dev for one in document)


def test_a_short_run_is_measured_as_the_stored_ones_are():
    settings = replace(
        recipe_settings(("causal_first", "no_nsp"), 2, 0.004),
        **{"n_steps": 4, "evaluate_every": 2, "hidden_size": 8, "n_heads": 2, "batch_size": 5},
    )
    assert switches_of(settings) == ("no_nsp", "causal_first")
    text = prepare_at_once(settings)
    run = modern_run(text, settings, "causal_first")
    assert len(run.losses) == 3 and 0 <= run.blanks <= 1 and 0 < run.pairs < 1 and run.seconds > 0
    dev = with_dev(text)
    assert dev.train is text.train and 0 < loss_on_dev(dev, settings) != run.loss
