"""attend() and the masks: what must hold, the textbook's numbers, torch's attention, errors."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from mlm_core.encoder.attention import attend, bidirectional_mask, causal_mask, padding_mask

# Everything differs, so that a swapped axis shows.
N_TEXTS, N_HEADS, N_QUERIES, N_KEYS, HEAD_SIZE, VALUE_SIZE = 2, 3, 5, 7, 4, 6

# Both sides do the same few dozen float64 operations on numbers of size 1 to 10, each with a
# relative error of 1e-16, in a different order: 1e-13 is some hundred times that.
SAME_IN_FLOAT64 = 1e-13
# The same in float32, whose operations err by 6e-8.
SAME_IN_FLOAT32 = 2e-5


def random_qkv(seed=3, n_queries=N_QUERIES, n_keys=N_KEYS, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)

    def numbers(*shape):
        return torch.randn(N_TEXTS, N_HEADS, *shape, generator=generator, dtype=dtype)

    return numbers(n_queries, HEAD_SIZE), numbers(n_keys, HEAD_SIZE), numbers(n_keys, VALUE_SIZE)


def drawn_masks(n_queries=N_QUERIES, n_keys=N_KEYS):
    size = n_queries * n_keys
    cells = st.lists(st.booleans(), min_size=size, max_size=size)
    return cells.map(lambda drawn: torch.tensor(drawn).reshape(n_queries, n_keys))


# Invariants


@given(drawn_masks())
def test_each_row_sums_to_one_or_to_zero_where_all_is_blocked(attention_mask):
    steps = attend(*random_qkv(), attention_mask)
    expected = attention_mask.any(dim=-1).double().expand(N_TEXTS, N_HEADS, N_QUERIES)
    torch.testing.assert_close(steps.weights.sum(dim=-1), expected, atol=1e-14, rtol=0)


@given(drawn_masks())
def test_a_blocked_key_gets_no_weight_and_its_value_does_not_matter(attention_mask):
    query, key, value = random_qkv()
    steps = attend(query, key, value, attention_mask)
    assert (steps.weights[..., ~attention_mask] == 0).all()
    blocked_for_all = ~attention_mask.any(dim=0)
    elsewhere = value.masked_fill(blocked_for_all[:, None], 1e6)
    torch.testing.assert_close(attend(query, key, elsewhere, attention_mask).output, steps.output)


def test_an_output_lies_between_the_smallest_and_largest_value_looked_at():
    query, key, value = random_qkv()
    output = attend(query, key, value).output
    # One rounding may step over the border.
    assert (output <= value.amax(dim=-2, keepdim=True) + 1e-14).all()
    assert (output >= value.amin(dim=-2, keepdim=True) - 1e-14).all()


def test_a_causal_query_does_not_notice_what_comes_after_it():
    query, key, value = random_qkv(n_keys=N_QUERIES)
    before = attend(query, key, value, causal_mask(N_QUERIES)).output
    key[..., 3:, :], value[..., 3:, :] = 9.0, -9.0
    after = attend(query, key, value, causal_mask(N_QUERIES)).output
    assert torch.equal(before[..., :3, :], after[..., :3, :])
    assert not torch.equal(before[..., 3:, :], after[..., 3:, :])


def test_without_a_mask_the_order_of_the_keys_does_not_matter():
    query, key, value = random_qkv()
    order = [4, 0, 6, 2, 5, 1, 3]
    shuffled = attend(query, key[..., order, :], value[..., order, :])
    torch.testing.assert_close(shuffled.output, attend(query, key, value).output)
    torch.testing.assert_close(shuffled.weights, attend(query, key, value).weights[..., order])


def test_the_steps_follow_from_each_other():
    query, key, value = random_qkv()
    attention_mask = torch.ones(N_QUERIES, N_KEYS, dtype=torch.bool)
    attention_mask[2, 5] = False
    steps = attend(query, key, value, attention_mask)
    dot = sum(query[1, 2, 4, i] * key[1, 2, 6, i] for i in range(HEAD_SIZE))
    assert steps.scores[1, 2, 4, 6].item() == pytest.approx(dot.item(), abs=1e-14)
    assert torch.equal(steps.scaled_scores, steps.scores / 2)  # the root of head_size 4
    assert (steps.masked_scores[..., 2, 5] == -torch.inf).all()
    assert torch.equal(
        steps.masked_scores[..., attention_mask], steps.scaled_scores[..., attention_mask]
    )


@pytest.mark.parametrize(
    "mask_shape", [(N_QUERIES, N_KEYS), (N_TEXTS, 1, N_QUERIES, N_KEYS)], ids=["one", "a text"]
)
def test_one_head_taken_out_has_the_numbers_of_that_head(mask_shape):
    query, key, value = random_qkv()
    attention_mask = torch.rand(mask_shape, generator=torch.Generator().manual_seed(5)) < 0.7
    steps = attend(query, key, value, attention_mask)
    head = steps.of_head(2)
    assert torch.equal(head.weights, steps.weights[0, 2])
    assert torch.equal(head.value, value[0, 2])
    assert torch.equal(
        head.attention_mask, attention_mask if attention_mask.ndim == 2 else attention_mask[0, 0]
    )
    again = attend(head.query, head.key, head.value, head.attention_mask)
    torch.testing.assert_close(again.output, head.output)


# Worked by hand


def three_words():
    """Give the textbook's example: the second word's query meets keys that score 0, 1, 0."""
    query = torch.tensor([[0.0, 1.0, 0.0]], dtype=torch.float64)
    return query, torch.eye(3, dtype=torch.float64), torch.eye(3, dtype=torch.float64)


def test_the_three_word_example_without_the_division():
    # e = 2.71828; 1 / (1 + e + 1) = 0.21194 and e / (2 + e) = 0.57612.
    steps = attend(*three_words(), divide_by_root=False)
    assert steps.scaled_scores.tolist() == [[0.0, 1.0, 0.0]]
    assert steps.weights[0].tolist() == pytest.approx([0.2119, 0.5761, 0.2119], abs=5e-5)


def test_the_three_word_example_divided_by_the_root_of_three():
    # e^(1/1.73205) = e^0.57735 = 1.78131; 1 / 3.78131 = 0.26446 and 1.78131 / 3.78131 = 0.47108.
    steps = attend(*three_words())
    assert steps.scores.tolist() == [[0.0, 1.0, 0.0]]
    assert steps.scaled_scores[0].tolist() == pytest.approx([0, 0.57735, 0], abs=5e-6)
    assert steps.weights[0].tolist() == pytest.approx([0.2645, 0.4711, 0.2645], abs=5e-5)


def test_the_output_is_the_weighted_mean_of_the_values_by_hand():
    # Scores ln 1, ln 3 (head_size 1, so no division): weights 1/4 and 3/4.
    query, key = torch.tensor([[1.0]]), torch.tensor([[1.0], [3.0]]).log()
    value = torch.tensor([[8.0, 0.0], [0.0, 4.0]])
    assert attend(query, key, value).output[0].tolist() == pytest.approx([2.0, 3.0], abs=1e-6)


def test_masks_by_hand():
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True] * 3]
    assert bidirectional_mask(2, 3).tolist() == [[True] * 3] * 2
    assert bidirectional_mask(2).tolist() == [[True] * 2] * 2
    not_padding = torch.tensor([[True, True, False], [True, False, False]])
    assert padding_mask(not_padding).tolist() == [
        [[True, True, False]] * 3,
        [[True, False, False]] * 3,
    ]
    assert causal_mask(1).tolist() == [[True]]


# Against a reference: torch's own attention


CAUSAL = causal_mask(N_QUERIES)
PADDING = padding_mask(torch.arange(N_QUERIES) < torch.tensor([[5], [2]])).unsqueeze(1)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
@pytest.mark.parametrize(
    ("mask", "theirs"),
    [(None, {}), (CAUSAL, {"is_causal": True}), (PADDING, {"attn_mask": PADDING})],
    ids=["no mask", "causal", "padding"],
)
def test_each_mask_equals_torchs_attention(mask, theirs, dtype):
    qkv = random_qkv(n_keys=N_QUERIES, dtype=dtype)
    tolerance = SAME_IN_FLOAT64 if dtype == torch.float64 else SAME_IN_FLOAT32
    expected = F.scaled_dot_product_attention(*qkv, **theirs)
    torch.testing.assert_close(attend(*qkv, mask).output, expected, atol=tolerance, rtol=0)


@settings(max_examples=60)
@given(drawn_masks(), st.integers(0, 10_000))
def test_any_drawn_mask_equals_torch_fully_blocked_rows_included(attention_mask, seed):
    qkv = random_qkv(seed)
    theirs = F.scaled_dot_product_attention(*qkv, attn_mask=attention_mask)
    ours = attend(*qkv, attention_mask).output
    torch.testing.assert_close(ours, theirs, atol=SAME_IN_FLOAT64, rtol=0)


# Errors and edges


def test_a_fully_blocked_row_is_zero_and_changes_no_other():
    qkv = random_qkv()
    attention_mask = torch.ones(N_QUERIES, N_KEYS, dtype=torch.bool)
    attention_mask[1] = False
    steps = attend(*qkv, attention_mask)
    assert (steps.weights[..., 1, :] == 0).all()
    assert (steps.output[..., 1, :] == 0).all()
    assert torch.equal(steps.weights[..., 0, :], attend(*qkv).weights[..., 0, :])


@pytest.mark.usefixtures("unchecked_shapes")
def test_a_mask_that_does_not_fit_is_refused_with_both_sizes():
    message = r"a mask of \(7, 5\) for 5 queries and 7 keys: pass one row a query"
    with pytest.raises(ValueError, match=message):
        attend(*random_qkv(), torch.ones(N_KEYS, N_QUERIES, dtype=torch.bool))


def test_one_token_looks_at_itself_with_all_its_weight():
    steps = attend(torch.tensor([[3.0]]), torch.tensor([[-2.0]]), torch.tensor([[5.0, 7.0]]))
    assert steps.weights.tolist() == [[1.0]] and steps.output.tolist() == [[5.0, 7.0]]


def test_nothing_that_is_passed_in_is_changed():
    qkv = random_qkv()
    copies = [tensor.clone() for tensor in qkv]
    mask = torch.rand(N_QUERIES, N_KEYS, generator=torch.Generator().manual_seed(2)) < 0.5
    before = mask.clone()
    attend(*qkv, mask)
    assert all(torch.equal(a, b) for a, b in zip(qkv, copies, strict=True))
    assert torch.equal(mask, before)
