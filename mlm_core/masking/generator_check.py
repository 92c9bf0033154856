"""Check what a masking generator made: is everything allowed, is it 15 % and 80/10/10?

    special      special tokens are neither chosen nor changed
    labels       the label of a chosen token is the original
    unchosen     without a label, nothing is changed
    rate         15 % of the ordinary tokens are chosen
    branches     80 % of these become [MASK], 10 % a random word, 10 % are kept

The first three compare tokens, so one fault is enough. The others are chi-square tests: p < 0.001
is wrong, p < 0.05 is unsure, since one right generator in twenty gets there.

Whole words and spans are chosen together, and their number varies more than that of independent
draws: the test counts them as fewer draws. A fixed count varies less, and rounding may move each
text by one token. Static masks that come again are no new draws.

Source: Devlin et al. 2019, section 3.1. Departs: [UNK] counts as an ordinary token, as in BERT.

Read before this: generator_output.py, goodness_of_fit.py.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from mlm_core.masking.generator_output import Example
from mlm_core.masking.goodness_of_fit import Verdict, fit_of_proportions
from mlm_core.masking.rule import Branch, CorruptionRule

Outcome = Literal["right", "wrong", "unsure"]
OUTCOMES: Mapping[Verdict, Outcome] = {"fits": "right", "no_fit": "wrong"}  # others: unsure
SPECIALS = {"[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>"}
MASKS = {"[MASK]", "<mask>"}
RATE = CorruptionRule().mlm_probability
BRANCHES: Mapping[Branch, float] = {"mask": 0.8, "random": 0.1, "keep": 0.1}
ALMOST_ALL, FEWEST = 0.9, 9  # of the texts that come again: if more are the same, masks are static
FIXED = 0.5  # times the variance of independent draws, below which a count is fixed


class Place(NamedTuple):
    """One token of a text."""

    line: int
    token: str  # before the corruption
    seen: str  # by the encoder
    label: str | None  # None: without a loss

    @property
    def branch(self) -> Branch:
        """Return what became of a chosen token; a random word that equals it looks kept."""
        if self.seen in MASKS:
            return "mask"
        return "keep" if self.seen == self.token else "random"


class Finding(NamedTuple):
    """What one check found."""

    name: str  # of the check
    outcome: Outcome
    values: Mapping[str, object]  # that a sentence about it names


class Report(NamedTuple):
    """What was counted, each static mask once, and what each check found."""

    n_texts: int
    n_ordinary: int
    observed: Mapping[Branch, int]
    findings: Sequence[Finding]


def check_generator(examples: Sequence[Example]) -> Report:
    """Return the counts and what each check found.

    Raises ValueError if there is no ordinary token.
    """
    special, chosen, rest = _sorted_places(examples)
    if not chosen and not rest:
        raise ValueError("no ordinary token to check: write texts, not special tokens alone")
    touched = [one for one in special if one.label is not None or one.seen != one.token]
    checks = {
        "special": (special, touched),
        "labels": (chosen, [one for one in chosen if one.label != one.token]),
        "unchosen": (rest, [one for one in rest if one.seen != one.token]),
    }
    findings = [_none_of(name, *places) for name, places in checks.items() if places[0]]
    drawn = _each_draw_once(examples)
    _, chosen, rest = _sorted_places(drawn)
    findings.append(_rate(chosen, rest))
    counts = Counter(one.branch for one in chosen)
    observed = {branch: counts[branch] for branch in BRANCHES}
    if chosen:
        shares = {branch: count / len(chosen) for branch, count in observed.items()}
        findings.append(_tested("branches", [*observed.values()], [*BRANCHES.values()], shares))
    return Report(len(drawn), len(chosen) + len(rest), observed, findings)


def _sorted_places(examples: Sequence[Example]) -> tuple[list[Place], list[Place], list[Place]]:
    """Return the special tokens, the ordinary ones with a label, and those without."""
    special, chosen, rest = [], [], []
    for one in examples:
        for columns in zip(one.tokens, one.inputs, one.labels, strict=True):
            place = Place(one.line, *columns)
            without = rest if place.label is None else chosen
            (special if place.token in SPECIALS else without).append(place)
    return special, chosen, rest


def _none_of(name: str, places: Sequence[Place], faults: Sequence[Place]) -> Finding:
    """Say that none of some tokens is at fault, or how many are and which is the first."""
    first = faults[0]._asdict() if faults else {}
    outcome: Outcome = "wrong" if faults else "right"
    return Finding(name, outcome, {"of": len(places), "n": len(faults)} | first)


def _each_draw_once(examples: Sequence[Example]) -> Sequence[Example]:
    """Return the texts, those with static masks once.

    A dynamic generator may draw the same again, most often nothing in a short text: that counts.
    """
    first_of: dict[tuple[str, ...], Example] = {}
    for one in examples:
        first_of.setdefault(one.tokens, one)
    n_again = len(examples) - len(first_of)
    same = sum(one[1:] == first_of[one.tokens][1:] for one in examples) - len(first_of)
    return [*first_of.values()] if same > max(FEWEST, ALMOST_ALL * n_again) else examples


def _rate(chosen: Sequence[Place], rest: Sequence[Place]) -> Finding:
    """Test how many ordinary tokens are chosen."""
    n, of = len(chosen), len(chosen) + len(rest)
    n_chosen = Counter(one.line for one in chosen)
    sizes = n_chosen + Counter(one.line for one in rest)
    share, spread = n / of, 1.0  # times the variance of independent draws, over the texts
    if 0 < share < 1 and len(sizes) > 1:
        ratios = [(n_chosen[line] - size * share) ** 2 / size for line, size in sizes.items()]
        spread = sum(ratios) / (len(ratios) - 1) / (share * (1 - share))
    values = {"n": n, "of": of, "share": share}
    found = _tested("rate", [n, of - n], [RATE, 1 - RATE], values, max(1.0, spread))
    is_rounded = spread < FIXED and abs(n - RATE * of) <= len(sizes)
    return found._replace(outcome="right") if is_rounded else found


def _tested(
    name: str, counts: list[int], shares: list[float], values: dict, spread: float = 1.0
) -> Finding:
    """Test counts against shares; what varies `spread` times as much is that many fewer draws."""
    n = sum(counts) / spread
    fit = fit_of_proportions([one / spread for one in counts], [share * n for share in shares])
    outcome = OUTCOMES.get(fit.verdict, "unsure")
    return Finding(name, outcome, {"statistic": fit.statistic} | values)
