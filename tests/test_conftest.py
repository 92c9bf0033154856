"""What every test may rely on, whatever ran before it and whatever else the machine does."""

import time

from hypothesis import given
from hypothesis import strategies as st


@given(st.just(0.3))
def test_a_search_has_no_deadline(seconds: float):
    time.sleep(seconds)
