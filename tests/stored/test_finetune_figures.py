"""The stored table of figures: complete, in the order the lessons claim, refused if damaged."""

from itertools import product
from pathlib import Path
from statistics import mean

import pytest

from mlm_core.finetuning.settings import SENTIMENT
from mlm_core.stored.finetune_figures import read_figures
from mlm_core.stored.finetunes import (
    FEW,
    TASKS,
    WITH_WEIGHTS,
    few_variants,
    read_dataset,
    read_stored,
    variants,
)

DOCS = Path(__file__).parents[2] / "docs"


def test_the_table_has_every_variant_with_three_seeds_beside_the_baselines():
    figures = read_figures()
    for task in (*TASKS, "paraphrase"):
        ways = ["top"] if task == "paraphrase" else variants(task)
        for name in [*ways, *["exchanged"] * (task in ("entailment", "paraphrase"))]:
            seeds = [
                f.seed for f in figures if (f.task, f.variant, f.n_examples) == (task, name, None)
            ]
            assert seeds == [1, 2, 3], (task, name)
        assert any(f.task == task and f.seed is None for f in figures)
    some = [(task, n, name) for task in SENTIMENT.values() for n in FEW for name in few_variants(n)]
    some += [(task, n, "bag_of_words") for task in SENTIMENT.values() for n in FEW]
    some += [(SENTIMENT["de"], None, name) for name in ("head", "top", "random")]
    for each in some:
        seeds = [f.seed for f in figures if (f.task, f.n_examples, f.variant) == each]
        assert seeds == [1, 2, 3], each


def test_all_but_tags_have_which_test_examples_the_first_seed_gets_right():
    for figure in read_figures():
        is_marked = figure.task != "entities" and figure.part == "test"
        if not is_marked or figure.seed not in (None, 1):
            assert not figure.right, figure
            continue
        assert len(figure.right) == len(read_dataset(figure.task).test)
        share = figure.right.count("1") / len(figure.right)
        assert share == pytest.approx(figure.proportion_right), figure


@pytest.mark.parametrize("name", ["top", "random", "bag_of_words"])
def test_from_more_sentences_each_way_learns_more(name):
    figures = [
        f for f in read_figures() if (f.task, f.variant, f.part) == ("sentiment", name, "test")
    ]
    reached = [mean(f.proportion_right for f in figures if f.n_examples == n) for n in (*FEW, None)]
    assert reached == sorted(reached)


def test_on_every_task_the_default_beats_the_baselines_and_a_random_start():
    figures = read_figures()
    for task in (*TASKS, "paraphrase"):
        means = {}
        for figure in figures:
            if (figure.task, figure.part, figure.n_examples) == (task, "test", None):
                means.setdefault(figure.variant, []).append(figure.f1)
        means = {name: sum(values) / len(values) for name, values in means.items()}
        others = {"majority", "bag_of_words", "by_rule", "random", "exchanged"} & means.keys()
        assert all(means["top"] > means[name] for name in others), (task, means)


@pytest.mark.parametrize(
    ("task", "way"),
    [*product(["sentiment", "entities"], ["top", "all", "random"])]
    + [(SENTIMENT["de"], way) for way in ("head", "top", "random")],
)
def test_the_model_card_has_the_mean_and_the_spread_of_the_seeds(task, way):
    name = "model_card_de_en.md" if task == SENTIMENT["de"] else "model_card.md"
    card = (DOCS / name).read_text(encoding="utf-8")
    f1s = [
        figure.f1
        for figure in read_figures()
        if (figure.task, figure.variant, figure.n_examples) == (task, way, None)
    ]
    assert f"{mean(f1s):.3f} ({min(f1s):.3f} to {max(f1s):.3f})" in card


def test_the_german_model_card_has_what_the_stored_taggers_reach_on_dev_and_test():
    card = (DOCS / "model_card_de_en.md").read_text(encoding="utf-8")
    for way in WITH_WEIGHTS:
        run = read_stored(f"entities_de_{way}")
        assert f"{max(test.f1 for test in run.tests):.3f} and {run.result.f1:.3f}" in card, way
