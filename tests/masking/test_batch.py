"""The batched 80/10/10: counts, shares, and what may never happen."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from mlm_core.masking import batch as corruption
from mlm_core.masking.batch import KEPT, MASKED, RANDOM
from mlm_core.masking.rule import IGNORED_LABEL, CorruptionRule

SPECIAL = frozenset(range(5))
MASK = 4
N_WORDS = 37


def corrupted(rows: int, tokens: int, rule: CorruptionRule, seed: int = 3, *, uniform=False):
    """Return a batch of ids 5 to 36 between a 2 and a 3, and its corruption."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(5, N_WORDS, (rows, tokens), generator=generator)
    ids[:, 0], ids[:, -1] = 2, 3
    counts = torch.ones(N_WORDS).long() if uniform else torch.arange(N_WORDS) + 1
    shares = corruption.random_word_cdf(counts, SPECIAL)
    chosen = corruption.choose(ids >= 5, torch.full((rows,), tokens), rule, generator)
    return ids, corruption.replace(ids, chosen, rule, generator, mask_id=MASK, word_cdf=shares)


def test_a_fixed_count_is_the_same_in_every_text():
    _, result = corrupted(7, 40, CorruptionRule())
    assert (result.labels != IGNORED_LABEL).sum(dim=1).tolist() == [6] * 7  # 15 % of 40


def test_a_text_with_fewer_words_than_the_count_has_them_all_chosen():
    generator = torch.Generator().manual_seed(1)
    may_be_chosen = torch.tensor([[False, True, False, True, False]])
    rule = CorruptionRule(mlm_probability=0.9)
    chosen = corruption.choose(may_be_chosen, torch.tensor([5]), rule, generator)
    assert chosen.equal(may_be_chosen)


@pytest.mark.parametrize("selection", ["fixed_count", "independent"])
def test_all_words_are_chosen_equally_often(selection):
    rows, tokens = 20_000, 22
    _, result = corrupted(rows, tokens, CorruptionRule(selection=selection))
    share = (result.labels != IGNORED_LABEL).double().mean(dim=0)[1:-1]
    expected = 0.15 if selection == "independent" else 3 / (tokens - 2)
    # 5 standard deviations of a share of `rows` draws: missed once in 2 million places.
    tolerance = 5 * math.sqrt(expected * (1 - expected) / rows)
    assert (share - expected).abs().max() < tolerance


def test_the_three_branches_come_in_their_shares():
    rows, tokens = 20_000, 42
    ids, result = corrupted(rows, tokens, CorruptionRule())
    n = rows * 6
    for branch, share in ((MASKED, 0.8), (RANDOM, 0.1), (KEPT, 0.1)):
        seen = int((result.branch == branch).sum()) / n
        assert abs(seen - share) < 5 * math.sqrt(share * (1 - share) / n)
    assert (result.ids[result.branch == MASKED] == MASK).all()
    assert result.ids[result.branch == KEPT].equal(ids[result.branch == KEPT])
    assert result.ids[result.branch == -1].equal(ids[result.branch == -1])


@pytest.mark.parametrize("uniform", [False, True])
def test_random_words_come_by_their_frequency_or_all_alike(uniform):
    rule = CorruptionRule(mask_rate=0, random_rate=1, keep_rate=0)
    _, result = corrupted(20_000, 42, rule, uniform=uniform)
    words = result.ids[result.branch == RANDOM]
    seen = torch.bincount(words, minlength=N_WORDS)[5:].double()
    weights = torch.ones(N_WORDS - 5) if uniform else torch.arange(5, N_WORDS) + 1.0
    expected = weights / weights.sum() * len(words)
    chi_square = float(((seen - expected) ** 2 / expected).sum())
    # 31 degrees of freedom: mean 31, standard deviation sqrt(62); 6 of them above is < 1e-6.
    assert chi_square < 31 + 6 * math.sqrt(62)


@settings(max_examples=60)
@given(
    st.integers(1, 5),
    st.integers(2, 30),
    st.sampled_from(["fixed_count", "independent"]),
    st.floats(0.01, 1.0),
    st.integers(0, 2**31),
)
def test_special_tokens_are_never_chosen_nor_drawn(rows, tokens, selection, rate, seed):
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, N_WORDS, (rows, tokens), generator=generator)
    is_special = ids < 5
    rule = CorruptionRule(
        mlm_probability=rate, selection=selection,
        mask_rate=0.0, random_rate=1.0, keep_rate=0.0,
    )  # fmt: skip
    n_real = torch.full((rows,), tokens)
    chosen = corruption.choose(~is_special, n_real, rule, generator)
    shares = corruption.random_word_cdf(torch.ones(N_WORDS).long(), SPECIAL)
    result = corruption.replace(ids, chosen, rule, generator, mask_id=MASK, word_cdf=shares)
    assert not (chosen & is_special).any()
    assert result.ids[is_special].equal(ids[is_special])
    assert (result.ids[chosen] >= 5).all()


def test_slots_hold_the_chosen_positions_and_nothing_else():
    labels = torch.full((2, 7), IGNORED_LABEL)
    labels[0, 2], labels[0, 5], labels[1, 6] = 20, 30, 40
    for n_slots in (None, 3):
        slots = corruption.gather_slots(labels, n_slots)
        is_used = slots.labels != IGNORED_LABEL
        assert slots.labels[is_used].tolist() == [20, 30, 40]
        assert slots.positions[is_used].tolist() == [2, 5, 6]
        assert slots.labels.shape[1] == (n_slots or 2)


def test_no_word_to_draw_is_refused():
    with pytest.raises(ValueError, match="no word to draw"):
        corruption.random_word_cdf(torch.tensor([3, 0]), frozenset({0}))
