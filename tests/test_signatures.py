"""The checks of mlm_core's signatures bite, end after some hundred calls, and begin again."""

import pytest
import torch
from jaxtyping import TypeCheckError

from mlm_core.encoder.attention import attend, padding_mask
from mlm_core.text.mini_world import world as mini_world
from tests import signatures


def test_a_wrong_shape_is_refused():
    with pytest.raises(TypeCheckError):
        attend(torch.ones(2, 3), torch.ones(2, 4), torch.ones(2, 3))


def test_a_wrong_type_is_refused_where_there_are_no_shapes():
    with pytest.raises(signatures.WrongTypeWarning, match="Literal"):
        mini_world.documents("other")


def test_some_hundred_calls_are_checked_and_then_no_more():
    numbers = torch.ones(3)  # where truth values are expected
    with pytest.raises(TypeCheckError):
        padding_mask(numbers)
    for _ in range(signatures.MOST_CHECKS // 2 + 1):
        padding_mask(numbers.bool())
    padding_mask(numbers)
    signatures.begin_a_test()
    with pytest.raises(TypeCheckError):
        padding_mask(numbers)
