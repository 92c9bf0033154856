"""One text corrupted many times: counts, and the expected counts.

A single corruption does not show 80/10/10: with two tokens chosen there are two draws. Only
counts over many draws can be compared with the rates (goodness_of_fit.py).

Source: the manual's exercise 1 (bert-manual, section 9) asks for this check.

Read before this: steps.py.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from mlm_core.masking.rule import Branch, CorruptionRule, count_to_choose
from mlm_core.masking.steps import choose_among, draws_of, roll, why_excluded
from mlm_core.text.tokens import Token


@dataclass(frozen=True, kw_only=True)
class Counts:
    """What happened in `n_draws` corruptions of the same text."""

    n_draws: int
    branches: dict[Branch, int]  # draws of each; the tokens of a span share one
    positions: tuple[int, ...]  # how often each position was chosen
    n_chosen: dict[int, int]  # how many draws chose that many tokens
    span_words: dict[int, int]  # how many spans were drawn that long

    @property
    def n_branch_draws(self) -> int:
        """Return how often a branch was drawn."""
        return sum(self.branches.values())


def count_corruptions(
    tokens: Sequence[Token], rule: CorruptionRule, rng: Random, n_draws: int, every: int
) -> Iterator[Counts]:
    """Corrupt a text `n_draws` times; yield counts after each `every` and at the end.

    Raises ValueError for less than one draw.
    """
    if n_draws < 1 or every < 1:
        raise ValueError(f"{n_draws} draws, counts after each {every}: at least 1 of both")
    branches: Counter[Branch] = Counter({"mask": 0, "random": 0, "keep": 0})
    positions, n_chosen, span_words = [0] * len(tokens), Counter(), Counter()
    of_text = draws_of(tokens, rule)
    for draw in range(1, n_draws + 1):
        rolls = roll(len(tokens), rng)
        choice = choose_among(of_text, rolls, rule)
        spans, chosen = set(), choice.positions
        for i in chosen:
            positions[i] += 1
            span = choice.candidates[i].span
            if span is None or span not in spans:
                spans.add(span)
                branches[rule.branch(rolls[i].die)] += 1
        n_chosen[len(chosen)] += 1
        span_words.update(choice.span_words)
        if draw % every == 0 or draw == n_draws:
            yield Counts(
                n_draws=draw,
                branches=dict(branches),
                positions=tuple(positions),
                n_chosen=dict(n_chosen),
                span_words=dict(span_words),
            )


def expected_branches(rule: CorruptionRule, n_draws: int) -> dict[Branch, float]:
    """Return the expected number of each branch in that many draws."""
    rates: dict[Branch, float] = {
        "mask": rule.mask_rate,
        "random": rule.random_rate,
        "keep": rule.keep_rate,
    }
    return {branch: rate * n_draws for branch, rate in rates.items()}


def probability_of_choice(
    tokens: Sequence[Token], rule: CorruptionRule
) -> tuple[float, ...] | None:
    """Return each position's probability of being chosen; None without a formula.

    For spans, and for words under a fixed count, it depends on all lengths in the text.
    """
    may = [why_excluded(token) is None for token in tokens]
    if rule.selection == "independent":
        return tuple(rule.mlm_probability * is_free for is_free in may)
    if rule.unit != "token" or not any(may):
        return None
    n_real = sum(why_excluded(token) != "padding" for token in tokens)
    n_free = sum(may)
    proportion = min(1.0, count_to_choose(n_real, rule.mlm_probability) / n_free)
    return tuple(proportion * is_free for is_free in may)


def probability_of_none(n_tokens: int, rate: float) -> float:
    """Return the probability that independent choices choose no token: (1 - rate)^n.

    >>> round(probability_of_none(6, 0.15), 3)
    0.377
    """
    return (1 - rate) ** n_tokens


def probability_of_count(n_tokens: int, rate: float) -> tuple[float, ...]:
    """Return the binomial probabilities of choosing 0, 1, ... all tokens.

    >>> probability_of_count(2, 0.5)
    (0.25, 0.5, 0.25)
    """
    return tuple(
        math.comb(n_tokens, n) * rate**n * (1 - rate) ** (n_tokens - n) for n in range(n_tokens + 1)
    )


def chosen_when_packed(lengths: Sequence[int], rate: float, rng: Random) -> tuple[int, ...]:
    """Return how many tokens of each text are chosen by a fixed count over one packed window.

    `lengths` leave special tokens out; [CLS] before the first text and [SEP] after each are part
    of the window, but are never chosen.

    >>> sum(chosen_when_packed((9, 4, 6), 0.15, Random(1)))  # 0.15 × 23 tokens, rounded
    3
    """
    text_of = [number for number, length in enumerate(lengths) for _ in range(length)]
    count = count_to_choose(len(text_of) + len(lengths) + 1, rate)
    chosen = Counter(rng.sample(text_of, min(count, len(text_of))))
    return tuple(chosen[number] for number in range(len(lengths)))
