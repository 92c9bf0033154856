"""A study of two groups: by hand, against scipy, and over thousands of simulated ones."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from mlm_core.evaluation import study
from mlm_core.evaluation.item_curves import item_statistics
from tests.fresh import run_file

ROOT = Path(__file__).parents[2]
N_STUDIES = 8_000
HALVES = np.arange(40) % 2 == 0


def scores(answers):
    return answers.mean(axis=-1)


def test_a_difference_by_hand():
    """Two lines with the slope 1, a tenth apart: no rest, so the interval is a point."""
    before = np.array([0.1, 0.3, 0.2, 0.6])
    has_lesson = np.array([True, True, False, False])
    found = study.compare_groups(before, before + np.where(has_lesson, 0.1, 0.0), has_lesson)
    assert (found.slope, found.difference) == pytest.approx((1.0, 0.1))
    assert found.low == pytest.approx(0.1) and found.high == pytest.approx(0.1)


def test_it_is_least_squares():
    """The group's coefficient of the whole regression, whose t numpy and scipy give apart."""
    rng = np.random.default_rng(3)
    before, has_lesson = rng.random(31), np.arange(31) < 13
    after = 0.3 + 0.4 * before + 0.1 * has_lesson + rng.normal(0, 0.1, 31)
    found = study.compare_groups(before, after, has_lesson)
    columns = np.stack([np.ones(31), before, has_lesson], axis=1)
    weights, (squares,), *_ = np.linalg.lstsq(columns, after)
    error = np.sqrt(squares / 28 * np.linalg.inv(columns.T @ columns)[2, 2])
    low, high = stats.t(28, weights[2], error).interval(0.95)
    assert (found.slope, found.difference) == pytest.approx((weights[1], weights[2]))
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.p == pytest.approx(2 * stats.t.sf(abs(weights[2] / error), 28))


@pytest.mark.parametrize(("way", "most"), [("response", 0.6), ("mastery", 0.35)])
def test_95_percent_of_simulated_studies_hold_the_truth_and_power_is_as_said(way, most):
    rng = np.random.default_rng(7)
    many = np.arange(200_000) % 2 == 0
    for gain in (0.0, most):
        [before], [after] = scores(study.simulated_answers(way, many, gain, rng))
        truth = after[many].mean() - after[~many].mean() if gain else 0.0
        # In parts, for the memory.
        parts = [
            scores(study.simulated_answers(way, HALVES, gain, rng, n_studies=1_000))
            for _ in range(N_STUDIES // 1_000)
        ]
        found = study.compare_groups(*np.concatenate(parts, axis=1), HALVES)
        assert 0.94 <= ((found.low <= truth) & (truth <= found.high)).mean() <= 0.96
        n_found = (found.p < study.ALPHA).mean()
        if gain:
            for one in (before, after):  # what is left within the groups
                one[many] -= one[many].mean()
                one[~many] -= one[~many].mean()
            r = np.corrcoef(before, after)[0, 1]
            said = study.power(len(HALVES) // 2, truth, after.std(), r)
            assert 0.3 < said < 0.99 and n_found == pytest.approx(said, abs=0.03)
        else:
            assert 0.04 <= n_found <= 0.06


def test_power_is_one_in_twenty_without_a_difference_and_grows():
    assert study.power(20, 0.0, 0.15, 0.6) == pytest.approx(0.05)
    powers = [study.power(n, 0.1, 0.15, 0.6) for n in (5, 10, 20, 40)]
    assert powers == sorted(powers) and powers[-1] > 0.9
    with pytest.raises(ValueError, match="more than 5000"):
        study.learners_needed(0.001, 0.2, 0.0)


@pytest.mark.parametrize(
    ("before", "has_lesson", "said"),
    [
        ([0.1, 0.2, 0.3, 0.4], [True, False, False, False], "1 of 4"),
        ([0.2, 0.2, 0.3, 0.3], [True, True, False, False], "nothing to adjust"),
    ],
)
def test_groups_that_can_not_be_compared_are_refused(before, has_lesson, said):
    with pytest.raises(ValueError, match=said):
        study.compare_groups(np.array(before), np.array(before), np.array(has_lesson))


ROWS = [
    ("1", "lesson", "AB", "before", "cut", "length"),
    ("1", "lesson", "AB", "before", "mask", "right"),
    ("1", "lesson", "AB", "after", "cut", "right"),
    ("1", "lesson", "AB", "after", "mask", "right"),
    ("1", "lesson", "AB", "delayed", "cut", "length"),
    ("1", "lesson", "AB", "delayed", "mask", "length"),
    ("2", "", "", "before", "cut", "right"),
]


def test_answers_are_read_and_only_whole_pairs_of_tests_count():
    data = "\n".join(",".join(row) for row in [study.COLUMNS, *ROWS]).encode()
    learners = study.read_answers(data)
    assert list(learners) == ["1", "2"]
    assert [(one.group, one.order) for one in learners.values()] == [("lesson", "AB"), ("", "")]
    right = study.right_answers(learners.values(), ["cut", "mask"])
    assert right.tolist() == [[[False, True]], [[True, True]]]
    later = study.right_answers(learners.values(), ["cut", "mask"], ("before", "delayed"))
    assert later.tolist() == [[[False, True]], [[False, False]]]
    cut, mask = item_statistics(right, ["cut", "mask"])
    assert (cut.question, cut.n, cut.before, cut.after, cut.fit) == ("cut", 1, 0.0, 1.0, None)
    assert mask.before == 1.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("learner,group,order,sitting\n", "no column answer, question"),
        (
            "learner,group,order,sitting,question,answer\n1,lesson,AB,later,cut,right\n",
            "line 2 has the sitting 'later'",
        ),
        ("", "no column"),
    ],
)
def test_another_file_is_refused(text, said):
    with pytest.raises(ValueError, match=said):
        study.read_answers(text.encode())


def test_the_notebook_reads_the_files_of_two_rooms_and_says_that_they_are_real(tmp_path):
    """Both rooms have learners of both groups."""
    rng = np.random.default_rng(4)
    has_lesson = np.arange(40) < 20
    answers = study.simulated_answers("mastery", has_lesson, 0.4, rng, n_questions=4)[:, 0]
    for room in (0, 1):
        rows = [
            f"{learner},{'lesson' if has_lesson[learner] else 'waiting'},AB,{sitting},q{question},"
            f"{'right' if right else 'length'}"
            for learner in range(room, 40, 2)
            for sitting, answered in zip(study.WHEN, answers, strict=True)
            for question, right in enumerate(answered[learner])
        ]
        (tmp_path / f"answers{room}.csv").write_text("\n".join([",".join(study.COLUMNS), *rows]))
    notebook = ROOT / "docs/study/analysis.ipynb"
    script = str(ROOT / "tests/notebook_cells.py")
    ran = run_file(script, str(notebook), folder=tmp_path, path=(str(ROOT),))
    assert ran.returncode == 0, ran.stderr
    shown = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith('{"type"')]
    texts = [one["text"] for one in shown if "text" in one]
    assert texts[0] == "'answers of 20 learners (lesson), 20 learners (waiting)'"
    found = study.compare_groups(*scores(answers), has_lesson)
    assert f"the lesson adds {found.difference:.3f}" in texts[1] and "simulated" not in texts[1]
    assert "no curves, 40 learners answered all questions: a curve needs at least 50" in texts[2]


def test_an_item_fits_if_who_knows_the_others_knows_it():
    rng = np.random.default_rng(2)
    halves = np.arange(400) % 2 == 0
    answers = study.simulated_answers("response", halves, 0.4, rng)[:, 0]
    found = item_statistics(answers, [str(n) for n in range(24)])
    fits = [one.fit for one in found]
    assert np.mean(fits) > 0.15 and all(one.after > 0 for one in found)
    others = answers[1, :, 1:].mean(axis=1)
    assert fits[0] == pytest.approx(stats.pointbiserialr(answers[1, :, 0], others).statistic)
