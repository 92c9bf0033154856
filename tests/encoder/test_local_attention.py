"""Local attention: the same result as a mask, with fewer scores; pairs counted and by formula."""

import pytest
import torch

from mlm_core.encoder.attention import attend
from mlm_core.encoder.local_attention import (
    attend_locally,
    attended_pairs,
    local_mask,
    pairs_by_layer,
)

N_AND_WINDOW = [(1, 2), (5, 2), (5, 3), (7, 4), (13, 4), (16, 4), (6, 100)]


@pytest.mark.parametrize(("n_tokens", "window"), N_AND_WINDOW)
def test_blocks_give_what_the_mask_gives_with_as_many_scores_or_fewer(n_tokens: int, window: int):
    rng = torch.Generator().manual_seed(n_tokens)
    query, key = (torch.randn(2, n_tokens, 3, generator=rng) for _ in range(2))
    value = torch.randn(2, n_tokens, 4, generator=rng)
    masked = attend(query, key, value, local_mask(n_tokens, window))
    local = attend_locally(query, key, value, window)
    assert torch.allclose(local.output, masked.output, atol=1e-6)
    assert attended_pairs(n_tokens, window) <= local.n_scores <= masked.scores[0].numel()


@pytest.mark.parametrize(("n_tokens", "window"), N_AND_WINDOW)
def test_the_formula_counts_the_pairs_of_the_mask(n_tokens: int, window: int):
    assert attended_pairs(n_tokens, window) == int(local_mask(n_tokens, window).sum())
    assert attended_pairs(n_tokens) == n_tokens**2


def test_a_text_twice_as_long_takes_twice_the_local_scores_and_four_times_the_global_ones():
    scores = [attend_locally(*[torch.ones(n, 2)] * 3, 8).n_scores for n in (64, 128, 256)]
    assert scores[2] - scores[1] == 2 * (scores[1] - scores[0])  # linear but for the two ends
    assert attended_pairs(256) == 4 * attended_pairs(128)


def test_every_third_layer_is_global_beginning_with_the_first():
    layers = pairs_by_layer(1000, 22, window=128, global_every=3)  # ModernBERT-base
    assert [i for i, pairs in enumerate(layers) if pairs == 1000**2] == list(range(0, 22, 3))
    assert layers[1] == int(local_mask(1000, 128).sum())


def test_a_window_without_neighbours_is_refused():
    with pytest.raises(ValueError, match="a window of 1: give at least 2"):
        attend_locally(*[torch.ones(3, 2)] * 3, 1)
