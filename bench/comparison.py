"""What a measurement gives to the table that run.py prints."""

import statistics
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One figure beside the figure it is compared with."""

    what: str
    ours: list[float]  # milliseconds, one a repetition
    theirs: list[float]
    than: str
    aim: str  # what the project promises

    def line(self) -> str:
        """Return the medians, their ratio and their difference as one line of the table."""
        ours, theirs = statistics.median(self.ours), statistics.median(self.theirs)
        return (
            f"{self.what:<44} {ours:>9.1f} ms {theirs:>9.1f} ms {ours / theirs:>6.2f} x"
            f" {ours - theirs:>+9.1f} ms  {len(self.ours):>4}  {self.aim:<16} {self.than}"
        )


@dataclass(frozen=True)
class Remark:
    """What explains the figures above it."""

    text: str

    def line(self) -> str:
        """Return the remark as it is."""
        return self.text
