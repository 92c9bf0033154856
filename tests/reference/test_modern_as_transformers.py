"""Our encoder with all changes of its blocks beside transformers' ModernBERT: the same numbers."""

import pytest
import torch
import transformers

from mlm_core.encoder.bert import BertConfig
from mlm_core.encoder.modern import BLOCK_CHANGES, gated_width
from mlm_core.encoder.pretrained import bert_without_weights

HIDDEN, LAYERS, HEADS, INNER, N_TEXTS, N_TOKENS, VOCABULARY = 12, 3, 2, 20, 2, 7, 23


@pytest.fixture(scope="module")
def theirs():
    """Give ModernBERT with all layers global and the biases that BERT has, wide random weights."""
    config = transformers.ModernBertConfig(
        vocab_size=VOCABULARY,
        hidden_size=HIDDEN,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        intermediate_size=gated_width(INNER),
        layer_types=["full_attention"] * LAYERS,
        rope_parameters={"full_attention": {"rope_type": "default", "rope_theta": 10_000.0}},
        norm_bias=True,
        attention_bias=True,
        mlp_bias=True,
        pad_token_id=0,
        attn_implementation="eager",
    )
    torch.manual_seed(3)
    model = transformers.ModernBertModel(config).eval().requires_grad_(False)
    for parameter in model.parameters():
        parameter.add_(torch.randn_like(parameter) * 0.3)
    return model


@pytest.fixture(scope="module")
def ours(theirs):
    config = BertConfig(
        vocabulary_size=VOCABULARY,
        hidden_size=HIDDEN,
        n_layers=LAYERS,
        n_heads=HEADS,
        intermediate_size=INNER,
        n_positions=N_TOKENS,
        layer_norm_epsilon=theirs.config.norm_eps,
    )
    bert = bert_without_weights(config, BLOCK_CHANGES).eval().requires_grad_(False)
    bert.embeddings.position.weight.zero_()
    bert.embeddings.segment.weight.zero_()  # ModernBERT has none
    bert.embeddings.token.weight.copy_(theirs.embeddings.tok_embeddings.weight)
    pairs = [(bert.embeddings.norm, theirs.embeddings.norm)]
    for block, layer in zip(bert.blocks, theirs.layers, strict=True):
        joint = layer.attn.Wqkv
        of_qkv = zip(joint.weight.chunk(3), joint.bias.chunk(3), strict=True)
        attention = block.attention
        for mine, (weight, bias) in zip(
            (attention.query, attention.key, attention.value), of_qkv, strict=True
        ):
            mine.weight.copy_(weight)
            mine.bias.copy_(bias)
        pairs += [(attention.output, layer.attn.Wo), (block.feed_forward_norm, layer.mlp_norm)]
        pairs += [(block.inner, layer.mlp.Wi), (block.outer, layer.mlp.Wo)]
        if layer.layer_idx:  # the first has no norm there, nor have we
            pairs.append((block.attention_norm, layer.attn_norm))
    pairs.append((bert.blocks[-1].last_norm, theirs.final_norm))
    for mine, their in pairs:
        mine.load_state_dict(their.state_dict())
    return bert


@pytest.mark.parametrize("positions", [None, [[0, 6, 3], [2, 1, 1]]], ids=["all", "some"])
def test_all_three_changes_give_the_states_of_modernbert_in_each_layer(ours, theirs, positions):
    ids = torch.randint(VOCABULARY, (N_TEXTS, N_TOKENS), generator=torch.Generator().manual_seed(1))
    is_real = torch.tensor([[True] * 7, [True] * 4 + [False] * 3])
    their = theirs(ids, attention_mask=is_real.long(), output_hidden_states=True)
    expected = their.last_hidden_state
    # float32 errs by 6e-8 an operation; sums of 24 numbers of size 10 through three layers: 1e-5.
    close = {"atol": 1e-5, "rtol": 0}
    if positions is None:
        *layers, found = ours.encode(ids, not_padding=is_real).states
        for mine, one in zip(layers, their.hidden_states[:-1], strict=True):
            torch.testing.assert_close(mine, one, **close)
    else:
        positions = torch.tensor(positions)
        expected = expected.gather(1, positions.unsqueeze(-1).expand(-1, -1, HIDDEN))
        found = ours.last_states(ids, not_padding=is_real, positions=positions)
    torch.testing.assert_close(found, expected, **close)
    assert expected.abs().max() > 1
