"""The stepped corruption: invariants, cases worked by hand, refusals."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlm_core.masking.counts import (
    chosen_when_packed,
    count_corruptions,
    expected_branches,
    probability_of_choice,
    probability_of_count,
)
from mlm_core.masking.random_words import random_words, unigram_counts
from mlm_core.masking.rule import IGNORED_LABEL, CorruptionRule, count_to_choose
from mlm_core.masking.steps import TokenRolls, choose, corrupt, moves, play_state, replace, roll
from mlm_core.text.tokens import Token, special_token_ids, train_tokenizer

TOKENIZER = train_tokenizer("WordPiece", ["the food was delicious today", "the cat sat"], 60)
COUNTS = unigram_counts(TOKENIZER, ["the food was delicious today", "the cat sat"])
WORDS = random_words(TOKENIZER, COUNTS)
MASK = (TOKENIZER.token_to_id("[MASK]"), "[MASK]")

RULES = [
    CorruptionRule(unit=unit, selection=selection, mlm_probability=0.4)
    for unit, selection in [
        ("token", "fixed_count"),
        ("token", "independent"),
        ("word", "fixed_count"),
        ("word", "independent"),
        ("span", "fixed_count"),
    ]
]


def sentence(*pieces: int | str | None) -> tuple[Token, ...]:
    """Return tokens: a number is a piece of that word, a string a special token."""
    return tuple(
        Token(
            text=piece if isinstance(piece, str) else f"w{piece}",
            id=100 + i,
            start=0,
            stop=0,
            word=None if isinstance(piece, str) else piece,
            segment=0,
            is_special=isinstance(piece, str),
        )
        for i, piece in enumerate(pieces)
    )


def rolls(*selection: float, die: float = 0.5, length: float = 0.0) -> tuple[TokenRolls, ...]:
    return tuple(TokenRolls(selection=x, die=die, word=0.5, length=length) for x in selection)


PIECES = st.lists(
    st.one_of(st.integers(0, 4), st.sampled_from(["[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]"])),
    max_size=23,
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.unit}-{rule.selection}")
@settings(max_examples=150)
@given(pieces=PIECES, seed=st.integers(0, 10**6))
def test_a_special_or_padding_token_is_never_chosen(rule, pieces, seed):
    tokens = sentence(*pieces)
    made = corrupt(tokens, roll(len(tokens), Random(seed)), rule, WORDS, MASK)
    for token, new, id_, label in zip(
        tokens, made.replacements, made.ids, made.labels, strict=True
    ):
        if token.is_special:
            assert new is None and id_ == token.id and label == IGNORED_LABEL
        assert label == (token.id if new else IGNORED_LABEL)


@settings(max_examples=150)
@given(draw=st.floats(0, 1, exclude_max=True), uniform=st.booleans())
def test_a_random_word_is_never_a_special_token(draw, uniform):
    sampler = random_words(TOKENIZER, None if uniform else COUNTS)
    id_, text = sampler.draw(draw)
    assert id_ not in special_token_ids(TOKENIZER)
    assert TOKENIZER.id_to_token(id_) == text


@settings(max_examples=150)
@given(pieces=PIECES, seed=st.integers(0, 10**6))
def test_the_same_rolls_give_the_same_corruption(pieces, seed):
    tokens = sentence(*pieces)
    for rule in RULES:
        first, second = (
            corrupt(tokens, roll(len(tokens), Random(seed)), rule, WORDS, MASK) for _ in "ab"
        )
        assert first == second


def test_a_fixed_count_takes_the_smallest_draws():
    tokens = sentence("[CLS]", 0, 1, 2, 3, "[SEP]")
    choice = choose(
        tokens, rolls(0.0, 0.9, 0.2, 0.8, 0.1, 0.0), CorruptionRule(mlm_probability=0.33)
    )
    assert choice.count == 2
    assert choice.positions == (2, 4)
    assert [each.rank for each in choice.candidates] == [None, 3, 1, 2, 0, None]
    assert choice.candidates[0].excluded == "special"


def test_each_by_itself_takes_every_draw_below_the_rate():
    rule = CorruptionRule(selection="independent", mlm_probability=0.3)
    choice = choose(sentence(0, 1, 2, 3), rolls(0.29, 0.3, 0.9, 0.0), rule)
    assert choice.count is None and choice.positions == (0, 3)


def test_pieces_of_a_word_are_chosen_together_and_roll_their_own_dice():
    rule = CorruptionRule(unit="word", mlm_probability=0.5)
    tokens = sentence(0, 1, 1, 2)
    rolled = [
        TokenRolls(selection=x, die=die, word=0.5, length=0.0)
        for x, die in ((0.5, 0.1), (0.1, 0.1), (0.9, 0.95), (0.6, 0.1))
    ]
    made = corrupt(tokens, rolled, rule, WORDS, MASK)
    assert made.choice.positions == (1, 2)
    assert [made.replacements[i].branch for i in (1, 2)] == ["mask", "keep"]


def test_a_word_longer_than_the_count_is_passed_over():
    rule = CorruptionRule(unit="word", mlm_probability=0.25)
    tokens = sentence(0, 0, 0, 1)
    assert choose(tokens, rolls(0.0, 0.0, 0.0, 0.9), rule).positions == (3,)
    assert choose(sentence(0, 0, 0), rolls(0.0, 0.0, 0.0), rule).positions == ()


def test_a_span_begins_at_a_words_start_shares_a_die_and_is_cut_at_the_count():
    rule = CorruptionRule(unit="span", mlm_probability=0.5, longest_span=3)
    # 6 tokens, so 3 to choose. Roll 0.5 of 6 free tokens is the fourth, a piece of word 1.
    tokens = sentence(0, 1, 1, 1, 2, 3)
    dice = (0.1, 0.95, 0.1, 0.1, 0.1, 0.1)
    rolled = [TokenRolls(selection=0.5, die=die, word=0.5, length=0.99) for die in dice]
    made = corrupt(tokens, rolled, rule, WORDS, MASK)
    assert made.choice.span_words == (3,)
    assert made.choice.positions == (1, 2, 3)
    assert {made.replacements[i].branch for i in (1, 2, 3)} == {"keep"}


def test_a_span_never_crosses_a_special_token():
    rule = CorruptionRule(unit="span", mlm_probability=0.9, longest_span=3)
    tokens = sentence(0, "[SEP]", 1)
    choice = choose(tokens, rolls(0.0, 0.0, 0.0, length=0.99), rule)
    assert [each.span for each in choice.candidates] == [0, None, 1]


def test_padding_does_not_count_as_text():
    tokens = sentence(0, 1, 2, 3, *["[PAD]"] * 9)
    choice = choose(tokens, rolls(*[0.5] * 13), CorruptionRule(mlm_probability=0.5))
    assert choice.count == 2
    assert choice.candidates[-1].excluded == "padding"


@pytest.mark.parametrize(
    ("die", "branch"), [(0.0, "mask"), (0.7999, "mask"), (0.8, "random"), (0.9, "keep")]
)
def test_the_die_decides_the_branch(die, branch):
    new = replace(sentence(0)[0], die, 0.5, CorruptionRule(), WORDS, MASK)
    assert new.branch == branch
    assert (new.id == 100) == (branch == "keep") and (new.id == MASK[0]) == (branch == "mask")


def test_span_lengths_follow_the_cut_geometric_distribution():
    rule = CorruptionRule(unit="span", span_stop_rate=0.5, longest_span=3)
    # 1/2, 1/4, 1/8 divided by their sum 7/8: 4/7, 2/7, 1/7.
    steps = [rule.span_length((k + 0.5) / 7) for k in range(7)]
    assert steps == [1, 1, 1, 1, 2, 2, 3]


def test_span_lengths_have_the_mean_that_the_lesson_says():
    # Geometric with p = 0.2, lengths over ten excluded: sum of k 0.8^(k-1) over that of 0.8^(k-1).
    weights = {length: 0.8 ** (length - 1) for length in range(1, 11)}
    mean = sum(length * weight for length, weight in weights.items()) / sum(weights.values())
    assert round(mean, 1) == 3.8
    lengths = [CorruptionRule().span_length((k + 0.5) / 10_000) for k in range(10_000)]
    assert max(lengths) == 10 and sum(lengths) / len(lengths) == pytest.approx(mean, abs=1e-3)


def test_unigram_words_come_up_by_their_counts_and_uniform_ones_alike():
    assert sum(WORDS.proportion(id_) for id_ in WORDS.ids) == pytest.approx(1)
    the, cat = TOKENIZER.token_to_id("the"), TOKENIZER.token_to_id("cat")
    assert WORDS.proportion(cat) > 0
    assert WORDS.proportion(the) == pytest.approx(2 * WORDS.proportion(cat))
    alike = random_words(TOKENIZER)
    assert alike.proportion(the) == pytest.approx(1 / len(alike.ids))
    assert alike.proportion(MASK[0]) == 0


def test_no_word_to_draw_is_refused():
    with pytest.raises(ValueError, match="no word to draw"):
        random_words(TOKENIZER, {})


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"mask_rate": 0.9}, "sum to 1"),
        ({"mask_rate": 1.2, "random_rate": -0.3}, "sum to 1"),
        ({"mask_rate": float("nan")}, "sum to 1"),
        ({"mlm_probability": 0.0}, "mlm_probability is 0.0"),
        ({"span_stop_rate": 1.5}, "span_stop_rate is 1.5"),
        ({"longest_span": 0}, "at least one word"),
        ({"unit": "letter"}, "choose one of token, word, span"),
        ({"selection": "all"}, "choose one of fixed_count"),
        ({"unit": "span", "selection": "independent"}, "spans fill a fixed count"),
    ],
)
def test_an_impossible_rule_is_refused_at_birth(wrong, words, unchecked_shapes):
    with pytest.raises(ValueError, match=words):
        CorruptionRule(**wrong)


def test_a_play_ends_where_the_corruption_does():
    tokens = sentence("[CLS]", 0, 1, 2, "[SEP]")
    made = corrupt(
        tokens, rolls(0, 0.1, 0.2, 0.3, 0), CorruptionRule(mlm_probability=0.4), WORDS, MASK
    )
    assert [move for move, _ in moves(made)] == ["choose", "roll", "replace", "roll", "replace"]
    begun, middle, over = (play_state(made, n) for n in (-3, 2, 99))
    assert begun.next == ("choose", None) and not begun.is_chosen
    assert middle.rolled == {1} and middle.replaced == frozenset() and middle.last == ("roll", 1)
    assert over.next is None and over.replaced == {1, 2} and over.n_done == over.n_moves == 5


def test_counts_add_up_and_come_in_slices():
    tokens = sentence("[CLS]", 0, 1, 1, 2, "[SEP]")
    rule = CorruptionRule(mlm_probability=0.34)
    slices = list(count_corruptions(tokens, rule, Random(0), 50, 20))
    assert [each.n_draws for each in slices] == [20, 40, 50]
    last = slices[-1]
    assert sum(last.positions) == last.n_branch_draws == 100 == sum(last.branches.values())
    assert last.n_chosen == {2: 50}
    assert sum(expected_branches(rule, 100).values()) == pytest.approx(100)
    with pytest.raises(ValueError, match="at least 1"):
        next(count_corruptions(tokens, rule, Random(0), 0, 1))


def test_chances_are_those_of_the_rule():
    tokens = sentence("[CLS]", 0, 1, 1, 2, "[SEP]")
    assert probability_of_choice(tokens, CorruptionRule(mlm_probability=0.34)) == (
        0,
        0.5,
        0.5,
        0.5,
        0.5,
        0,
    )
    by_itself = CorruptionRule(unit="word", selection="independent")
    assert probability_of_choice(tokens, by_itself) == (0, 0.15, 0.15, 0.15, 0.15, 0)
    assert probability_of_choice(tokens, CorruptionRule(unit="span")) is None
    assert sum(probability_of_count(7, 0.15)) == pytest.approx(1)
    assert probability_of_count(6, 0.15)[0] == pytest.approx(0.85**6)


def test_the_count_rounds_as_berts_and_is_at_least_one():
    # 10 tokens: 1.5 rounds to the even 2; 30: 4.5 to the even 4, as Python's round in BERT's code.
    assert [count_to_choose(n, 0.15) for n in (0, 1, 9, 10, 30)] == [1, 1, 1, 2, 4]


@settings(max_examples=30)
@given(lengths=st.lists(st.integers(0, 9), min_size=1, max_size=6), seed=st.integers(0, 99))
def test_a_packed_window_has_one_count_for_all_its_texts(lengths, seed):
    chosen = chosen_when_packed(lengths, 0.15, Random(seed))
    window = sum(lengths) + len(lengths) + 1
    assert sum(chosen) == min(sum(lengths), count_to_choose(window, 0.15))
    assert all(0 <= n <= length for n, length in zip(chosen, lengths, strict=True))
