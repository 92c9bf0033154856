"""A mask as a short text, for links."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mlm_core.encoder.attention import causal_mask
from mlm_core.encoder.drawn_masks import mask_from_text, mask_to_text


@given(
    st.integers(1, 21).flatmap(
        lambda n: st.tuples(st.just(n), st.binary(min_size=n * n, max_size=n * n))
    )
)
def test_a_mask_comes_back_from_its_text(drawn):
    n_tokens, noise = drawn
    mask = torch.tensor([byte % 2 == 1 for byte in noise]).reshape(n_tokens, n_tokens)
    assert torch.equal(mask_from_text(mask_to_text(mask), n_tokens), mask)


def test_the_causal_mask_of_five_tokens_by_hand():
    # 10000 -> 1000 0000; 11000; 11100; 11110; 11111 with three bits of filling each.
    assert mask_to_text(causal_mask(5)) == "80-c0-e0-f0-f8"


def test_new_tokens_see_all_and_are_seen_by_all():
    mask = mask_from_text("8-c", 3)
    assert mask.tolist() == [[True, False, True], [True, True, True], [True, True, True]]


def test_a_mask_for_more_tokens_loses_the_rest():
    assert mask_from_text("8-c-e", 2).tolist() == [[True, False], [True, True]]


@pytest.mark.parametrize(
    "text", ["", "-", "8--c", "xyz", "8-c-", "0x8", "8 c", "8-C", "١", "f" * 100_000]
)
def test_what_is_no_mask_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="such as 8-c-e"):
        mask_from_text(text, 3)
