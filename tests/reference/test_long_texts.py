"""Rotary positions and local attention, as ModernBERT's own code in transformers has them."""

import pytest
import torch
import transformers

from mlm_core.encoder.local_attention import local_mask, pairs_by_layer
from mlm_core.encoder.rotary import rotary_angles, rotate

N_TOKENS, HEAD_SIZE = 11, 8


@pytest.fixture(scope="module")
def config() -> "transformers.ModernBertConfig":
    return transformers.ModernBertConfig(
        hidden_size=24,
        num_attention_heads=3,
        num_hidden_layers=7,
        local_attention=6,
        attn_implementation="eager",
    )


@pytest.mark.parametrize(
    ("layer_type", "base"), [("full_attention", 160_000.0), ("sliding_attention", 10_000.0)]
)
def test_queries_and_keys_turn_as_in_modernbert(config, layer_type: str, base: float):
    from transformers.models.modernbert import modeling_modernbert as modernbert

    rng = torch.Generator().manual_seed(3)
    query, key = (torch.randn(2, 3, N_TOKENS, HEAD_SIZE, generator=rng) for _ in range(2))
    positions = torch.arange(N_TOKENS)
    cosine, sine = modernbert.ModernBertRotaryEmbedding(config)(query, positions[None], layer_type)
    theirs = modernbert.apply_rotary_pos_emb(query, key, cosine, sine)
    angles = rotary_angles(positions, HEAD_SIZE, base)
    for vectors, turned in zip((query, key), theirs, strict=True):
        assert torch.allclose(rotate(vectors, angles), turned, atol=1e-6)


def test_the_window_is_that_of_modernbert(config):
    from transformers.masking_utils import create_bidirectional_sliding_window_mask

    states, is_real = torch.zeros(1, N_TOKENS, 24), torch.ones(1, N_TOKENS, dtype=torch.long)
    theirs = create_bidirectional_sliding_window_mask(config, states, is_real)
    assert theirs is not None
    assert torch.equal(theirs[0, 0] == 0, local_mask(N_TOKENS, 6))


def test_the_same_layers_are_global(config):
    pairs = pairs_by_layer(N_TOKENS, 7, window=6, global_every=3)
    ours = ["full_attention" if one == N_TOKENS**2 else "sliding_attention" for one in pairs]
    assert ours == config.layer_types
