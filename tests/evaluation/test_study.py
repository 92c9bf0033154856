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
NOBODY = np.zeros(4, dtype=bool)


def scores(answers):
    return answers.mean(axis=-1)


def test_a_difference_by_hand():
    """Two lines with the slope 1, a tenth apart: no rest, so the interval is a point."""
    before = np.array([0.1, 0.3, 0.2, 0.6])
    has_lesson = np.array([True, True, False, False])
    after = before + np.where(has_lesson, 0.1, 0.0)
    found = study.compare_groups(before, after, has_lesson, NOBODY)
    assert (found.slope, found.difference) == pytest.approx((1.0, 0.1))
    assert found.low == pytest.approx(0.1) and found.high == pytest.approx(0.1)


@pytest.mark.parametrize("has_orders", [False, True])
def test_it_is_least_squares(has_orders):
    """The group's coefficient of the whole regression, whose t numpy and scipy give apart."""
    rng = np.random.default_rng(3)
    before, has_lesson = rng.random(31), np.arange(31) < 13
    after = 0.3 + 0.4 * before + 0.1 * has_lesson + rng.normal(0, 0.1, 31)
    has_b_first = has_orders & (rng.random(31) < 0.4)
    found = study.compare_groups(before, after, has_lesson, has_b_first)
    columns = np.stack([np.ones(31), before, has_lesson, has_b_first], axis=1)[:, : 3 + has_orders]
    weights, (squares,), *_ = np.linalg.lstsq(columns, after)
    free = 28 - has_orders
    error = np.sqrt(squares / free * np.linalg.inv(columns.T @ columns)[2, 2])
    low, high = stats.t(free, weights[2], error).interval(0.95)
    assert (found.slope, found.difference) == pytest.approx((weights[1], weights[2]))
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.p == pytest.approx(2 * stats.t.sf(abs(weights[2] / error), free))


@pytest.mark.parametrize("n_b_first", [(10, 10), (12, 9)])  # of 20 in each group
@pytest.mark.parametrize(
    ("way", "most", "harder"), [("response", 0.6, 0.5), ("mastery", 0.35, 0.15)]
)
def test_95_percent_of_simulated_studies_hold_the_truth_and_power_is_as_said(
    way, most, harder, n_b_first
):
    """One form is harder, and each group has both orders, as often or about as often."""
    rng = np.random.default_rng(7)
    of_group = np.arange(40) // 2  # the learner's number there
    has_b_first = of_group < np.where(HALVES, *n_b_first)
    many, many_b_first = np.arange(200_000) % 2 == 0, np.arange(200_000) % 4 < 2
    for gain in (0.0, most):
        more = {"b_harder": harder, "has_b_first": many_b_first}
        [before], [after] = scores(study.simulated_answers(way, many, gain, rng, **more))
        truth = after[many].mean() - after[~many].mean() if gain else 0.0
        # In parts, for the memory.
        more = {"b_harder": harder, "has_b_first": has_b_first, "n_studies": 1_000}
        parts = [
            scores(study.simulated_answers(way, HALVES, gain, rng, **more))
            for _ in range(N_STUDIES // 1_000)
        ]
        found = study.compare_groups(*np.concatenate(parts, axis=1), HALVES, has_b_first)
        assert 0.94 <= ((found.low <= truth) & (truth <= found.high)).mean() <= 0.96
        n_found = (found.p < study.ALPHA).mean()
        if gain:
            for one in (before, after):  # what is left within the groups and orders
                for cell in range(4):
                    one[cell::4] -= one[cell::4].mean()
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
    ("before", "n_lesson", "b_first", "said"),
    [
        ([0.1, 0.2, 0.3, 0.4], 1, [], "1 of 4"),
        ([0.2, 0.2, 0.3, 0.3], 2, [], "nothing to adjust"),
        ([0.1, 0.2, 0.3, 0.4, 0.1], 2, [0, 1], "group and order go together"),
        ([0.1, 0.2, 0.3, 0.4], 2, [0, 2], "group and order go together"),  # nothing left over
    ],
)
def test_groups_that_can_not_be_compared_are_refused(before, n_lesson, b_first, said):
    place = np.arange(len(before))
    with pytest.raises(ValueError, match=said):
        study.compare_groups(*[np.array(before)] * 2, place < n_lesson, np.isin(place, b_first))


ROWS = [
    ("1", "lesson", "AB", "before", "cut", "length"),
    ("1", "lesson", "AB", "before", "mask", "right"),
    ("1", "lesson", "AB", "after", "cut", "right"),
    ("1", "lesson", "AB", "after", "mask", "right"),
    ("1", "lesson", "AB", "delayed", "cut", "length"),
    ("1", "lesson", "AB", "delayed", "mask", "length"),
    ("2", "", "", "before", "cut", "right"),
]


def as_csv(rows):
    return "\n".join(",".join(row) for row in [study.COLUMNS, *rows]).encode()


def test_answers_are_read_and_only_whole_pairs_of_tests_count():
    learners = study.read_answers(as_csv(ROWS))
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


FIRST_DAY = [
    ("7f3a9c", "lesson", "AB", "before", "cut", "length"),
    ("b01d22", "waiting", "BA", "before", "cut", "right"),  # who did not return
    ("00e4d8", "lesson", "BA", "", "", ""),  # who never answered
]
SECOND_DAY = [*FIRST_DAY[:1], ("7f3a9c", "lesson", "AB", "after", "cut", "right")]


def test_files_of_several_days_are_joined_by_the_learner_and_each_answer_counts_once():
    without_seat = ("1", "", "", "before", "cut", "right")
    first, second = as_csv([*FIRST_DAY, without_seat]), as_csv([*SECOND_DAY, without_seat])
    learners = study.read_answers(first, second, second)
    assert learners == study.read_answers(second, first)
    given = [(one.group, one.answers["before"], one.answers["after"]) for one in learners.values()]
    assert given == [
        ("lesson", {"cut": "length"}, {"cut": "right"}),
        ("waiting", {"cut": "right"}, {}),
        ("lesson", {}, {}),
    ]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("7f3a9c,lesson,AB,before,cut,right", "'cut: length' and 'cut: right'"),
        ("7f3a9c,waiting,AB,before,cut,length", "'lesson AB' and 'waiting AB'"),
        ("00e4d8,lesson,AB,,,", "'lesson BA' and 'lesson AB'"),
        ("1,lesson,AB,before,cut,length", "learner 1 has a number"),
    ],
)
def test_files_that_contradict_each_other_or_number_their_learners_are_refused(row, said):
    with pytest.raises(ValueError, match=said):
        study.read_answers(as_csv(FIRST_DAY), as_csv([row.split(",")]))


def test_the_notebook_joins_the_files_of_two_days_and_says_that_they_are_real(tmp_path):
    """The second day's file has all of who returned; it was downloaded twice."""
    rng = np.random.default_rng(4)
    learner = np.arange(46)
    has_lesson, has_b_first = learner % 2 == 0, learner // 2 % 2 == 0
    drawn = study.simulated_answers("mastery", has_lesson, 0.4, rng, n_questions=4)[:, 0]

    def rows(sitting, who):
        return [
            (
                f"{0xA00000 + n:x}",
                "lesson" if has_lesson[n] else "waiting",
                "BA" if has_b_first[n] else "AB",
                sitting,
                f"q{question}",
                "right" if is_right else "length",
            )
            for n in who
            for question, is_right in enumerate(drawn[study.WHEN.index(sitting), n])
        ]

    both = as_csv([*rows("before", range(40)), *rows("after", range(40))])
    never = ("aaaaaa", "waiting", "BA", "", "", "")
    (tmp_path / "answers.csv").write_bytes(as_csv([*rows("before", learner), never]))
    (tmp_path / "answers 2.csv").write_bytes(both)
    (tmp_path / "answers 2 (1).csv").write_bytes(both)
    notebook = ROOT / "docs/study/analysis.ipynb"
    script = str(ROOT / "tests/notebook_cells.py")
    ran = run_file(script, str(notebook), folder=tmp_path, path=(str(ROOT),))
    assert ran.returncode == 0, ran.stderr
    assert "lesson: drawn 23, answered before 23, after 20, left out 3" in ran.stdout
    assert "waiting: drawn 24, answered before 23, after 20, left out 4" in ran.stdout
    shown = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith('{"type"')]
    texts = [one["text"] for one in shown if "text" in one]
    assert texts[0] == "'answers of 20 learners (lesson), 20 learners (waiting)'"
    found = study.compare_groups(*scores(drawn[:, :40]), has_lesson[:40], has_b_first[:40])
    assert f"the lesson adds {found.difference:.3f}" in texts[1] and "simulated" not in texts[1]
    assert "n = 40" in texts[1]
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
