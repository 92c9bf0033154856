"""With and without NSP on other pair tasks: chosen on dev, and what the stored scores bear."""

from random import Random

import pytest

from mlm_core.evaluation.seeds import compare
from mlm_core.labelled.examples import Dataset
from mlm_core.labelled.world_pairs import CLASSES, N_PAIRS, PAIR_TASKS, draw_pairs
from mlm_core.stored.nsp_effect import LABEL_COUNTS, NSP_OBJECTIVES, SEEDS, read_scores
from mlm_core.text.mini_world.world import write_documents
from tests.finetuning.small_models import small_encoder
from tools.nsp_effect import Candidate, choose, scores


def test_a_way_is_chosen_by_the_dev_part_and_never_by_the_test_part():
    better_on_dev = Candidate("head", "cls", dev=[0.7, 0.8], test=[0.5, 0.5], right="01")
    better_on_test = Candidate("all", "cls", dev=[0.6, 0.8], test=[0.9, 0.9], right="11")
    assert choose([better_on_test, better_on_dev]) is better_on_dev


def test_a_short_run_has_a_score_for_each_seed():
    pairs = draw_pairs("topic", write_documents(Random(8), 20), 16, Random(3))
    few = Dataset(
        kind="classes", classes=CLASSES, train=pairs[:8], dev=pairs[8:12], test=pairs[12:]
    )
    row = scores("topic", few, "mlm", [small_encoder()] * 2, 8)
    assert len(row.dev) == len(row.test) == 2
    assert {one * 4 % 1 for one in (*row.dev, *row.test)} == {0}
    assert row.right.count("1") / 4 == row.test[0] and len(row.right) == 4


def test_the_stored_scores_are_all_there_and_say_what_the_lesson_says():
    found = {(row.task, row.objective, row.n_labels): row for row in read_scores()}
    wanted = {(t, o, n) for t in PAIR_TASKS for o in NSP_OBJECTIVES for n in LABEL_COUNTS}
    assert set(found) == wanted
    assert all(len(row.dev) == len(row.test) == len(SEEDS) for row in found.values())
    for row in found.values():
        assert row.right.count("1") / N_PAIRS["test"] == pytest.approx(row.test[0], abs=5e-5)
    most = LABEL_COUNTS[-1]
    gain = {
        task: compare(*(found[task, objective, most].variant for objective in NSP_OBJECTIVES))
        for task in PAIR_TASKS
    }
    assert gain["topic"].is_significant and gain["topic"].difference > 0.2
