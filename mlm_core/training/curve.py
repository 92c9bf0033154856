"""A loss curve of bounded length: if it is full, each two points become one.

Read before this: loop.py.
"""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

P = TypeVar("P")
MOST_POINTS = 250


class LossCurve(Generic[P]):
    """The points of a curve that never has more than `most_points`, an even number."""

    def __init__(self, mean: Callable[[Sequence[P]], P], most_points: int = MOST_POINTS) -> None:
        """Start with no point."""
        self._mean, self._most_points = mean, most_points
        self._points: list[P] = []
        self._pending: list[P] = []  # too few for a point yet
        self._stride = 1  # steps a point

    def add(self, point: P) -> None:
        """Add one step."""
        self._pending.append(point)
        if len(self._pending) < self._stride:
            return
        self._points.append(self._mean(self._pending))
        self._pending = []
        if len(self._points) == self._most_points:
            pairs = zip(self._points[::2], self._points[1::2], strict=True)
            self._points = [self._mean(pair) for pair in pairs]
            self._stride *= 2

    def points(self) -> tuple[P, ...]:
        """Return the curve; its last point may stand for fewer steps than the others."""
        last = (self._mean(self._pending),) if self._pending else ()
        return (*self._points, *last)
