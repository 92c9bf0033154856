"""How often a masking generator chooses a token, and what becomes of it: 15 % and 80/10/10?

Random variation decides how far off is too far: p < 0.001 is wrong, p < 0.05 is unsure, since one
right generator in twenty gets there (goodness_of_fit.py).

What can't be seen: a random word that equals the original looks kept. The expected counts allow
for it (`Counted.expected_branches`).

Source: Devlin et al. 2019, section 3.1; the manual's exercise 1 (bert-manual, section 9).

Read before this: generator_labels.py, goodness_of_fit.py. Read next: generator_draws.py.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from mlm_core.masking.generator_labels import BRANCHES, PADDING, Counted, Finding, Outcome
from mlm_core.masking.goodness_of_fit import (
    Verdict,
    fit_of_proportions,
    interval_of_proportion,
)
from mlm_core.masking.rule import CorruptionRule

OUTCOMES: Mapping[Verdict, Outcome] = {
    "fits": "right",
    "surprising": "unsure",
    "no_fit": "wrong",
    "too_few": "unsure",
}
RATE = CorruptionRule().mlm_probability
FEWEST_TEXTS = 10  # to compare with one another
Rounding = Literal["rounded", "up", "cut"]
ROUNDINGS: tuple[tuple[Rounding, Callable[[float], int]], ...] = (
    ("rounded", round),  # as Python does: an exact half goes to the even neighbour
    ("rounded", lambda count: int(count + 0.5)),
    ("up", math.ceil),
    ("cut", int),
)
# What comes of known mistakes: of all tokens chosen, and of the chosen by branch.
WRONG_RATES = {
    "rate_only_mask": 0.12,  # 80 % of 15 %
    "rate_only_changed": 0.135,  # 90 % of 15 %
    "rate_of_mask": 0.8,
    "rate_twice": 0.0225,  # 15 % of 15 %
}
WRONG_BRANCHES = {
    "second_draw_kept": (0.8, 0.02, 0.18),  # `elif random() < 0.1` with a new number: 10 % of 20 %
    "second_draw_random": (0.8, 0.18, 0.02),  # `elif random() < 0.9` with a new number
    "swapped_random": (0.1, 0.8, 0.1),
    "swapped_kept": (0.1, 0.1, 0.8),
}


def check_rate(counted: Counted) -> Finding:
    """Say whether 15 % of the ordinary tokens are chosen."""
    n, of = len(counted.chosen), len(counted.ordinary)
    # Where tokens are chosen together, as whole words are, the count varies more than independent
    # draws would: as if there were fewer of them (a quasi-binomial model).
    together = max(1.0, spread_of_counts(counted))
    low, high = interval_of_proportion(n / together, of / together)
    values: dict[str, object] = {"n": n, "of": of, "share": n / of, "low": low, "high": high}
    if rounding := fixed_count(counted):
        outcome: Outcome = "different" if rounding == "cut" else "right"
        return Finding(name="rate", outcome=outcome, said=f"fixed_{rounding}", values=values)
    verdict = _fit_of_share(n, of, RATE, together)
    if verdict != "no_fit":
        said = "right" if verdict == "fits" else f"rate_{verdict}"
        return Finding(name="rate", outcome=OUTCOMES[verdict], said=said, values=values)
    branches = counted.branches
    possible = {
        "rate_only_mask": branches["mask"] == n,
        "rate_only_changed": not branches["keep"],
    }
    fits = {
        abs(n / of - rate): said
        for said, rate in WRONG_RATES.items()
        if possible.get(said, True) and _fit_of_share(n, of, rate, together) != "no_fit"
    }
    other = "rate_high" if n / of > RATE else "rate_low"
    said = fits[min(fits)] if fits else other
    return Finding(name="rate", outcome="wrong", said=said, values=values)


def _fit_of_share(n: int, of: int, rate: float, together: float) -> Verdict:
    counts = [n / together, (of - n) / together]
    return fit_of_proportions(counts, [rate * sum(counts), (1 - rate) * sum(counts)]).verdict


def spread_of_counts(counted: Counted) -> float:
    """Return the variance of the texts' counts of chosen tokens, 1 for independent draws."""
    rate = len(counted.chosen) / len(counted.ordinary)
    if not 0 < rate < 1:
        return 0.0
    ratios = [
        (n_chosen - n * rate) ** 2 / (n * rate * (1 - rate))
        for n, n_chosen in _per_text(counted)
        if n
    ]
    return sum(ratios) / max(1, len(ratios) - 1)


def fixed_count(counted: Counted) -> Rounding | None:
    """Return how a fixed count is rounded, if each text has just that; None if one differs.

    BERT takes 15 % of all tokens with [CLS] and [SEP], others of the ordinary ones alone.
    """
    if len(counted.examples) < FEWEST_TEXTS:
        return None
    per_text = _per_text(counted)
    real = [sum(token not in PADDING for token in one.tokens) for one in counted.examples]
    for sizes in (real, [n for n, _ in per_text]):
        exact = [round(RATE * size, 9) for size in sizes]
        for name, rounding in ROUNDINGS:
            for least in (1, 0):
                counts = [max(least, rounding(one)) for one in exact]
                if all(
                    n_chosen == min(n, count)
                    for count, (n, n_chosen) in zip(counts, per_text, strict=True)
                ):
                    return name
    return None


def _per_text(counted: Counted) -> list[tuple[int, int]]:
    """Return how many ordinary tokens each text has, and how many are chosen."""
    ordinary = Counter(place.example.line for place in counted.ordinary)
    chosen = Counter(place.example.line for place in counted.chosen)
    return [(ordinary[one.line], chosen[one.line]) for one in counted.examples]


def check_branches(counted: Counted) -> Finding:
    """Say whether the chosen become [MASK], random words and themselves by 80/10/10."""
    observed, n = counted.branches, len(counted.chosen)
    counts = [observed[branch] for branch in BRANCHES]
    fit = fit_of_proportions(counts, [counted.expected_branches[one] for one in BRANCHES])
    values: dict[str, object] = {"of": n, "statistic": fit.statistic}
    for branch, seen in observed.items():
        low, high = interval_of_proportion(seen, n)
        values |= {branch: seen / n, f"{branch}_low": low, f"{branch}_high": high}
    if fit.verdict != "no_fit":
        said = "right" if fit.verdict == "fits" else f"branches_{fit.verdict}"
        return Finding(name="branches", outcome=OUTCOMES[fit.verdict], said=said, values=values)
    return Finding(name="branches", outcome="wrong", said=_wrong_branches(counts), values=values)


def _wrong_branches(counts: Sequence[int]) -> str:
    """Return the likeliest reason of counts that are not 80/10/10."""
    mask, random, keep = counts
    if not random and not keep:
        return "always_mask"
    if not mask:
        return "never_mask"
    if not keep:
        # 10 in 90 where the kept have no label, 20 in 100 where all that isn't [MASK] is random.
        return "only_changed" if random < 0.15 * sum(counts) else "never_kept"
    if not random:
        return "never_random"
    fits = {
        name: fit_of_proportions(counts, [share * sum(counts) for share in shares])
        for name, shares in WRONG_BRANCHES.items()
    }
    best = min(fits, key=lambda name: fits[name].statistic)
    return best if fits[best].verdict != "no_fit" else "other_branches"
