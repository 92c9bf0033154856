"""The stored table of figures: complete, in the order the lessons claim, refused if damaged."""

import shutil
from dataclasses import replace
from statistics import mean

import pytest

from mlm_core.stored.choose_finetunes import (
    CANDIDATES,
    candidates,
    dev_scores,
    make_choices,
    read_choices,
)
from mlm_core.stored.finetune_figures import (
    FIGURES_FILE,
    SEEDS,
    Figure,
    baselines,
    few_bags,
    figure_of,
    make_figures,
    read_figures,
)
from mlm_core.stored.finetunes import (
    FEW,
    FOLDER,
    TASKS,
    few_name,
    few_variants,
    read_dataset,
    read_stored,
    variants,
)
from mlm_core.stored.twenty_runs import SEEDS as SEEDS_OF_TWENTY
from mlm_core.stored.twenty_runs import TASK, examples, read_twenty_runs


def test_the_table_has_every_variant_with_three_seeds_beside_the_baselines():
    figures = read_figures()
    for task in TASKS:
        for name in [*variants(task), *["exchanged"] * (task == "entailment")]:
            seeds = [
                f.seed for f in figures if (f.task, f.variant, f.n_examples) == (task, name, None)
            ]
            assert seeds == list(SEEDS), (task, name)
        assert any(f.task == task and f.seed is None for f in figures)
    for n in FEW:
        for name in (*few_variants(n), "bag_of_words"):
            seeds = [f.seed for f in figures if (f.variant, f.n_examples) == (name, n)]
            assert seeds == list(SEEDS), (n, name)


@pytest.mark.parametrize("name", ["top", "random", "bag_of_words"])
def test_from_more_sentences_each_way_learns_more(name):
    figures = [
        f for f in read_figures() if (f.task, f.variant, f.part) == ("sentiment", name, "test")
    ]
    reached = [mean(f.proportion_right for f in figures if f.n_examples == n) for n in (*FEW, None)]
    assert reached == sorted(reached)


def test_on_every_task_the_default_beats_the_baselines_and_a_random_start():
    figures = read_figures()
    for task in TASKS:
        means = {}
        for figure in figures:
            if (figure.task, figure.part, figure.n_examples) == (task, "test", None):
                means.setdefault(figure.variant, []).append(figure.f1)
        means = {name: sum(values) / len(values) for name, values in means.items()}
        others = {"majority", "bag_of_words", "by_rule", "random", "exchanged"} & means.keys()
        assert all(means["top"] > means[name] for name in others), (task, means)


def test_the_table_holds_the_stored_runs_and_the_baselines_as_they_are_now():
    figures = read_figures()
    for task in TASKS:
        stored = read_stored(f"{task}_random").result
        row = next(f for f in figures if (f.task, f.variant, f.seed) == (task, "random", 1))
        assert (row.proportion_right, row.f1) == pytest.approx((stored.proportion_right, stored.f1))
        for figure in baselines(task, read_dataset(task)):
            assert_stored(figure, figures)
    for n in FEW:
        for name in few_variants(n):
            stored = read_stored(few_name(n, name)).result
            assert_stored(figure_of("sentiment", name, 1, stored, n_examples=n), figures)
        for figure in few_bags(n):
            assert_stored(figure, figures)


def assert_stored(figure: Figure, figures: tuple[Figure, ...]) -> None:
    """Check that the table has the figure; another processor may differ in the last digits."""
    plain = replace(figure, proportion_right=0.0, f1=0.0)
    row = next(f for f in figures if replace(f, proportion_right=0.0, f1=0.0) == plain)
    assert (row.proportion_right, row.f1) == pytest.approx((figure.proportion_right, figure.f1))


def test_a_missing_table_is_refused_with_the_command_that_makes_it(tmp_path):
    with pytest.raises(ValueError, match="make them anew with `python -m mlm_core"):
        read_figures(tmp_path)


def test_the_rows_of_what_is_not_named_are_kept(tmp_path):
    before = read_figures()
    shutil.copy(FOLDER / FIGURES_FILE, tmp_path)
    lines = list(make_figures(["sentiment", "no variant"], tmp_path))
    assert [(f.task, f.variant, f.seed) for f in read_figures(tmp_path)] == [
        (f.task, f.variant, f.seed) for f in before
    ]
    assert len(lines) == sum(f.seed is not None for f in before) - len(FEW) * len(SEEDS)
    for figure in read_figures(tmp_path):
        assert_stored(figure, before)


def test_a_name_that_is_no_task_or_way_is_refused():
    with pytest.raises(ValueError, match="no task or way randon: choose from sentiment"):
        next(make_choices(["randon"]))


def test_the_default_rates_and_layers_read_are_the_best_on_the_dev_parts():
    rows = read_choices()
    for way in CANDIDATES:
        chosen = {
            (one.n_read(12), one.n_trained_layers(12), one.peak_learning_rate)
            for one in (variants(task)[way] for task in TASKS)
        }
        n_trained = {layers for _, layers, _ in chosen}
        by_task = [scores for task in TASKS if (scores := dev_scores(task, way, rows))]
        tried = {
            candidate: sum(scores[candidate] for scores in by_task)
            for candidate in by_task[0]
            # A random start's number of layers is chosen, too.
            if candidate[1] in n_trained or way == "random"
        }
        assert {max(tried, key=tried.get)} == chosen, (way, tried)


def test_every_candidate_is_in_the_table_of_choices():
    rows = read_choices()
    for task in TASKS:
        for way in CANDIDATES:
            found = [
                (row.n_read_layers, row.n_top_layers, row.peak_learning_rate, row.seed)
                for row in rows
                if (row.task, row.way) == (task, way)
            ]
            wanted = [
                (one.n_read(12), one.n_trained_layers(12), one.peak_learning_rate, one.seed)
                for one in candidates(task, way)
            ]
            assert sorted(found) == sorted(wanted)


def test_the_twenty_runs_are_about_the_sentences_that_none_was_trained_on():
    right, data, used = read_twenty_runs(), read_dataset(TASK), examples()
    assert right.shape == (len(SEEDS_OF_TWENTY), len(data.dev) + len(data.test))
    assert not set(used.test) & set(used.train)
