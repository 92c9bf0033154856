"""The 80/10/10 corruption of one text, with every random decision recorded.

    roll     draw four numbers from 0 to 1 for each token; nothing else is random
    choose   which tokens the model must predict, from the numbers and the rule
    replace  what each chosen token becomes, from the numbers and the rule
    moves    the same as a list of small steps: choose, then roll and replace for each token

The numbers do not depend on the rule. So the same numbers can be used under another rule, and one
number can be drawn again or set by hand while all others stay.

Source: Devlin et al. 2019, section 3.1 and appendix A.1; SLP3 section 11.2.1;
google-research/bert for the fixed count and for whole words; transformers'
DataCollatorForLanguageModeling for independent choices; Joshi et al. 2020, section 3.1 (spans).
Departs: every special token is left alone, [UNK] and a typed [MASK] too, where BERT spares
[CLS] and [SEP] only; a span's start is drawn among the tokens not yet chosen, which is the
same as drawing again until one is hit.

Read before this: rule.py. Read next: batch.py; also counts.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

from mlm_core.masking.random_words import RandomWords
from mlm_core.masking.rule import IGNORED_LABEL, Branch, CorruptionRule, count_to_choose
from mlm_core.short_repr import short_repr
from mlm_core.text.tokens import Token

Excluded = Literal["special", "padding"]

PADDING = ("[PAD]", "<pad>")


class TokenRolls(NamedTuple):
    """The random numbers of one token: from 0 to 1, 1 excluded."""

    selection: float  # decides whether it is chosen
    die: float  # decides the branch
    word: float  # decides the random word
    length: float  # decides a span's length: the first token's that of the first span, and so on


class Candidate(NamedTuple):
    """The first decision about one token: whether the model must predict it."""

    excluded: Excluded | None  # why it may not be chosen
    unit: int | None = None  # number of the token or word it is drawn with; None if excluded
    draw: float | None = None  # its unit's draw; None if excluded, and for spans
    rank: int | None = None  # of that draw among all units, 0 the smallest; None for spans
    is_chosen: bool = False
    span: int | None = None  # number of the span that contains it


@dataclass(frozen=True, kw_only=True)
class Draws:
    """What follows from a text and a rule before any random number is drawn."""

    count: int | None  # tokens to choose; None if independent
    units: tuple[list[int], ...]  # the positions that are drawn together; for spans, the words
    candidates: tuple[Candidate, ...]  # one a token, before the choice


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Which tokens are chosen, with the reason for each."""

    count: int | None  # tokens to choose; None if independent
    candidates: tuple[Candidate, ...]  # one a token
    span_words: tuple[int, ...]  # the length drawn for each span, in words

    @property
    def positions(self) -> tuple[int, ...]:
        """Return the chosen positions: those that count in the loss."""
        return tuple(i for i, each in enumerate(self.candidates) if each.is_chosen)


@dataclass(frozen=True, kw_only=True)
class Replacement:
    """The second decision about a chosen token: what the encoder sees in its place."""

    die: float
    branch: Branch
    id: int
    text: str


@short_repr("texts")
@dataclass(frozen=True, kw_only=True)
class Corruption:
    """A text with all its decisions."""

    tokens: tuple[Token, ...]
    choice: Choice
    replacements: tuple[Replacement | None, ...]  # one a token; None where not chosen

    @property
    def ids(self) -> list[int]:
        """Return what the encoder sees."""
        pairs = zip(self.tokens, self.replacements, strict=True)
        return [new.id if new else token.id for token, new in pairs]

    @property
    def texts(self) -> list[str]:
        """Return what the encoder sees, as the vocabulary writes it."""
        pairs = zip(self.tokens, self.replacements, strict=True)
        return [new.text if new else token.text for token, new in pairs]

    @property
    def labels(self) -> list[int]:
        """Return the original id where it must be predicted, IGNORED_LABEL elsewhere."""
        pairs = zip(self.tokens, self.replacements, strict=True)
        return [token.id if new else IGNORED_LABEL for token, new in pairs]


def roll(n_tokens: int, rng: Random) -> tuple[TokenRolls, ...]:
    """Return the rolls of a text; equal seeds give a longer text the same first ones."""
    return tuple(TokenRolls(*(rng.random() for _ in range(4))) for _ in range(n_tokens))


def why_excluded(token: Token) -> Excluded | None:
    """Return why a token may never be chosen, or None if it may."""
    if not token.is_special:
        return None
    return "padding" if token.text in PADDING else "special"


def choose(tokens: Sequence[Token], rolls: Sequence[TokenRolls], rule: CorruptionRule) -> Choice:
    """Return which tokens the model must predict, with the reason for each.

    A fixed count takes the units with the smallest draws; a word that would go beyond the
    count is passed over, so fewer may be chosen (none, if every word is longer). An independent
    choice takes every unit whose draw is below the rate.
    """
    return choose_among(draws_of(tokens, rule), rolls, rule)


def draws_of(tokens: Sequence[Token], rule: CorruptionRule) -> Draws:
    """Return the part of a choice that is the same for all rolls, to compute it once."""
    excluded = tuple(why_excluded(token) for token in tokens)
    n_real = sum(reason != "padding" for reason in excluded)
    count = None
    if rule.selection == "fixed_count":
        count = count_to_choose(n_real, rule.mlm_probability)
    for_reason = {reason: Candidate(reason) for reason in set(excluded)}
    return Draws(
        count=count,
        units=tuple(_units(tokens, excluded, by_word=rule.unit != "token")),
        candidates=tuple(for_reason[reason] for reason in excluded),
    )


def choose_among(of_text: Draws, rolls: Sequence[TokenRolls], rule: CorruptionRule) -> Choice:
    """Return what `choose` returns, from the result of `draws_of`."""
    count, units = of_text.count, of_text.units
    if rule.unit == "span":
        return _choose_spans(of_text, rolls, rule)
    draws = [rolls[unit[0]].selection for unit in units]
    order = sorted(range(len(units)), key=draws.__getitem__)
    candidates = list(of_text.candidates)
    n_chosen = 0
    for rank, k in enumerate(order):
        n_then = n_chosen + len(units[k])
        is_chosen = draws[k] < rule.mlm_probability if count is None else n_then <= count
        if is_chosen:
            n_chosen = n_then
        of_unit = Candidate(None, k, draws[k], rank, is_chosen)
        for i in units[k]:
            candidates[i] = of_unit
    return Choice(count=count, candidates=tuple(candidates), span_words=())


def replace(
    token: Token,
    die: float,
    word: float,
    rule: CorruptionRule,
    words: RandomWords,
    mask: tuple[int, str],
) -> Replacement:
    """Return what the encoder sees for a chosen token; `mask` is [MASK]'s id and text."""
    branch = rule.branch(die)
    id_, text = token.id, token.text
    if branch == "mask":
        id_, text = mask
    elif branch == "random":
        id_, text = words.draw(word)
    return Replacement(die=die, branch=branch, id=id_, text=text)


def corrupt(
    tokens: Sequence[Token],
    rolls: Sequence[TokenRolls],
    rule: CorruptionRule,
    words: RandomWords,
    mask: tuple[int, str],
) -> Corruption:
    """Choose and replace. All tokens of a span share its first token's die."""
    choice = choose(tokens, rolls, rule)
    replacements: list[Replacement | None] = [None] * len(tokens)
    draws_by_span: dict[int, float] = {}
    for i in choice.positions:
        die = rolls[i].die
        span = choice.candidates[i].span
        if span is not None:
            die = draws_by_span.setdefault(span, die)
        replacements[i] = replace(tokens[i], die, rolls[i].word, rule, words, mask)
    return Corruption(tokens=tuple(tokens), choice=choice, replacements=tuple(replacements))


def _units(
    tokens: Sequence[Token], excluded: Sequence[Excluded | None], *, by_word: bool
) -> list[list[int]]:
    """Return the positions that are drawn together: words, or single tokens."""
    units: dict[object, list[int]] = {}
    for i, (token, reason) in enumerate(zip(tokens, excluded, strict=True)):
        if reason is None:
            whole = by_word and token.word is not None
            units.setdefault((token.segment, token.word) if whole else i, []).append(i)
    return list(units.values())


def _choose_spans(of_text: Draws, rolls: Sequence[TokenRolls], rule: CorruptionRule) -> Choice:
    """Return spans of whole words up to the count, which may shorten the last."""
    words, count = of_text.units, of_text.count
    assert count is not None  # spans are chosen up to a count
    word_of = {i: k for k, word in enumerate(words) for i in word}
    span_of: dict[int, int] = {}
    lengths: list[int] = []
    for rolled in rolls:
        left = [i for i in word_of if i not in span_of]
        if not left or len(span_of) >= count:
            break
        start = word_of[left[int(rolled.selection * len(left))]]
        lengths.append(rule.span_length(rolled.length))
        before = words[start][0] - 1
        for word in words[start : start + lengths[-1]]:
            if word[0] != before + 1:
                break  # a special token stands between: a span never crosses one
            for i in word:
                if len(span_of) < count:
                    span_of.setdefault(i, len(lengths) - 1)
            before = word[-1]
    candidates = tuple(
        each._replace(unit=word_of.get(i), is_chosen=i in span_of, span=span_of.get(i))
        for i, each in enumerate(of_text.candidates)
    )
    return Choice(count=count, candidates=candidates, span_words=tuple(lengths))


Move = Literal["choose", "roll", "replace"]


@dataclass(frozen=True, kw_only=True)
class PlayState:
    """The state of a corruption after some of its moves."""

    n_done: int  # moves made
    n_moves: int  # of the whole corruption
    is_chosen: bool
    rolled: frozenset[int]  # positions whose branch is drawn
    replaced: frozenset[int]
    last: tuple[Move, int | None] | None  # the move just made, and where
    next: tuple[Move, int | None] | None  # None at the end


def moves(corruption: Corruption) -> tuple[tuple[Move, int | None], ...]:
    """Return all moves in order. Choosing is one move for the whole text."""
    found: list[tuple[Move, int | None]] = [("choose", None)]
    for i in corruption.choice.positions:
        found += [("roll", i), ("replace", i)]
    return tuple(found)


def play_state(corruption: Corruption, n_done: int) -> PlayState:
    """Return the state after `n_done` moves, or after all if there are fewer."""
    every = moves(corruption)
    n_done = max(0, min(n_done, len(every)))
    done = every[:n_done]
    return PlayState(
        n_done=n_done,
        n_moves=len(every),
        is_chosen=n_done > 0,
        rolled=frozenset(i for move, i in done if move == "roll" and i is not None),
        replaced=frozenset(i for move, i in done if move == "replace" and i is not None),
        last=done[-1] if done else None,
        next=every[n_done] if n_done < len(every) else None,
    )
