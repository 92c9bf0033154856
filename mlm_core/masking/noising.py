"""Six ways to corrupt a text for denoising, and the target of each.

    masking        some tokens become [MASK]; the target is these tokens
    substitution   some tokens become random words; the target is the whole text
    deletion       some tokens are gone, and nothing says where
    insertion      random words stand between the tokens
    permutation    the sentences stand in another order
    infilling      each span becomes one sentinel; the target is the spans, each after its sentinel

Masking is what BERT is trained on. The others suit an encoder-decoder, which can write a text
of another length.

Source: SLP3 section 11.2 (the family); Lewis et al. 2020 (BART), section 2.2, for deletion and
permutation; Raffel et al. 2020 (T5), section 3.1.4, for sentinels and their target.
Departs: BART and T5 draw spans otherwise (lengths from a Poisson distribution; a mean of 3
tokens). Infilling draws them as SpanBERT does (steps.py), with at most 3 words a span.

Read before this: steps.py.
"""

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, get_args

from mlm_core.masking.random_words import RandomWords
from mlm_core.masking.rule import CorruptionRule
from mlm_core.masking.steps import choose, roll
from mlm_core.text.sentences import sentence_spans
from mlm_core.text.tokens import Token, TokenizedText

Noise = Literal["masking", "substitution", "deletion", "insertion", "permutation", "infilling"]
NOISES: tuple[Noise, ...] = get_args(Noise)
Change = Literal["same", "mask", "random", "sentinel"]

LONGEST_SPAN = 3  # words; so that a short text has more than one gap


@dataclass(frozen=True, kw_only=True)
class NoisedToken:
    """One token of a corrupted text or of its target."""

    text: str
    origin: int | None  # its position in the original; None if it was added
    change: Change = "same"


@dataclass(frozen=True, kw_only=True)
class Noised:
    """A text before and after, and what the model must write."""

    original: tuple[Token, ...]
    changed: tuple[int, ...]  # positions of the original that were touched
    corrupted: tuple[NoisedToken, ...]  # what the encoder reads
    target: tuple[NoisedToken, ...]  # what must be given back
    whole_text: bool  # the target is the whole original, not a part of it


def noise(
    kind: Noise,
    text: TokenizedText,
    rate: float,
    rng: Random,
    words: RandomWords,
    mask: str = "[MASK]",
) -> Noised:
    """Corrupt a text in one of the ways; `rate` is the proportion of changed tokens.

    Special tokens are dropped first. Permutation takes no rate.
    Raises ValueError for an unknown kind.
    """
    if kind not in NOISES:
        raise ValueError(f"noise {kind!r}: choose one of {', '.join(NOISES)}")
    if kind == "permutation":
        return permute(text, rng)
    tokens = _content(text)
    if not tokens:
        return _noised(tokens, (), (), _all(tokens), True)
    unit = "span" if kind == "infilling" else "token"
    rule = CorruptionRule(mlm_probability=rate, unit=unit, longest_span=LONGEST_SPAN)
    chosen = choose(tokens, roll(len(tokens), rng), rule).positions
    if kind == "masking":
        return mask_tokens(tokens, chosen, mask)
    if kind == "infilling":
        return infill(tokens, chosen)
    if kind == "deletion":
        return delete(tokens, chosen)
    add_words: Callable = substitute if kind == "substitution" else insert
    return add_words(tokens, chosen, [words.draw(rng.random())[1] for _ in chosen])


def mask_tokens(tokens: Sequence[Token], chosen: Sequence[int], mask: str) -> Noised:
    """Replace tokens by [MASK]: each target stays at its position."""
    corrupted = _all(tokens, dict.fromkeys(chosen, mask), "mask")
    return _noised(tokens, chosen, corrupted, [_all(tokens)[i] for i in chosen], False)


def substitute(tokens: Sequence[Token], chosen: Sequence[int], words: Sequence[str]) -> Noised:
    """Replace tokens by other words. Nothing marks them."""
    corrupted = _all(tokens, dict(zip(chosen, words, strict=True)), "random")
    return _noised(tokens, chosen, corrupted, _all(tokens), True)


def delete(tokens: Sequence[Token], chosen: Sequence[int]) -> Noised:
    """Remove tokens without a mark: the model must find where something is missing."""
    gone = set(chosen)
    corrupted = [token for i, token in enumerate(_all(tokens)) if i not in gone]
    return _noised(tokens, chosen, corrupted, _all(tokens), True)


def insert(tokens: Sequence[Token], chosen: Sequence[int], words: Sequence[str]) -> Noised:
    """Insert a word before each chosen token."""
    new = dict(zip(chosen, words, strict=True))
    corrupted: list[NoisedToken] = []
    for i, token in enumerate(_all(tokens)):
        if i in new:
            corrupted.append(NoisedToken(text=new[i], origin=None, change="random"))
        corrupted.append(token)
    return _noised(tokens, (), corrupted, _all(tokens), True)


def permute(text: TokenizedText, rng: Random) -> Noised:
    """Put the sentences into another order.

    Departs: BART's shuffle may leave the order as it was; this one never does.
    """
    tokens, parts = _content(text), sentence_positions(text)
    order = list(range(len(parts)))
    while len(order) > 1 and order == sorted(order):
        rng.shuffle(order)
    original = _all(tokens)
    corrupted = [original[i] for k in order for i in parts[k]]
    moved = [i for new, old in enumerate(order) if new != old for i in parts[old]]
    return _noised(tokens, sorted(moved), corrupted, original, True)


def infill(tokens: Sequence[Token], chosen: Iterable[int]) -> Noised:
    """Replace runs of chosen tokens by sentinels; the target has them with the tokens.

    A last sentinel ends the target, as in T5.
    """
    gone = set(chosen)
    corrupted: list[NoisedToken] = []
    target: list[NoisedToken] = []
    n_sentinels = 0
    for i, token in enumerate(_all(tokens)):
        if i not in gone:
            corrupted.append(token)
            continue
        if i - 1 not in gone:
            corrupted.append(sentinel(n_sentinels))
            target.append(sentinel(n_sentinels))
            n_sentinels += 1
        target.append(token)
    target.append(sentinel(n_sentinels))
    return _noised(tokens, sorted(gone), corrupted, target, False)


def sentinel(number: int) -> NoisedToken:
    """Return T5's mark for the gap of that number.

    >>> sentinel(0).text
    '<extra_id_0>'
    """
    return NoisedToken(text=f"<extra_id_{number}>", origin=None, change="sentinel")


def sentence_positions(text: TokenizedText) -> list[list[int]]:
    """Return the positions of each sentence's tokens, special tokens not counted."""
    starts = [start for start, _ in sentence_spans(text.text)]
    positions: list[list[int]] = [[] for _ in starts]
    for i, token in enumerate(_content(text)):
        # By its last character: RoBERTa's tokens begin with the space before the word.
        positions[max(0, bisect(starts, token.stop - 1) - 1)].append(i)
    return [part for part in positions if part]


def _content(text: TokenizedText) -> tuple[Token, ...]:
    return tuple(token for token in text.tokens if not token.is_special)


def _all(
    tokens: Sequence[Token], new: Mapping[int, str] | None = None, change: Change = "same"
) -> list[NoisedToken]:
    """Return all tokens, with other texts at some positions."""
    new = new or {}
    return [
        NoisedToken(text=new.get(i, token.text), origin=i, change=change if i in new else "same")
        for i, token in enumerate(tokens)
    ]


def _noised(
    tokens: Sequence[Token],
    changed: Iterable[int],
    corrupted: Iterable[NoisedToken],
    target: Iterable[NoisedToken],
    whole_text: bool,
) -> Noised:
    return Noised(
        original=tuple(tokens),
        changed=tuple(changed),
        corrupted=tuple(corrupted),
        target=tuple(target),
        whole_text=whole_text,
    )
