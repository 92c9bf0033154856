"""What this lesson works out and keeps, and the numbers of its summary."""

from collections.abc import Mapping
from math import log


def in_short() -> Mapping[str, object]:
    """Return the loss of a random guess between two labels."""
    return {"coin": log(2)}
