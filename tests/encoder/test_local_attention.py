"""Local attention: pairs counted and by formula."""

import pytest

from mlm_core.encoder.local_attention import attended_pairs, local_mask, pairs_by_layer

N_AND_WINDOW = [(1, 2), (5, 2), (5, 3), (7, 4), (13, 4), (16, 4), (6, 100)]


@pytest.mark.parametrize(("n_tokens", "window"), N_AND_WINDOW)
def test_the_formula_counts_the_pairs_of_the_mask(n_tokens: int, window: int):
    assert attended_pairs(n_tokens, window) == int(local_mask(n_tokens, window).sum())
    assert attended_pairs(n_tokens) == n_tokens**2


def test_every_third_layer_is_global_beginning_with_the_first():
    layers = pairs_by_layer(1000, 22, window=128, global_every=3)  # ModernBERT-base
    assert [i for i, pairs in enumerate(layers) if pairs == 1000**2] == list(range(0, 22, 3))
    assert layers[1] == int(local_mask(1000, 128).sum())
