"""Our BERT by itself: what must hold, small cases by hand, errors.

tests/reference/test_bert_as_transformers.py sets it beside transformers' BERT.
"""

from itertools import product

import pytest
import torch
from torch import nn

from mlm_core.encoder.attention import attend
from mlm_core.encoder.bert import Bert, BertConfig
from mlm_core.encoder.fast_paths import attend_in_bfloat16
from tests.small_bert import small_config

N_TEXTS, N_TOKENS = 2, 5
CONFIG = small_config(23, initializer_range=0.5)  # wide, so that attention is uneven
# Float64 operations err by 1e-16; a few hundred of them stay far below this.
SAME = {"atol": 1e-12, "rtol": 0}


@pytest.fixture(scope="module")
def bert() -> Bert:
    torch.manual_seed(7)
    bert = Bert(CONFIG).double().eval().requires_grad_(False)
    for parameter in bert.parameters():
        if parameter.ndim == 1:  # fresh biases are all zero, which would hide a lost one
            parameter.add_(torch.randn_like(parameter) * 0.3)
    return bert


@pytest.fixture
def batch():
    generator = torch.Generator().manual_seed(8)
    ids = torch.randint(CONFIG.vocabulary_size, (N_TEXTS, N_TOKENS), generator=generator)
    segment_ids = torch.tensor([[0, 0, 1, 1, 1], [0, 1, 1, 1, 1]])
    not_padding = torch.tensor([[True] * 5, [True, True, True, False, False]])
    return ids, segment_ids, not_padding


# Invariants


@pytest.fixture(params=product([False, True], repeat=3), ids=str)
def masked_batch(batch, request):
    """Give a batch with each combination of masks: for padding, causal, drawn."""
    with_padding, causal, is_drawn = request.param
    ids, segment_ids, not_padding = batch
    drawn = torch.rand(N_TEXTS, N_TOKENS, N_TOKENS, generator=torch.manual_seed(9)) < 0.6
    drawn[1, 2] = False  # a row that sees nothing
    masks = {"causal": causal, "attention_mask": drawn if is_drawn else None}
    return (ids, segment_ids, not_padding if with_padding else None), masks


def test_recording_changes_nothing(bert, masked_batch):
    inputs, masks = masked_batch
    fused = bert.encode(*inputs, **masks)
    recorded = bert.encode(*inputs, **masks, record=True)
    for one, other in zip(fused.states, recorded.states, strict=True):
        torch.testing.assert_close(one, other, **SAME)
    assert (fused.weights, fused.attention) == ((), ())
    assert len(recorded.weights) == len(recorded.attention) == CONFIG.n_layers


def test_all_masks_that_are_given_hold_at_once(bert, batch):
    ids, segment_ids, not_padding = batch
    drawn = torch.rand(N_TOKENS, N_TOKENS, generator=torch.manual_seed(3)) < 0.7
    weights = bert.encode(
        ids, segment_ids, not_padding, causal=True, attention_mask=drawn, record=True
    ).weights
    for layer in weights:
        for text, head, query, key in product(*map(range, layer.shape)):
            is_open = key <= query and not_padding[text, key] and drawn[query, key]
            assert (layer[text, head, query, key] > 0) == bool(is_open)


def test_a_causal_token_does_not_notice_what_comes_after_it(bert, batch):
    ids, segment_ids, _ = batch
    before = bert.encode(ids, segment_ids, causal=True).last
    ids[:, 3:] = (ids[:, 3:] + 5) % CONFIG.vocabulary_size
    after = bert.encode(ids, segment_ids, causal=True).last
    torch.testing.assert_close(before[:, :3], after[:, :3], **SAME)
    assert (before[:, 3:] - after[:, 3:]).abs().max() > 0.1
    both_ways = bert.encode(ids, segment_ids).last
    assert (both_ways[:, :3] - after[:, :3]).abs().max() > 0.1


def test_padding_changes_nothing_at_the_real_tokens(bert, batch):
    ids, segment_ids, not_padding = batch
    padded = bert.encode(ids, segment_ids, not_padding).last[1, :3]
    alone = bert.encode(ids[1:, :3], segment_ids[1:, :3]).last[0]
    torch.testing.assert_close(padded, alone, **SAME)
    ids[1, 3:] = 4
    torch.testing.assert_close(
        bert.encode(ids, segment_ids, not_padding).last[1, :3], alone, **SAME
    )


def test_the_head_on_chosen_positions_gives_what_it_gives_on_all(bert, batch):
    ids, segment_ids, _ = batch
    states = bert.encode(ids, segment_ids).last
    is_chosen = torch.tensor(
        [[False, True, False, True, False], [False, False, True, False, False]]
    )
    all_logits = bert.masked_language_logits(states)
    assert all_logits.shape == (N_TEXTS, N_TOKENS, CONFIG.vocabulary_size)
    chosen = bert.masked_language_logits(states[is_chosen])
    torch.testing.assert_close(chosen, all_logits[is_chosen], **SAME)


def test_states_at_some_positions_are_those_rows_of_all(bert, masked_batch):
    inputs, masks = masked_batch
    at = torch.tensor([[0, 3, 1], [0, 2, 2]])  # in any order, and twice
    whole = bert.last_states(*inputs, **masks)
    some = bert.last_states(*inputs, **masks, positions=at)
    for text, places in enumerate(at):
        torch.testing.assert_close(some[text], whole[text, places], **SAME)


def test_gradients_through_some_positions_are_those_through_all(batch):
    ids, segment_ids, not_padding = batch
    torch.manual_seed(7)
    bert = Bert(CONFIG).double().eval()
    at = torch.tensor([[0, 3], [0, 1]])
    gradients = []
    for states in (
        bert.last_states(ids, segment_ids, not_padding, positions=at),
        bert.last_states(ids, segment_ids, not_padding)[torch.arange(2).unsqueeze(1), at],
    ):
        bert.zero_grad()
        bert.masked_language_logits(states).logsumexp(dim=-1).sum().backward()
        named = bert.named_parameters()
        gradients.append({name: p.grad for name, p in named if p.grad is not None})
    some, whole = gradients
    assert some.keys() == whole.keys() and len(some) > 30
    for name in some:
        torch.testing.assert_close(some[name], whole[name], **SAME)


@pytest.mark.parametrize("masked", [False, True])
def test_attention_for_training_in_bfloat16_gives_the_output_and_gradients_of_attend(masked):
    """In float64, where both must agree to the last digits; bfloat16 only rounds."""
    shape = (N_TEXTS, 3, N_TOKENS, 4)
    inputs = torch.randn(3, *shape, dtype=torch.float64, generator=torch.manual_seed(4))
    attention_mask = (
        torch.rand(N_TEXTS, 1, N_TOKENS, N_TOKENS, generator=torch.manual_seed(5)) < 0.6
    )
    attention_mask[1, 0, 2] = False  # a row that sees nothing
    mask = attention_mask if masked else None
    quick = attend_in_bfloat16(*inputs, mask, 0.0)
    torch.testing.assert_close(quick, attend(*inputs, mask).output, **SAME)
    attention_mask[1, 0, 2, 1] = True  # the gradient of attend()'s 0 / 0 is no number
    gradients = []
    for run in (lambda *x: attend_in_bfloat16(*x, mask, 0.0), lambda *x: attend(*x, mask).output):
        leaves = [one.clone().requires_grad_() for one in inputs]
        run(*leaves).square().sum().backward()
        gradients.append([leaf.grad for leaf in leaves])
    for mine, other in zip(*gradients, strict=True):
        torch.testing.assert_close(mine, other, **SAME)


def test_a_row_with_nothing_to_see_has_finite_gradients_in_training():
    query, key, value = torch.randn(3, 1, 2, N_TOKENS, 4).bfloat16().requires_grad_().unbind()
    nothing = torch.zeros(1, 1, N_TOKENS, N_TOKENS, dtype=torch.bool)
    output = attend_in_bfloat16(query, key, value, nothing, 0.0)
    assert (output == 0).all()
    gradients = torch.autograd.grad(output.sum(), (query, key, value))
    assert all(gradient.isfinite().all() for gradient in gradients)


def test_a_training_pass_in_bfloat16_gives_the_states_of_float32_up_to_rounding(batch):
    ids, segment_ids, not_padding = batch
    torch.manual_seed(7)
    bert = Bert(CONFIG).eval()
    exact = bert.last_states(ids, segment_ids, not_padding)
    with torch.autocast("cpu", torch.bfloat16):
        rounded = bert.last_states(ids, segment_ids, not_padding)
    # 2**-9 a rounding, a dozen of them in a row, on states of size 1 (up to about 3).
    assert 0 < (rounded - exact).abs().mean().item() < 12 * 2**-9


def test_the_next_sentence_head_sees_the_first_token_only(bert, batch):
    ids, segment_ids, _ = batch
    states = bert.encode(ids, segment_ids).last
    logits = bert.next_sentence_logits(states)
    assert logits.shape == (N_TEXTS, 2)
    elsewhere = states.clone()
    elsewhere[:, 1:] = 0
    assert torch.equal(bert.next_sentence_logits(elsewhere), logits)


def test_dropout_acts_in_training_only(batch):
    ids, _, _ = batch
    bert = Bert(CONFIG)
    assert not torch.equal(bert.encode(ids).last, bert.encode(ids).last)
    bert.eval()
    assert torch.equal(bert.encode(ids).last, bert.encode(ids).last)


def test_fresh_weights_have_the_spread_that_was_asked_for():
    torch.manual_seed(1)
    bert = Bert(BertConfig(vocabulary_size=997, hidden_size=60, n_heads=5, intermediate_size=70))
    weights = bert.embeddings.token.weight
    # The spread of n draws is off by 1/sqrt(2n) of itself: 0.3 % here, and 5 of these are 2 %.
    assert weights.std().item() == pytest.approx(0.02, rel=0.02)
    assert (bert.blocks[0].inner.bias == 0).all()
    assert (bert.embeddings.norm.weight == 1).all()


# Worked by hand


def test_a_generator_draws_the_weights_whatever_the_global_one_is_at():
    drawn = []
    for global_seed, seed in ((1, 5), (2, 5), (1, 6)):
        torch.manual_seed(global_seed)
        drawn.append(Bert(CONFIG, torch.Generator().manual_seed(seed)).state_dict())
    first, again, other = drawn
    assert all(first[name].equal(again[name]) for name in first)
    assert not first["embeddings.token.weight"].equal(other["embeddings.token.weight"])


def test_bert_base_has_the_parameters_its_paper_counts():
    # Devlin et al. 2019 say 110M. By hand: embeddings (30522 + 512 + 2) * 768 and a LayerNorm;
    # 12 layers of 4 projections, 2 feed-forward matrices, 2 LayerNorms; pooler; both heads.
    hidden, inner = 768, 3072
    norm, square = 2 * hidden, hidden * hidden + hidden
    feed_forward = hidden * inner + inner + inner * hidden + hidden
    by_hand = (30_522 + 512 + 2) * hidden + norm + 12 * (4 * square + feed_forward + 2 * norm)
    by_hand += square + 2 * hidden + 2  # pooler and next-sentence classifier
    by_hand += square + norm + 30_522  # masked-language head, its matrix tied
    with torch.device("meta"):
        bert = Bert(BertConfig())
    assert sum(parameter.numel() for parameter in bert.parameters()) == by_hand == 110_106_428


def test_the_embedding_is_the_sum_of_three_rows_normalized_by_hand(bert, batch):
    ids, segment_ids, _ = batch
    steps = bert.embeddings.steps(ids, segment_ids)
    weights = bert.state_dict()
    row = (
        weights["embeddings.token.weight"][ids[1, 4]]
        + weights["embeddings.position.weight"][4]
        + weights["embeddings.segment.weight"][1]
    )
    torch.testing.assert_close(steps.total[1, 4], row, **SAME)
    spread = ((row - row.mean()) ** 2).mean().sqrt()  # the epsilon of 1e-12 doesn't show
    by_hand = (row - row.mean()) / spread
    by_hand = by_hand * weights["embeddings.norm.weight"] + weights["embeddings.norm.bias"]
    torch.testing.assert_close(steps.normalized[1, 4], by_hand, atol=1e-9, rtol=0)


def test_a_text_of_one_token_passes_a_layer_as_by_hand(bert):
    """It can look at nothing but itself, so attention is its own value, projected."""
    ids = torch.tensor([[6]])
    start, after, _ = bert.encode(ids).states
    block = bert.blocks[0]
    state = start[0, 0]
    value = block.attention.value.weight @ state + block.attention.value.bias
    attended = block.attention.output.weight @ value + block.attention.output.bias

    def normalize(row, norm: nn.LayerNorm):
        centred = row - row.mean()
        return centred / (centred**2).mean().sqrt() * norm.weight + norm.bias

    state = normalize(state + attended, block.attention_norm)
    inner = block.inner.weight @ state + block.inner.bias
    inner = inner * 0.5 * (1 + torch.erf(inner / 2**0.5))  # GELU, the exact one
    state = normalize(
        state + block.outer.weight @ inner + block.outer.bias, block.feed_forward_norm
    )
    torch.testing.assert_close(after[0, 0], state, atol=1e-9, rtol=0)


# Errors and edges


def test_a_text_longer_than_the_window_is_refused(bert):
    with pytest.raises(ValueError, match="10 tokens, but this model has positions for 9: shorten"):
        bert.encode(torch.zeros(1, 10, dtype=torch.long))
    assert bert.encode(torch.zeros(1, 9, dtype=torch.long)).last.shape == (1, 9, 12)


def test_a_model_without_the_next_sentence_head_says_so(batch):
    ids, _, _ = batch
    config = BertConfig(hidden_size=6, n_heads=3, n_layers=1, has_next_sentence_head=False)
    bert = Bert(config)
    with pytest.raises(ValueError, match="no next-sentence head: choose one that was pretrained"):
        bert.next_sentence_logits(bert.encode(ids).last)


@pytest.mark.usefixtures("unchecked_shapes")
@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"hidden_size": 10, "n_heads": 3}, "hidden_size 10 does not divide into 3 heads: choose"),
        ({"n_heads": 0}, "n_heads is 0: choose a whole number from 1 to 10,000,000"),
        ({"n_heads": -3}, "n_heads is -3: choose"),
        ({"hidden_size": "12"}, "hidden_size is '12': choose"),
        ({"n_layers": 2.0}, r"n_layers is 2\.0: choose"),
        ({"n_layers": True}, "n_layers is True: choose"),
        ({"vocabulary_size": 10**18}, "vocabulary_size is 1000000000000000000: choose"),
        ({"n_positions": None}, "n_positions is None: choose"),
        ({"dropout_rate": 1.5}, r"dropout_rate is 1\.5: choose a number from 0 to 1"),
        ({"layer_norm_epsilon": "1e-12"}, "layer_norm_epsilon is '1e-12': choose"),
        ({"initializer_range": -0.1}, r"initializer_range is -0\.1: choose"),
        ({"dropout_rate": float("nan")}, "dropout_rate is nan: choose"),
    ],
)
def test_sizes_that_make_no_encoder_are_refused_at_birth(sizes, message):
    with pytest.raises(ValueError, match=message):
        BertConfig(**sizes)


def test_the_last_states_alone_are_those_of_the_whole_encoding():
    torch.manual_seed(11)
    bert = Bert(small_config(29, n_layers=3)).eval()
    ids = torch.randint(0, 29, (2, 7))
    not_padding = torch.arange(7) < torch.tensor([[7], [4]])
    for masks in ({}, {"causal": True}, {"not_padding": not_padding}):
        assert torch.equal(bert.last_states(ids, **masks), bert.encode(ids, **masks).last)
    with pytest.raises(ValueError, match="shorten the text"):
        bert.last_states(torch.zeros(1, 10, dtype=torch.long))
