"""Stepped and batched corruption against the stated rates, each other and transformers.

Every test here is a chi-square test of at least 200,000 decisions at significance 1e-6. Each
has a fixed seed, so it passes always or never: nothing can flake. With other seeds, about one
in a million of right programs would fail, while shares that are off by one per cent of a
hundred would be found (200,000 * 0.01^2 / 0.16 is a chi-square of 125 in one category).
"""

from itertools import permutations
from random import Random

import pytest
import torch
from scipy import stats

from mlm_core.pretraining import corruption as batched
from mlm_core.pretraining.corruption_counts import count_corruptions, expected_branches
from mlm_core.pretraining.corruption_rule import CorruptionRule, count_to_choose
from mlm_core.pretraining.corruption_steps import choose, corrupt, roll, why_barred
from mlm_core.pretraining.goodness_of_fit import (
    fit_of_drawn_together,
    fit_of_independent,
    fit_of_shares,
)
from mlm_core.pretraining.random_words import random_words, unigram_counts
from mlm_core.text.tokens import pad, special_token_ids, tokenize, train_tokenizer

SIGNIFICANCE = 1e-6
N_DECISIONS = 200_000  # one for each token that may be chosen, each time

CORPUS = ["the river was high so we walked home over the bridge", "unbelievable stories"] * 3
# Hundreds of thousands of calls: checking the types of each would take minutes.
pytestmark = pytest.mark.usefixtures("unchecked_shapes")

TOKENIZER = train_tokenizer("WordPiece", CORPUS, 70)
TEXT = tokenize(TOKENIZER, "the river was unbelievable so we walked")
TOKENS = pad(TEXT, TOKENIZER, 3).tokens
FREE = [i for i, token in enumerate(TOKENS) if why_barred(token) is None]
N_REAL = len(TEXT.tokens)
N_DRAWS = -(-N_DECISIONS // len(FREE))
MASK = TOKENIZER.token_to_id("[MASK]")
COUNTS = unigram_counts(TOKENIZER, CORPUS)
SHARES = [(0.8, 0.1, 0.1), (1.0, 0.0, 0.0), (0.2, 0.5, 0.3)]


def n_to_choose(rate: float) -> int:
    return max(1, round(rate * N_REAL))


def stepped_rule(selection: str, shares=SHARES[0], unit="token", rate=0.3) -> CorruptionRule:
    return CorruptionRule(
        unit=unit,
        selection=selection,
        choose_rate=rate,
        mask_rate=shares[0],
        random_rate=shares[1],
        keep_rate=shares[2],
    )


def run_batched(selection: str, shares, *, uniform: bool = True) -> batched.Corruption:
    settings = batched.CorruptionSettings(
        choose_rate=0.3,
        selection=selection,
        mask_rate=shares[0],
        random_rate=shares[1],
        keep_rate=shares[2],
    )
    generator = torch.Generator().manual_seed(5)
    ids = torch.tensor([[token.id for token in TOKENS]]).repeat(N_DRAWS, 1)
    may = torch.tensor([[why_barred(token) is None for token in TOKENS]]).repeat(N_DRAWS, 1)
    chosen = batched.choose(may, torch.full((N_DRAWS,), N_REAL), settings, generator)
    lottery = batched.random_word_shares(
        torch.tensor([COUNTS.get(i, 0) for i in range(TOKENIZER.get_vocab_size())]),
        special_token_ids(TOKENIZER),
        uniform=uniform,
    )
    return batched.replace(ids, chosen, settings, generator, mask_id=MASK, word_shares=lottery)


def counts_of(made: batched.Corruption) -> tuple[list[int], list[int]]:
    """Return how often each free position was chosen, and each branch taken."""
    chosen = (made.labels != batched.IGNORED_LABEL).sum(dim=0).tolist()
    assert sum(chosen) == sum(chosen[i] for i in FREE)  # nothing else is ever chosen
    return [chosen[i] for i in FREE], [int((made.branch == b).sum()) for b in range(3)]


def fit_of_positions(selection: str, positions: list[int]):
    if selection == "fixed_count":
        return fit_of_drawn_together(positions, N_DRAWS, n_to_choose(0.3))
    return fit_of_independent(positions, N_DRAWS, 0.3)


@pytest.mark.parametrize("selection", ["fixed_count", "each_by_itself"])
@pytest.mark.parametrize("shares", SHARES, ids=str)
def test_both_keep_to_the_rates_and_agree_with_each_other(selection, shares):
    assert len(FREE) * N_DRAWS >= N_DECISIONS
    rule = stepped_rule(selection, shares)
    *_, stepped = count_corruptions(TOKENS, rule, Random(11), N_DRAWS, N_DRAWS)
    stepped_positions = [stepped.positions[i] for i in FREE]
    stepped_branches = [stepped.branches[name] for name in ("mask", "random", "keep")]
    positions, branches = counts_of(run_batched(selection, shares))
    assert sum(stepped.positions) == sum(stepped_positions)
    for chosen, taken in ((stepped_positions, stepped_branches), (positions, branches)):
        assert fit_of_positions(selection, chosen).p_value > SIGNIFICANCE
        expected = list(expected_branches(rule, sum(taken)).values())
        assert fit_of_shares(taken, expected).p_value > SIGNIFICANCE
    # Each against the other, by scipy: rows are the two programs.
    for pair in ([stepped_positions, positions], [stepped_branches, branches]):
        columns = [column for column in zip(*pair, strict=True) if any(column)]
        if len(columns) > 1:
            table = list(zip(*columns, strict=True))
            assert stats.chi2_contingency(table).pvalue > SIGNIFICANCE


@pytest.mark.parametrize("uniform", [True, False])
def test_both_draw_random_words_by_the_stated_frequencies(uniform):
    lottery = random_words(TOKENIZER, None if uniform else COUNTS)
    rng, n = Random(2), N_DECISIONS
    drawn = [0] * TOKENIZER.get_vocab_size()
    for _ in range(n):
        drawn[lottery.draw(rng.random())[0]] += 1
    made = run_batched("each_by_itself", (0.0, 1.0, 0.0), uniform=uniform)
    is_random = made.branch == batched.RANDOM
    in_batches = torch.bincount(made.ids[is_random], minlength=len(drawn)).tolist()
    special = special_token_ids(TOKENIZER)
    weights = [0 if i in special else 1 if uniform else COUNTS.get(i, 0) for i in range(len(drawn))]
    for counts in (drawn, in_batches):
        expected = [sum(counts) * weight / sum(weights) for weight in weights]
        assert fit_of_shares(counts, expected).p_value > SIGNIFICANCE
    # All tokens were to become random here: at least 50,000 draws from the batched lottery too.
    assert sum(in_batches) > 50_000


def test_whole_words_by_themselves_keep_to_the_rate():
    rule = stepped_rule("each_by_itself", unit="word")
    words = sorted({TOKENS[i].word for i in FREE})
    *_, counts = count_corruptions(TOKENS, rule, Random(1), -(-N_DECISIONS // len(words)), 10**6)
    first = [min(i for i in FREE if TOKENS[i].word == word) for word in words]
    fit = fit_of_independent([counts.positions[i] for i in first], counts.n_draws, 0.3)
    assert fit.p_value > SIGNIFICANCE
    for i in FREE:  # a word's pieces go together, every time
        start = first[words.index(TOKENS[i].word)]
        assert counts.positions[i] == counts.positions[start]
    taken = list(counts.branches.values())
    assert fit_of_shares(taken, list(expected_branches(rule, sum(taken)).values())).p_value > (
        SIGNIFICANCE
    )


def test_a_fixed_count_of_whole_words_is_the_share_of_all_orders_that_fit():
    # Four words of 1, 3, 2 and 1 pieces; 3 tokens to choose. All 24 orders are equally likely,
    # and each gives the words that fit one after another: the outcomes' true probabilities.
    from tests.pretraining.test_corruption_steps import sentence

    tokens = sentence(0, 1, 1, 1, 2, 2, 3)
    sizes, count = (1, 3, 2, 1), 3
    orders: dict[frozenset[int], int] = {}
    for order in permutations(range(4)):
        taken: set[int] = set()
        for word in order:
            if sum(sizes[w] for w in taken) + sizes[word] <= count:
                taken.add(word)
        orders[frozenset(taken)] = orders.get(frozenset(taken), 0) + 1
    rule = CorruptionRule(unit="word", choose_rate=3 / 7)
    rng, n = Random(8), N_DECISIONS // 4
    seen = dict.fromkeys(orders, 0)
    for _ in range(n):
        choice = choose(tokens, roll(7, rng), rule)
        seen[frozenset(tokens[i].word for i in choice.positions)] += 1
    expected = [n * share / 24 for share in orders.values()]
    assert fit_of_shares(list(seen.values()), expected).p_value > SIGNIFICANCE


def test_spans_fill_the_count_with_geometric_lengths_and_keep_to_the_rates():
    rule = stepped_rule("fixed_count", unit="span")
    *_, counts = count_corruptions(TOKENS, rule, Random(4), N_DRAWS, N_DRAWS)
    assert counts.n_chosen == {n_to_choose(0.3): N_DRAWS}
    assert sum(counts.positions) == sum(counts.positions[i] for i in FREE)
    taken = list(counts.branches.values())
    expected = list(expected_branches(rule, sum(taken)).values())
    assert fit_of_shares(taken, expected).p_value > SIGNIFICANCE
    # The first span's length, whatever follows; SpanBERT's p = 0.2, at most 10, rescaled.
    rng = Random(6)
    lengths = [0] * 10
    for _ in range(N_DECISIONS):
        lengths[rule.span_length(rng.random()) - 1] += 1
    shares = [0.2 * 0.8**k for k in range(10)]
    expected = [N_DECISIONS * share / sum(shares) for share in shares]
    assert fit_of_shares(lengths, expected).p_value > SIGNIFICANCE


def test_a_span_in_words_of_one_piece_starts_anywhere_alike():
    from tests.pretraining.test_corruption_steps import sentence

    tokens, n = sentence(*range(9)), N_DECISIONS // 9
    # One token to choose: where the first span starts is all that shows.
    rule = CorruptionRule(unit="span", choose_rate=0.1)
    *_, counts = count_corruptions(tokens, rule, Random(9), n, n)
    assert fit_of_drawn_together(counts.positions, n, 1).p_value > SIGNIFICANCE


def test_a_recorded_corruption_counts_as_the_counts_do():
    rule = stepped_rule("fixed_count")
    words, rng = random_words(TOKENIZER, COUNTS), Random(11)
    positions = [0] * len(TOKENS)
    for _ in range(300):
        made = corrupt(TOKENS, roll(len(TOKENS), rng), rule, words, (MASK, "[MASK]"))
        for i, label in enumerate(made.labels):
            positions[i] += label != batched.IGNORED_LABEL
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
    assert fit_of_independent(theirs, N_DRAWS, 0.3).p_value > SIGNIFICANCE
    *_, counts = count_corruptions(
        TOKENS, stepped_rule("each_by_itself"), Random(12), N_DRAWS, N_DRAWS
    )
    ours = [counts.positions[i] for i in FREE]
    assert stats.chi2_contingency([ours, theirs]).pvalue > SIGNIFICANCE
    # Its random words can be [MASK] or the word itself, ours only the latter; what is left apart
    # is told from the outside by what is seen: [MASK], another word, the same word.
    n, size = int(chosen.sum()), TOKENIZER.get_vocab_size()
    masked = int((chosen & (seen == MASK)).sum())
    same = int((chosen & (seen == ids)).sum())
    expected = [n * (0.8 + 0.1 / size), n * (0.1 + 0.1 / size)]
    fit = fit_of_shares([masked, same, n - masked - same], [*expected, n - sum(expected)])
    assert fit.p_value > SIGNIFICANCE
