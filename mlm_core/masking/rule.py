"""The rule of a corruption: which tokens are chosen, and what they become.

Source: Devlin et al. 2019, section 3.1 (80/10/10); google-research/bert (fixed count, whole
words); Joshi et al. 2020, section 3.1 (spans with geometric lengths, p = 0.2, at most 10 words).

Read before this: ../encoder/language_model.py; also random_words.py. Read next: steps.py.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from mlm_core.ranges import refuse_choices, refuse_rates

Unit = Literal["token", "word", "span"]
Selection = Literal["fixed_count", "independent"]
Branch = Literal["mask", "random", "keep"]

IGNORED_LABEL = -100  # torch's cross_entropy leaves such positions out


@dataclass(frozen=True, kw_only=True)
class CorruptionRule:
    """Which tokens are chosen, and what they become. BERT's values by default."""

    mlm_probability: float = 0.15  # of the tokens, [CLS] and [SEP] counted in as BERT does
    unit: Unit = "token"
    selection: Selection = "fixed_count"
    mask_rate: float = 0.8  # of the chosen; the three sum to 1
    random_rate: float = 0.1
    keep_rate: float = 0.1
    span_stop_rate: float = 0.2  # SpanBERT's p: a span ends after each word with this chance
    longest_span: int = 10  # words, as SpanBERT

    def __post_init__(self) -> None:
        """Refuse rates and units that are not possible."""
        rates = (self.mask_rate, self.random_rate, self.keep_rate)
        if not (min(rates) >= 0 and abs(sum(rates) - 1) <= 1e-9):
            raise ValueError(f"mask, random and keep rates are {rates}: three shares that sum to 1")
        refuse_rates(self, "mlm_probability", "span_stop_rate", zero=False)
        if self.longest_span < 1:
            raise ValueError(f"longest_span is {self.longest_span}: at least one word")
        refuse_choices(self, {"unit": get_args(Unit), "selection": get_args(Selection)})
        if self.unit == "span" and self.selection != "fixed_count":
            raise ValueError("spans fill a fixed count: choose selection 'fixed_count' with them")

    def branch(self, die: float) -> Branch:
        """Return the branch of a random number: below 0.8, below 0.9, or above.

        >>> [CorruptionRule().branch(die) for die in (0.79, 0.8, 0.95)]
        ['mask', 'random', 'keep']
        """
        if die < self.mask_rate:
            return "mask"
        return "random" if die < self.mask_rate + self.random_rate else "keep"

    def span_length(self, roll: float) -> int:
        """Return a span's length in words: geometric, cut at the longest and rescaled.

        >>> [CorruptionRule().span_length(roll) for roll in (0.0, 0.3, 0.999)]
        [1, 2, 10]
        """
        go_on = 1 - self.span_stop_rate
        reach = roll * (1 - go_on**self.longest_span)
        return 1 + sum(reach >= 1 - go_on**n for n in range(1, self.longest_span))


def count_to_choose(n_real: int, rate: float) -> int:
    """Return BERT's count: the rate times the text's tokens, rounded, and at least 1.

    >>> [count_to_choose(n, 0.15) for n in (3, 12, 128)]
    [1, 2, 19]
    """
    return max(1, round(n_real * rate))
