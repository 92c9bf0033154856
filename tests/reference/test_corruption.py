"""Stepped and batched corruption against the stated rates, each other and transformers.

Every test of a rate is a chi-square test of at least 100,000 decisions at significance 1e-6. Each
has a fixed seed, so it passes always or never: nothing can flake. With other seeds, about one
in a million of right programs would fail, while shares that are off by one per cent of a
hundred would be found (100,000 * 0.01^2 / 0.16 is a chi-square of 62 in one category).
"""

import math
from collections import Counter
from itertools import permutations, product
from random import Random

import jaxtyping
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from mlm_core.masking import batch as batched
from mlm_core.masking.counts import count_corruptions, expected_branches
from mlm_core.masking.goodness_of_fit import fit_of_choices, fit_of_proportions
from mlm_core.masking.random_words import random_words, unigram_counts
from mlm_core.masking.rule import IGNORED_LABEL, CorruptionRule, count_to_choose
from mlm_core.masking.steps import choose, corrupt, roll, why_excluded
from mlm_core.text.tokens import pad, special_token_ids, tokenize, train_tokenizer
from tests.masking.test_steps import sentence

SIGNIFICANCE = 1e-6
N_DECISIONS = 100_000  # one for each token that may be chosen, each time

CORPUS = ["the river was high so we walked home over the bridge", "unbelievable stories"] * 3
# Hundreds of thousands of calls: checking the types of each would take minutes.
pytestmark = pytest.mark.usefixtures("unchecked_shapes")

TOKENIZER = train_tokenizer("WordPiece", CORPUS, 70)
TEXT = tokenize(TOKENIZER, "the river was unbelievable so we walked")
TOKENS = pad(TEXT, TOKENIZER, 3).tokens
FREE = [i for i, token in enumerate(TOKENS) if why_excluded(token) is None]
N_REAL = len(TEXT.tokens)
N_DRAWS = -(-N_DECISIONS // len(FREE))
MASK = TOKENIZER.token_to_id("[MASK]")
COUNTS = unigram_counts(TOKENIZER, CORPUS)
SHARES = [(0.8, 0.1, 0.1), (1.0, 0.0, 0.0), (0.2, 0.5, 0.3)]


def n_to_choose(rate: float) -> int:
    return max(1, round(rate * N_REAL))


def rule_of(selection: str, shares=SHARES[0], unit="token") -> CorruptionRule:
    rates = dict(zip(("mask_rate", "random_rate", "keep_rate"), shares, strict=True))
    return CorruptionRule(unit=unit, selection=selection, mlm_probability=0.3, **rates)


def run_batched(selection: str, shares, *, uniform: bool = True) -> batched.Corruption:
    rule = rule_of(selection, shares)
    generator = torch.Generator().manual_seed(5)
    ids = torch.tensor([[token.id for token in TOKENS]]).repeat(N_DRAWS, 1)
    may = torch.tensor([[why_excluded(token) is None for token in TOKENS]]).repeat(N_DRAWS, 1)
    chosen = batched.choose(may, torch.full((N_DRAWS,), N_REAL), rule, generator)
    counts = [1 if uniform else COUNTS.get(i, 0) for i in range(TOKENIZER.get_vocab_size())]
    sampler = batched.random_word_cdf(torch.tensor(counts), special_token_ids(TOKENIZER))
    return batched.replace(ids, chosen, rule, generator, mask_id=MASK, word_cdf=sampler)


def counts_of(made: batched.Corruption) -> tuple[list[int], list[int]]:
    """Return how often each free position was chosen, and each branch taken."""
    chosen = (made.labels != IGNORED_LABEL).sum(dim=0).tolist()
    assert sum(chosen) == sum(chosen[i] for i in FREE)  # nothing else is ever chosen
    return [chosen[i] for i in FREE], [int((made.branch == b).sum()) for b in range(3)]


def fit_of_positions(selection: str, positions: list[int]):
    if selection == "fixed_count":
        rate = n_to_choose(0.3) / len(positions)
        return fit_of_choices(positions, N_DRAWS, rate, fixed=True)
    return fit_of_choices(positions, N_DRAWS, 0.3, fixed=False)


@pytest.mark.parametrize("selection", ["fixed_count", "independent"])
@pytest.mark.parametrize("shares", SHARES, ids=str)
def test_both_keep_to_the_rates_and_agree_with_each_other(selection, shares):
    assert len(FREE) * N_DRAWS >= N_DECISIONS
    rule = rule_of(selection, shares)
    *_, stepped = count_corruptions(TOKENS, rule, Random(11), N_DRAWS, N_DRAWS)
    stepped_positions = [stepped.positions[i] for i in FREE]
    stepped_branches = [stepped.branches[name] for name in ("mask", "random", "keep")]
    positions, branches = counts_of(run_batched(selection, shares))
    assert sum(stepped.positions) == sum(stepped_positions)
    for chosen, taken in ((stepped_positions, stepped_branches), (positions, branches)):
        assert fit_of_positions(selection, chosen).p_value > SIGNIFICANCE
        expected = list(expected_branches(rule, sum(taken)).values())
        assert fit_of_proportions(taken, expected).p_value > SIGNIFICANCE
    # Each against the other, by scipy: rows are the two programs.
    for pair in ([stepped_positions, positions], [stepped_branches, branches]):
        columns = [column for column in zip(*pair, strict=True) if any(column)]
        if len(columns) > 1:
            table = list(zip(*columns, strict=True))
            assert stats.chi2_contingency(table).pvalue > SIGNIFICANCE


@pytest.mark.parametrize("uniform", [True, False])
def test_both_draw_random_words_by_the_stated_frequencies(uniform):
    sampler = random_words(TOKENIZER, None if uniform else COUNTS)
    rng, n = Random(2), N_DECISIONS
    drawn = [0] * TOKENIZER.get_vocab_size()
    for _ in range(n):
        drawn[sampler.draw(rng.random())[0]] += 1
    made = run_batched("independent", (0.0, 1.0, 0.0), uniform=uniform)
    is_random = made.branch == batched.RANDOM
    in_batches = torch.bincount(made.ids[is_random], minlength=len(drawn)).tolist()
    special = special_token_ids(TOKENIZER)
    weights = [0 if i in special else 1 if uniform else COUNTS.get(i, 0) for i in range(len(drawn))]
    for counts in (drawn, in_batches):
        expected = [sum(counts) * weight / sum(weights) for weight in weights]
        assert fit_of_proportions(counts, expected).p_value > SIGNIFICANCE
    # All tokens were to become random here: at least 25,000 draws from the batched lottery too.
    assert sum(in_batches) > 25_000


def test_spans_fill_the_count_with_geometric_lengths_and_keep_to_the_rates():
    rule = rule_of("fixed_count", unit="span")
    *_, counts = count_corruptions(TOKENS, rule, Random(4), N_DRAWS, N_DRAWS)
    assert counts.n_chosen == {n_to_choose(0.3): N_DRAWS}
    assert sum(counts.positions) == sum(counts.positions[i] for i in FREE)
    taken = list(counts.branches.values())
    expected = list(expected_branches(rule, sum(taken)).values())
    assert fit_of_proportions(taken, expected).p_value > SIGNIFICANCE
    # The first span's length, whatever follows; SpanBERT's p = 0.2, at most 10, rescaled.
    rng = Random(6)
    lengths = [0] * 10
    for _ in range(N_DECISIONS):
        lengths[rule.span_length(rng.random()) - 1] += 1
    shares = [0.2 * 0.8**k for k in range(10)]
    expected = [N_DECISIONS * share / sum(shares) for share in shares]
    assert fit_of_proportions(lengths, expected).p_value > SIGNIFICANCE


def test_a_recorded_corruption_counts_as_the_counts_do():
    rule = rule_of("fixed_count")
    words, rng = random_words(TOKENIZER, COUNTS), Random(11)
    positions = [0] * len(TOKENS)
    for _ in range(300):
        made = corrupt(TOKENS, roll(len(TOKENS), rng), rule, words, (MASK, "[MASK]"))
        for i, label in enumerate(made.labels):
            positions[i] += label != IGNORED_LABEL
    *_, counts = count_corruptions(TOKENS, rule, Random(11), 300, 300)
    assert tuple(positions) == counts.positions


def test_berts_count_is_the_same_in_both_up_to_its_window():
    for rate in (0.1, 0.15, 0.2, 0.3, 0.4):
        ours = [count_to_choose(n, rate) for n in range(1, 513)]
        theirs = batched.count_to_choose(torch.arange(1, 513), rate).tolist()
        assert ours == theirs  # at an exact half, such as 190 * 0.15, too


def test_transformers_keeps_to_the_same_rates():
    from transformers import DataCollatorForLanguageModeling, PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=TOKENIZER,
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        unk_token="[UNK]",
    )
    collator = DataCollatorForLanguageModeling(tokenizer, mlm_probability=0.3, seed=7)
    ids = torch.tensor([[token.id for token in TOKENS]]).repeat(N_DRAWS, 1)
    special = torch.tensor([[token.is_special for token in TOKENS]]).repeat(N_DRAWS, 1)
    seen, labels = collator.torch_mask_tokens(ids.clone(), special_tokens_mask=special)
    chosen = labels != -100
    theirs = [int(chosen[:, i].sum()) for i in FREE]
    assert fit_of_choices(theirs, N_DRAWS, 0.3, fixed=False).p_value > SIGNIFICANCE
    *_, counts = count_corruptions(TOKENS, rule_of("independent"), Random(12), N_DRAWS, N_DRAWS)
    ours = [counts.positions[i] for i in FREE]
    assert stats.chi2_contingency([ours, theirs]).pvalue > SIGNIFICANCE
    # Its random words can be [MASK] or the word itself, ours only the latter; what is left apart
    # is told from the outside by what is seen: [MASK], another word, the same word.
    n, size = int(chosen.sum()), TOKENIZER.get_vocab_size()
    masked = int((chosen & (seen == MASK)).sum())
    same = int((chosen & (seen == ids)).sum())
    expected = [n * (0.8 + 0.1 / size), n * (0.1 + 0.1 / size)]
    fit = fit_of_proportions([masked, same, n - masked - same], [*expected, n - sum(expected)])
    assert fit.p_value > SIGNIFICANCE


# Whole words and spans, in two unlike texts: words of 1 to 3 pieces, a token that belongs to no
# word, special tokens within and at the ends, padding.

MIXED = (
    sentence("[CLS]", 0, 1, 1, 1, "[SEP]", 2, 2, 3, None, 4, 4, "[SEP]", "[PAD]"),
    sentence("[CLS]", 0, 0, "[UNK]", 1, 2, 2, 2, 3, 3, "[SEP]", "[PAD]", "[PAD]", "[PAD]"),
)
# The same by hand: the words' positions, a list for each stretch between special tokens.
STRETCHES = (
    [[(1,), (2, 3, 4)], [(6, 7), (8,), (9,), (10, 11)]],
    [[(1, 2)], [(4,), (5, 6, 7), (8, 9)]],
)
TO_CHOOSE = (4, 3)  # 0.3 of 13 and of 11 tokens
N_STEPPED = 6_000  # draws of each text: 108,000 decisions
UNITS = [("word", "fixed_count"), ("word", "independent"), ("span", "fixed_count")]
LENGTH_SHARES = [0.2 * 0.8**k / (1 - 0.8**10) for k in range(10)]  # of 1, 2, ... words

Outcomes = dict[tuple[frozenset[int], int], float]  # by chosen positions and number of spans


def stated_outcomes(unit: str, selection: str, stretches, count: int) -> Outcomes:
    """Return the true probability of each outcome at a rate of 0.3, by going through all ways."""
    words = [word for stretch in stretches for word in stretch]
    chances: Outcomes = Counter()
    if unit == "span":
        return span_outcomes(stretches, count)
    if selection == "independent":
        for kept in product((False, True), repeat=len(words)):
            positions = frozenset(
                i for word, keep in zip(words, kept, strict=True) if keep for i in word
            )
            chances[positions, 0] += 0.3 ** sum(kept) * 0.7 ** (len(words) - sum(kept))
        return chances
    for order in permutations(words):
        taken: list[int] = []
        for word in order:
            taken += word if len(taken) + len(word) <= count else ()
        chances[frozenset(taken), 0] += 1 / math.factorial(len(words))
    return chances


def span_outcomes(stretches, count: int) -> Outcomes:
    free = [i for stretch in stretches for word in stretch for i in word]
    open_: Outcomes = {(frozenset(), 0): 1.0}
    full: Outcomes = Counter()
    while open_:
        taken, n_spans = first = next(iter(open_))  # the fewest spans: nothing leads here any more
        chance = open_.pop(first)
        left = [i for i in free if i not in taken]
        for start, (n_words, share) in product(left, enumerate(LENGTH_SHARES, start=1)):
            stretch = next(s for s in stretches if any(start in word for word in s))
            at = next(k for k, word in enumerate(stretch) if start in word)
            span = [i for word in stretch[at : at + n_words] for i in word if i not in taken]
            after = taken | frozenset(span[: count - len(taken)])
            into = full if len(after) == count else open_
            key = (after, n_spans + 1)
            into[key] = into.get(key, 0.0) + chance * share / len(left)
    return full


def outcomes_of_steps(tokens, rule: CorruptionRule, rng: Random) -> Counter:
    choices = (choose(tokens, roll(len(tokens), rng), rule) for _ in range(N_STEPPED))
    return Counter((frozenset(c.positions), len(c.span_words)) for c in choices)


def regrouped(chances: dict, group) -> dict:
    """Return the sums by what `group` makes of each outcome."""
    sums: Counter = Counter()
    for outcome, chance in chances.items():
        sums[group(*outcome)] += chance
    return sums


def fit_of_outcomes(seen: dict, chances: dict) -> float:
    """Return the p-value of the counts; outcomes expected less than 10 times count as one."""
    assert seen.keys() <= chances.keys()
    n = sum(seen.values())
    rare = [key for key, chance in chances.items() if n * chance < 10]
    common = [key for key in chances if key not in set(rare)]
    observed = [seen.get(key, 0) for key in common] + [sum(seen.get(key, 0) for key in rare)]
    expected = [n * chances[key] for key in common] + [n * sum(chances[key] for key in rare)]
    return fit_of_proportions(observed, expected).p_value


@pytest.mark.parametrize(("unit", "selection"), UNITS)
def test_words_and_spans_are_chosen_as_stated(unit, selection):
    assert N_STEPPED * sum(why_excluded(t) is None for text in MIXED for t in text) >= N_DECISIONS
    rule = rule_of(selection, unit=unit)
    for at, (tokens, stretches, count) in enumerate(zip(MIXED, STRETCHES, TO_CHOOSE, strict=True)):
        chances = stated_outcomes(unit, selection, stretches, count)
        seen = outcomes_of_steps(tokens, rule, Random(17 + at))
        groups = [
            lambda chosen, n_spans: (chosen, n_spans),
            lambda chosen, n_spans: len(chosen),
            lambda chosen, n_spans: n_spans,
            *(lambda chosen, n_spans, i=i: i in chosen for i in range(len(tokens))),
        ]
        for group in groups:
            truth, ours = regrouped(chances, group), regrouped(seen, group)
            assert fit_of_outcomes(ours, truth) > SIGNIFICANCE


@settings(max_examples=150, suppress_health_check=[*HealthCheck])
@given(
    batch_size=st.integers(1, 4),
    n_tokens=st.integers(1, 23),
    selection=st.sampled_from(["fixed_count", "independent"]),
    rate=st.floats(0.01, 1.0),
    seed=st.integers(0, 2**31),
)
def test_special_tokens_and_padding_are_never_chosen(batch_size, n_tokens, selection, rate, seed):
    jaxtyping.config.update("jaxtyping_disable", False)  # few calls: check their shapes
    generator = torch.Generator().manual_seed(seed)
    n_real = torch.randint(1, n_tokens + 1, (batch_size,), generator=generator)
    ids = torch.randint(0, 12, (batch_size, n_tokens), generator=generator)
    not_padding = torch.arange(n_tokens) < n_real.unsqueeze(1)
    may = not_padding & (ids >= 5)
    rule = CorruptionRule(mlm_probability=rate, selection=selection)
    chosen = batched.choose(may, n_real, rule, generator)
    sampler = batched.random_word_cdf(torch.ones(12).long(), frozenset(range(5)))
    made = batched.replace(ids, chosen, rule, generator, mask_id=4, word_cdf=sampler)
    assert not (chosen & ~may).any()
    assert made.ids[~may].equal(ids[~may]) and (made.ids[chosen] >= 4).all()
    if selection == "fixed_count":
        most = torch.minimum(batched.count_to_choose(n_real, rate), may.sum(dim=1))
        assert chosen.sum(dim=1).equal(most)


def test_a_batch_refuses_the_units_that_it_cannot_choose():
    for unit in ("word", "span"):
        with pytest.raises(ValueError, match=f"unit '{unit}': a batch is corrupted token by token"):
            batched.choose(
                torch.ones(2, 3, dtype=torch.bool),
                torch.tensor([3, 3]),
                CorruptionRule(unit=unit),  # for one text at a time
                torch.Generator(),
            )
