"""The paired bootstrap: against a slow one, against what its p-value promises, at its edges."""

import math

import numpy as np
import pytest
from hypothesis import given

from mlm_core.evaluation.bootstrap import (
    DRAWN_AT_ONCE,
    draw_times,
    f1_of,
    paired_bootstrap,
    paired_lead,
)
from mlm_core.tagging.bio_tags import decode
from mlm_core.tagging.scores import (
    compare_spans,
    count_pairs,
    score_entities,
    types_in,
    word_accuracy,
)
from tests.tagging.random_tags import two_outputs
from tests.tagging.test_scores import spans

GOLD = [spans("PER0-2 LOC3-4"), spans("PER1-2"), spans("LOC0-1"), spans(""), spans("PER5-7")]
GOOD = [spans("PER0-2 LOC3-4"), spans("PER1-2"), spans("LOC0-1"), spans("LOC2-3"), spans("")]
POOR = [spans("PER0-2"), spans(""), spans("PER0-1"), spans(""), spans("PER5-7")]


def compare_taggers(gold, spans_a, spans_b, n_resamples, rng):
    return compare_spans(gold, spans_a, spans_b, rng, n_resamples=n_resamples)


def count_words(gold, predicted):
    """Return counts of which micro F1 is the accuracy over words: every word is an entity."""
    rows = [
        (sum(tag == said for tag, said in zip(wanted, tags, strict=True)), len(wanted), len(tags))
        for wanted, tags in zip(gold, predicted, strict=True)
    ]
    return np.array(rows, dtype=np.int64).reshape(len(gold), 1, 3)


def test_it_is_the_plain_bootstrap_that_scores_each_drawn_set_anew():
    n_resamples = DRAWN_AT_ONCE + 5
    found = compare_taggers(GOLD, GOOD, POOR, n_resamples, np.random.default_rng(3))
    rng = np.random.default_rng(3)
    sizes = (DRAWN_AT_ONCE, 5)
    times = np.concatenate([draw_times(5, size, rng) for size in sizes])
    slow = []
    for counts in times:
        drawn = [i for i, n in enumerate(counts) for _ in range(n)]
        scores = [
            score_entities([GOLD[i] for i in drawn], [said[i] for i in drawn]).micro.f1
            for said in (GOOD, POOR)
        ]
        slow.append(scores[0] - scores[1])
    np.testing.assert_allclose(found.deltas, slow, atol=1e-12)
    assert found.score_a == pytest.approx(score_entities(GOLD, GOOD).micro.f1)
    assert found.score_b == pytest.approx(score_entities(GOLD, POOR).micro.f1)
    assert found.n_as_large == sum(delta >= 2 * found.delta - 1e-12 for delta in slow)
    assert found.p_value == found.n_as_large / n_resamples


def test_by_hand_with_two_sentences():
    # A is right on both, B on none: every set has a lead of 1, and none has the 2 it would take.
    gold = [spans("PER0-1")] * 2
    sure = compare_taggers(gold, gold, [[], []], 50, np.random.default_rng(0))
    assert (sure.delta, sure.p_value) == (1.0, 0.0)
    # A is right on one sentence of two, where B is right on none: F1 is 2/3 against 0. To reach
    # twice the lead is impossible, to draw the missed sentence twice gives 0.
    half = compare_taggers(gold, [gold[0], []], [[], []], 50, np.random.default_rng(0))
    assert half.delta == pytest.approx(2 / 3)
    assert {round(delta, 9) for delta in half.deltas} == {0.0, round(2 / 3, 9), 1.0}
    assert half.p_value == 0.0


def test_the_first_sets_score_their_sentences_as_often_as_they_were_drawn():
    # One type; sentence 0: A has 1 hit of 1 and 1, B none of 1 and 0; sentence 1: no hit.
    a, b = np.array([[[1, 1, 1]], [[0, 1, 1]]]), np.array([[[0, 1, 0]], [[0, 1, 0]]])
    found = paired_bootstrap(a, b, 9, np.random.default_rng(3), n_first=5)
    for one, delta in zip(found.first, found.deltas[:5], strict=True):
        assert one.score_a == one.delta == delta == one.times[0] / 2
        assert one.score_b == 0 and one.n_left_out == one.times.count(0)


def test_two_equal_taggers_have_p_1_and_swapping_turns_the_lead_around():
    same = compare_taggers(GOLD, GOOD, GOOD, 99, np.random.default_rng(1))
    assert (same.delta, same.p_value) == (0.0, 1.0)
    there = compare_taggers(GOLD, GOOD, POOR, 400, np.random.default_rng(2))
    back = compare_taggers(GOLD, POOR, GOOD, 400, np.random.default_rng(2))
    np.testing.assert_allclose(there.deltas, -back.deltas)
    assert there.delta == -back.delta > 0
    assert there.p_value < 0.5 < back.p_value


def test_the_p_value_is_that_of_a_normal_curve_where_many_sentences_are_drawn():
    # Accuracy over 400 sentences of one word: A alone is right on 60, B alone on 40, so delta is
    # 0.05. A drawn set's delta has variance (0.25 - 0.05^2) / 400, so p is the tail beyond
    # z = 0.05 / sqrt(0.2475 / 400) = 2.010, that is 0.0222; with the equality of a lattice of
    # 1/400 half a step is added: beyond 0.04875, z = 1.960, p = 0.0250.
    gold = [["O"]] * 400
    a = [["O"]] * 60 + [["B-X"]] * 40 + [["O"]] * 300
    b = [["B-X"]] * 60 + [["O"]] * 40 + [["O"]] * 300
    n_resamples = 20_000
    found = paired_bootstrap(
        count_words(gold, a), count_words(gold, b), n_resamples, np.random.default_rng(7)
    )
    assert found.delta == pytest.approx(0.05)
    expected = 0.5 * math.erfc(0.04875 / math.sqrt(0.2475 / 400) / math.sqrt(2))
    # Six standard errors of a share of 20,000 draws, and 0.001 for the curve being no lattice.
    tolerance = 6 * math.sqrt(expected * (1 - expected) / n_resamples) + 0.001
    assert found.p_value == pytest.approx(expected, abs=tolerance)
    spread = math.sqrt(0.2475 / 400)
    # The standard error of a standard deviation is about sd / sqrt(2 n): six of them.
    assert found.deltas.std() == pytest.approx(spread, abs=6 * spread / math.sqrt(2 * n_resamples))


def test_equal_taggers_are_called_different_about_as_often_as_p_says():
    # Two taggers that are each right on a word with probability 0.8, independently: in 400 test
    # sets of 100 words p should fall below 0.1 in about 0.1 of them. Equality on a lattice makes
    # the test careful, so a little less: with leads in steps of 1/100 and a standard deviation of
    # sqrt(2 * 0.16 / 100) = 0.057, half a step moves the 0.1 tail (density 1.755 / sd / 10) by
    # 0.005 * 0.1755 / 0.057 = 0.015. Five standard errors: 5 sqrt(0.09 / 400) = 0.075.
    rng = np.random.default_rng(11)
    n_sets, n_words = 400, 100
    n_small = 0
    for _ in range(n_sets):
        right = (rng.random((2, n_words)) < 0.8).astype(np.int64)
        ones = np.ones(n_words, dtype=np.int64)
        a, b = (np.stack([hits, ones, ones], axis=-1)[:, None, :] for hits in right)
        n_small += paired_bootstrap(a, b, 200, rng).p_value < 0.1
    assert 0.1 - 0.015 - 0.075 < n_small / n_sets < 0.1 + 0.075


def test_the_same_seed_gives_the_same_verdict_and_another_other_sets():
    first, again, other = (
        compare_taggers(GOLD, GOOD, POOR, 300, np.random.default_rng(seed)) for seed in (5, 5, 6)
    )
    np.testing.assert_array_equal(first.deltas, again.deltas)
    assert (first.deltas != other.deltas).any()


@given(two_outputs("BIO"))
def test_f1_from_counts_is_that_of_the_scores(outputs):
    gold, predicted = ([decode(tags, "BIO", "conlleval") for tags in o] for o in outputs)
    counts = count_pairs(gold, predicted, types_in(gold, predicted))
    scores = score_entities(gold, predicted)
    assert f1_of(counts.sum(axis=0)) == pytest.approx(scores.micro.f1)
    if sum(map(len, outputs[0])):
        words = count_words(*outputs)
        assert f1_of(words.sum(axis=0)) == pytest.approx(word_accuracy(*outputs).accuracy)


def test_no_entity_anywhere_is_no_lead():
    found = compare_taggers([[], []], [[], []], [[], []], 9, np.random.default_rng(0))
    assert (found.score_a, found.delta, found.p_value) == (0.0, 0.0, 1.0)


def test_what_can_not_be_compared_is_refused(unchecked_shapes):
    rng = np.random.default_rng(0)
    types = ["LOC", "PER"]
    counts = count_pairs(GOLD, GOOD, types)
    with pytest.raises(ValueError, match="other gold entities"):
        paired_bootstrap(counts, counts[:3], 9, rng)
    with pytest.raises(ValueError, match="other gold entities"):
        paired_bootstrap(counts, count_pairs(POOR, GOOD, types), 9, rng)
    with pytest.raises(ValueError, match="0 draws of 5 sentences"):
        paired_bootstrap(counts, counts, 0, rng)
    with pytest.raises(ValueError, match="9 draws of 0 sentences"):
        paired_bootstrap(counts[:0], counts[:0], 9, rng)


def test_a_lead_turns_its_sign_with_the_order_and_the_same_answers_have_none():
    first, second = [True] * 20 + [False] * 9, [False] * 12 + [True] * 11 + [False] * 6
    found, turned = paired_lead(first, second), paired_lead(second, first)
    assert (found.n_first, found.n_second) == (turned.n_second, turned.n_first) == (12, 3)
    assert found.value == -turned.value == pytest.approx(9 / 29)
    assert (found.low, found.high) == pytest.approx((-turned.high, -turned.low))
    assert found.direction == 1 and turned.direction == -1 and found.p_value == turned.p_value
    same = paired_lead(first, first)
    assert (same.value, same.low, same.high, same.p_value, same.direction) == (0, 0, 0, 1, 0)


def test_few_examples_that_differ_show_nothing_though_the_interval_leaves_0_out():
    # Four of four in one direction: McNemar's p is 2 / 2^4, while only e^-4 of the drawn sets have
    # none of them.
    found = paired_lead([True] * 100, [True] * 96 + [False] * 4)
    assert found.low > 0 and found.p_value == 0.125 and found.direction == 0


@pytest.mark.parametrize("answers", [([], []), ([True], [True, False])])
def test_leads_on_other_examples_are_refused(answers):
    with pytest.raises(ValueError, match="the same examples, at least one"):
        paired_lead(*answers)
