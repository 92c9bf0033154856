"""The batched 80/10/10: what becomes of the words, and the slots of what was chosen.

tests/reference/test_corruption.py tests the shares, and what may never be chosen.
"""

import pytest
import torch

from mlm_core.masking import batch as corruption
from mlm_core.masking.batch import KEPT, MASKED
from mlm_core.masking.rule import IGNORED_LABEL, CorruptionRule

SPECIAL = frozenset(range(5))
MASK = 4
N_WORDS = 37


def test_masked_words_become_the_mask_and_what_is_kept_or_not_chosen_stays():
    rows, tokens, rule = 200, 42, CorruptionRule()
    generator = torch.Generator().manual_seed(3)
    ids = torch.randint(5, N_WORDS, (rows, tokens), generator=generator)
    shares = corruption.random_word_cdf(torch.ones(N_WORDS).long(), SPECIAL)
    chosen = corruption.choose(ids >= 5, torch.full((rows,), tokens), rule, generator)
    result = corruption.replace(ids, chosen, rule, generator, mask_id=MASK, word_cdf=shares)
    assert (result.ids[result.branch == MASKED] == MASK).all()
    for branch in (KEPT, -1):
        assert result.ids[result.branch == branch].equal(ids[result.branch == branch])


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
