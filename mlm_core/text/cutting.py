"""How a word is cut into pieces, step by step: WordPiece, BPE and Unigram written out.

The library cuts faster (tokens.py); these functions cut the same (tests/reference), and keep
what the library throws away: WordPiece's failed tries, the order of BPE's merges, the cuts
that Unigram weighed and didn't take.

    WordPiece   unhappy -> unhappy? unhapp? ... un! then ##happy? ... : the longest that fits
    BPE         u n h a p p y</w> -> merge the pair that was learnt first, until none is left
    Unigram     every way to cut it -> the one with the largest product of probabilities

Source: Schuster & Nakajima 2012; Sennrich et al. 2016, Algorithm 1; Kudo 2018, section 3.2.

A long module: three algorithms belong side by side.

Read before this: tokens.py. Read next: ../encoder/attention.py; also corpora.py.
"""

import heapq
import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer

from mlm_core.text.tokens import TokenizedText

UNKNOWN_TOKENS = ("[UNK]", "<unk>")
END_OF_WORD = "</w>"
UNKNOWN_PENALTY = 10.0  # the library's: an unknown letter is e^10 less likely than any piece


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One piece that WordPiece looked up in the vocabulary."""

    piece: str  # "##" in front unless it begins the word
    start: int  # first letter in the word
    stop: int  # one past its last letter
    found: bool


def wordpiece_attempts(
    word: str, vocabulary: Collection[str], longest_word: int = 100
) -> tuple[Attempt, ...]:
    """Return every piece that is looked up, in order; the found ones are the cut.

    The longest piece that fits is taken, then the next begins behind it. If not even one
    letter fits, the whole word becomes [UNK], and the last attempt is not found.

    >>> [try_.piece for try_ in wordpiece_attempts("dog", {"do", "##g"}) if try_.found]
    ['do', '##g']
    """
    attempts: list[Attempt] = []
    start = 0 if len(word) <= longest_word else len(word)  # too long: [UNK] without a look
    while start < len(word):
        for stop in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:stop]
            found = piece in vocabulary
            attempts.append(Attempt(piece=piece, start=start, stop=stop, found=found))
            if found:
                start = stop
                break
        else:
            break
    return tuple(attempts)


@dataclass(frozen=True, kw_only=True)
class MergeStep:
    """A word after one merge of BPE."""

    pieces: tuple[str, ...]
    merged: tuple[str, str] | None  # None before the first merge
    rank: int | None  # which merge of the learnt list it was, counted from 0


def bpe_steps(
    word: str, merges: Sequence[tuple[str, str]], vocabulary: Collection[str]
) -> tuple[MergeStep, ...]:
    """Return the word as letters, then after each merge; the last step is the cut.

    >>> [step.pieces for step in bpe_steps("on", [("o", "n</w>")], {"o", "n</w>"})]
    [('o', 'n</w>'), ('on</w>',)]
    """
    rank_of = {pair: rank for rank, pair in enumerate(merges)}
    letters = [*word[:-1], word[-1:] + END_OF_WORD] if word else []
    pieces = [letter if letter in vocabulary else "[UNK]" for letter in letters]
    steps = [MergeStep(pieces=tuple(pieces), merged=None, rank=None)]
    while True:
        pairs = [
            (pieces[i], pieces[i + 1])
            for i in range(len(pieces) - 1)
            if (pieces[i], pieces[i + 1]) in rank_of
        ]
        if not pairs:
            return tuple(steps)
        earliest = min(pairs, key=rank_of.__getitem__)
        pieces = merge_pair(pieces, earliest)
        steps.append(MergeStep(pieces=tuple(pieces), merged=earliest, rank=rank_of[earliest]))


def merge_pair(pieces: Sequence[str], pair: tuple[str, str]) -> list[str]:
    """Return the pieces with `pair` joined wherever it stands, from the left.

    >>> merge_pair(["a", "b", "a", "b", "a"], ("a", "b"))
    ['ab', 'ab', 'a']
    """
    joined: list[str] = []
    i = 0
    while i < len(pieces):
        if tuple(pieces[i : i + 2]) == pair:
            joined.append(pieces[i] + pieces[i + 1])
            i += 2
        else:
            joined.append(pieces[i])
            i += 1
    return joined


@dataclass(frozen=True, kw_only=True)
class LearntMerge:
    """One step of BPE's training: the pair that stood side by side most often."""

    left: str
    right: str
    count: int  # how often the pair stood in the text at that moment


def first_merges(word_counts: Mapping[str, int], n_merges: int) -> tuple[LearntMerge, ...]:
    """Return the first merges that BPE learns from words and how often each occurs.

    Slow and plain: all pairs are counted anew for each merge. Of equally frequent pairs the
    one whose parts were learnt earlier wins, letters in alphabetical order, as the library does.
    """
    words = [
        ([*word[:-1], word[-1] + END_OF_WORD], count) for word, count in word_counts.items() if word
    ]
    letters = sorted({letter for pieces, _ in words for letter in pieces})
    order = {letter: i for i, letter in enumerate(letters)}
    learnt: list[LearntMerge] = []
    while len(learnt) < n_merges:
        pairs: Counter[tuple[str, str]] = Counter()
        for pieces, count in words:
            for i in range(len(pieces) - 1):
                pairs[pieces[i], pieces[i + 1]] += count
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], order[pair[0]], order[pair[1]]))
        learnt.append(LearntMerge(left=best[0], right=best[1], count=pairs[best]))
        order.setdefault(best[0] + best[1], len(order))
        words = [
            (merge_pair(pieces, best) if best[0] in pieces else pieces, count)
            for pieces, count in words
        ]
    return tuple(learnt)


def count_words(tokenizer: Tokenizer, lines: Iterable[str]) -> Counter[str]:
    """Return how often each word occurs, as the tokenizer's own rules split words."""
    clean, split = tokenizer.normalizer, tokenizer.pre_tokenizer
    return Counter(
        word for line in lines for word, _ in split.pre_tokenize_str(clean.normalize_str(line))
    )


@dataclass(frozen=True, kw_only=True)
class Segmentation:
    """One way to cut a word, and its log-probability: the sum over its pieces."""

    pieces: tuple[str, ...]
    log_probs: tuple[float, ...]  # of each piece, natural logarithm

    @property
    def log_prob(self) -> float:
        """Return the logarithm of the product of the pieces' probabilities."""
        return sum(self.log_probs)


def unigram_segmentations(
    word: str, log_probs: Mapping[str, float], n_best: int
) -> tuple[Segmentation, ...]:
    """Return the `n_best` likeliest ways to cut the word, best first.

    A letter that is no piece by itself counts as unknown there. Exact: a cut's log-probability
    is a sum, so the best cuts of a word end in a piece behind the best cuts of what is before.

    >>> cuts = unigram_segmentations("ab", {"ab": -3.0, "a": -1.0, "b": -1.5}, 2)
    >>> [(cut.pieces, cut.log_prob) for cut in cuts]
    [(('a', 'b'), -2.5), (('ab',), -3.0)]
    """
    ends: list[list[Segmentation]] = [[Segmentation(pieces=(), log_probs=())]]
    for stop in range(1, len(word) + 1):
        candidates = [
            Segmentation(pieces=(*before.pieces, piece), log_probs=(*before.log_probs, log_prob))
            for start, piece, log_prob in _subwords_ending_at(word, stop, log_probs)
            for before in ends[start]
        ]
        ends.append(heapq.nlargest(n_best, candidates, key=lambda cut: cut.log_prob))
    return tuple(ends[-1])


def proportion_of_best(word: str, log_probs: Mapping[str, float]) -> float:
    """Return the likeliest cut's share of the probability of all ways to cut the word, 0 to 1."""
    total, best = [0.0], [0.0]
    for stop in range(1, len(word) + 1):
        edges = _subwords_ending_at(word, stop, log_probs)
        best.append(max(best[start] + log_prob for start, _, log_prob in edges))
        ways = [total[start] + log_prob for start, _, log_prob in edges]
        largest = max(ways)
        total.append(largest + math.log(sum(math.exp(way - largest) for way in ways)))
    return math.exp(best[-1] - total[-1])


def _subwords_ending_at(
    word: str, stop: int, log_probs: Mapping[str, float]
) -> list[tuple[int, str, float]]:
    longest = max(map(len, log_probs), default=1)
    known = [
        (start, word[start:stop], log_probs[word[start:stop]])
        for start in range(max(0, stop - longest), stop)
        if word[start:stop] in log_probs
    ]
    if not any(start == stop - 1 for start, _, _ in known):
        unknown = min(log_probs.values(), default=0.0) - UNKNOWN_PENALTY
        known.append((stop - 1, "[UNK]", unknown))
    return known


def merges_of(tokenizer: Tokenizer) -> tuple[tuple[str, str], ...]:
    """Return a BPE tokenizer's merges in the order they were learnt."""
    return tuple((left, right) for left, right in _model(tokenizer, "BPE")["merges"])


def log_probs_of(tokenizer: Tokenizer) -> dict[str, float]:
    """Return a Unigram tokenizer's pieces, special tokens left out, with their log-probability."""
    special = {token.content for token in tokenizer.get_added_tokens_decoder().values()}
    pieces = _model(tokenizer, "Unigram")["vocab"]
    return {piece: log_prob for piece, log_prob in pieces if piece not in special}


def _model(tokenizer: Tokenizer, algorithm: str) -> dict:
    model = json.loads(tokenizer.to_str())["model"]
    if model["type"] != algorithm:
        raise ValueError(f"this tokenizer is {model['type']}: pass one trained as {algorithm}")
    return model


def tokens_per_word(tokenizer: Tokenizer, lines: Sequence[str]) -> float:
    """Return how many tokens a word becomes on average, words being what stands between spaces.

    Special tokens that are added around a text don't count. Raises ValueError without words.
    """
    n_words = sum(len(line.split()) for line in lines)
    if not n_words:
        raise ValueError("no words to cut: type at least one")
    encodings = tokenizer.encode_batch(list(lines), add_special_tokens=False)
    return sum(map(len, encodings)) / n_words


def count_unknown(text: TokenizedText) -> int:
    """Return how many tokens stand for something that the vocabulary can't write."""
    return sum(token.text in UNKNOWN_TOKENS for token in text.tokens)


def neighbours(tokenizer: Tokenizer, id_: int, n_each_side: int) -> tuple[tuple[int, str], ...]:
    """Return the entries before and behind `id_` in the vocabulary, itself among them.

    Entries are numbered as they were learnt or counted; neighbours need not mean alike things.
    """
    ids = range(id_ - n_each_side, id_ + n_each_side + 1)
    entries = ((i, tokenizer.id_to_token(i)) for i in ids if i >= 0)
    return tuple((i, token) for i, token in entries if token is not None)
