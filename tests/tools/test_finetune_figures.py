"""The table of figures is made: from the stored runs and the baselines, other rows kept."""

from dataclasses import replace
from itertools import product

import pytest

from mlm_core.finetuning.settings import SENTIMENT
from mlm_core.stored.finetune_figures import Figure, read_figures
from mlm_core.stored.finetunes import FEW, TASKS, few_name, few_variants, read_dataset, read_stored
from tools.finetune_figures import baselines, few_bags, figure_of, marks


def test_the_table_holds_the_stored_runs_and_the_baselines_as_they_are_now():
    figures = read_figures()
    for task in (*TASKS, "paraphrase", SENTIMENT["de"]):
        way = "top" if task == "paraphrase" else "random"
        run = read_stored(f"{task}_{way}")
        stored = run.result
        row = next(f for f in figures if (f.task, f.variant, f.seed) == (task, way, 1))
        assert row.right == marks(1, run.data, run.tested.predicted)
        assert (row.proportion_right, row.f1) == pytest.approx((stored.proportion_right, stored.f1))
        for figure in baselines(task, read_dataset(task)):
            assert_stored(figure, figures)
    for task, n in product(SENTIMENT.values(), FEW):
        for name in few_variants(n, task=task):
            run = read_stored(few_name(n, name, task))
            right = marks(1, run.data, run.tested.predicted)
            figure = figure_of(task, name, 1, run.result, n_examples=n, right=right)
            assert_stored(figure, figures)
        for figure in few_bags(task, n):
            assert_stored(figure, figures)


def assert_stored(figure: Figure, figures: tuple[Figure, ...]) -> None:
    """Check that the table has the figure; another processor may differ in the last digits."""
    plain = replace(figure, proportion_right=0.0, f1=0.0)
    row = next(f for f in figures if replace(f, proportion_right=0.0, f1=0.0) == plain)
    assert (row.proportion_right, row.f1) == pytest.approx((figure.proportion_right, figure.f1))
