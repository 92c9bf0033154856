"""What every test may rely on, whatever ran before it and whatever else the machine does."""

import time
from itertools import groupby

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.collecting import waits


@given(st.just(0.3))
def test_a_search_has_no_deadline(seconds: float):
    time.sleep(seconds)


def test_a_test_draws_what_it_would_draw_alone():
    assert torch.equal(torch.rand(3), torch.rand(3, generator=torch.Generator().manual_seed(0)))


@pytest.fixture(scope="module", params=["a", "b", "c"])
def model(request: pytest.FixtureRequest) -> str:
    """Stand for something costly that a module makes of several kinds."""
    return request.param


@pytest.mark.parametrize("number", range(5))
def test_tests_of_one_module_and_of_one_thing_that_it_makes_stay_together(
    model: str, number: int, request: pytest.FixtureRequest
):
    items = request.session.items
    mine = [each for each in items if each.path == request.node.path and hasattr(each, "callspec")]
    made = [each.callspec.params["model"] for each in mine]
    for kinds in ([each.path for each in items], made, [waits(each) for each in items]):
        assert len(list(groupby(kinds))) == len(set(kinds))
    assert waits(items[0]) or not waits(items[-1]), "what waits begins"
