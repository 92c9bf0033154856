"""What experiments with several seeds have in common: a curve of means, a difference in words."""

from collections.abc import Sequence

from mlm_core.evaluation.seeds import SeedMean, seed_mean
from mlm_core.figures.curves import Curve


def mean_curve(name: str, x: Sequence[int], of_seeds: Sequence[Sequence[float]], pen: int) -> Curve:
    """Return the mean over the seeds at each x, with half of its interval."""
    means = [seed_mean(values) for values in zip(*of_seeds, strict=True)]
    return Curve(
        name=name,
        points=[(at, one.mean) for at, one in zip(x, means, strict=True)],
        errors=[one.margin for one in means],
        pen=pen,
        dots=True,
    )


def outcome_of(difference: SeedMean) -> str:
    """Return what a difference of seeds says, and whether it may be chance."""
    if not difference.is_clear:
        return "same"
    return "higher" if difference.mean > 0 else "lower"
