"""How a word is cut into subwords, step by step: WordPiece, BPE and Unigram.

The library cuts faster (tokens.py); these functions cut the same (tests/reference), and return
the steps: WordPiece's failed attempts, the order of BPE's merges, and Unigram's candidates.

    WordPiece   unhappy -> unhappy? unhapp? ... un! then ##happy? ... : the longest match
    BPE         u n h a p p y</w> -> merge the pair that was learnt first, again and again
    Unigram     all cuts -> the one with the largest product of probabilities

Source: Schuster & Nakajima 2012; Sennrich et al. 2016, Algorithm 1; Kudo 2018, section 3.2.

A long module: the three algorithms are compared with each other.

Read before this: tokens.py. Read next: ../encoder/attention.py; also corpora.py.
"""

import heapq
import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tokenizers import Tokenizer

from mlm_core.text.tokens import TokenizedText

UNKNOWN_TOKENS = ("[UNK]", "<unk>")
END_OF_WORD = "</w>"
UNKNOWN_PENALTY = 10.0  # the library's: an unknown letter is e^10 less likely than any subword


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One subword that WordPiece looked up in the vocabulary."""

    subword: str  # "##" in front unless it begins the word
    start: int  # first letter in the word
    stop: int  # one past its last letter
    found: bool


def wordpiece_attempts(
    word: str, vocabulary: Collection[str], longest_word: int = 100
) -> tuple[Attempt, ...]:
    """Return every subword that is looked up, in order; the found ones are the cut.

    The longest subword in the vocabulary is taken, then the next begins after it. If not even
    one letter is found, the whole word becomes [UNK], and the last attempt is not found.

    >>> [try_.subword for try_ in wordpiece_attempts("dog", {"do", "##g"}) if try_.found]
    ['do', '##g']
    """
    attempts: list[Attempt] = []
    start = 0 if len(word) <= longest_word else len(word)  # too long: [UNK] without an attempt
    while start < len(word):
        for stop in range(len(word), start, -1):
            subword = ("##" if start else "") + word[start:stop]
            found = subword in vocabulary
            attempts.append(Attempt(subword=subword, start=start, stop=stop, found=found))
            if found:
                start = stop
                break
        else:
            break
    return tuple(attempts)


@dataclass(frozen=True, kw_only=True)
class MergeStep:
    """A word after one merge of BPE."""

    subwords: tuple[str, ...]
    merged: tuple[str, str] | None  # None before the first merge
    rank: int | None  # which merge of the learnt list it was, counted from 0


def bpe_steps(
    word: str, merges: Sequence[tuple[str, str]], vocabulary: Collection[str]
) -> tuple[MergeStep, ...]:
    """Return the word as letters, then after each merge; the last step is the cut.

    >>> [step.subwords for step in bpe_steps("on", [("o", "n</w>")], {"o", "n</w>"})]
    [('o', 'n</w>'), ('on</w>',)]
    """
    rank_of = {pair: rank for rank, pair in enumerate(merges)}
    letters = [*word[:-1], word[-1:] + END_OF_WORD] if word else []
    subwords = [letter if letter in vocabulary else "[UNK]" for letter in letters]
    steps = [MergeStep(subwords=tuple(subwords), merged=None, rank=None)]
    while True:
        pairs = [pair for pair in pairwise(subwords) if pair in rank_of]
        if not pairs:
            return tuple(steps)
        earliest = min(pairs, key=rank_of.__getitem__)
        subwords = merge_pair(subwords, earliest)
        steps.append(MergeStep(subwords=tuple(subwords), merged=earliest, rank=rank_of[earliest]))


def merge_pair(subwords: Sequence[str], pair: tuple[str, str]) -> list[str]:
    """Return the subwords with every occurrence of `pair` merged, from the left.

    >>> merge_pair(["a", "b", "a", "b", "a"], ("a", "b"))
    ['ab', 'ab', 'a']
    """
    joined: list[str] = []
    i = 0
    while i < len(subwords):
        if tuple(subwords[i : i + 2]) == pair:
            joined.append(subwords[i] + subwords[i + 1])
            i += 2
        else:
            joined.append(subwords[i])
            i += 1
    return joined


@dataclass(frozen=True, kw_only=True)
class LearntMerge:
    """One step of BPE's training: the most frequent pair of neighbours."""

    left: str
    right: str
    count: int  # of the pair in the text at that moment


def first_merges(word_counts: Mapping[str, int], n_merges: int) -> tuple[LearntMerge, ...]:
    """Return the first merges that BPE learns from words and how often each occurs.

    All pairs are counted again for each merge, which is slow. Of equally frequent pairs the one
    whose parts were learnt earlier is merged, letters in alphabetical order, as in the library.
    """
    words = [
        ([*word[:-1], word[-1] + END_OF_WORD], count) for word, count in word_counts.items() if word
    ]
    letters = sorted({letter for subwords, _ in words for letter in subwords})
    order = {letter: i for i, letter in enumerate(letters)}
    learnt: list[LearntMerge] = []
    while len(learnt) < n_merges:
        pairs: Counter[tuple[str, str]] = Counter()
        for subwords, count in words:
            for pair in pairwise(subwords):
                pairs[pair] += count
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], order[pair[0]], order[pair[1]]))
        learnt.append(LearntMerge(left=best[0], right=best[1], count=pairs[best]))
        order.setdefault(best[0] + best[1], len(order))
        words = [
            (merge_pair(subwords, best) if best[0] in subwords else subwords, count)
            for subwords, count in words
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
    """One way to cut a word, and its log-probability: the sum over its subwords."""

    subwords: tuple[str, ...]
    log_probs: tuple[float, ...]  # of each subword, natural logarithm

    @property
    def log_prob(self) -> float:
        """Return the logarithm of the product of the subwords' probabilities."""
        return sum(self.log_probs)


def unigram_segmentations(
    word: str, log_probs: Mapping[str, float], n_best: int
) -> tuple[Segmentation, ...]:
    """Return the `n_best` likeliest ways to cut the word, best first.

    A letter that is not in the vocabulary is [UNK]. Exact: a cut's log-probability is a sum, so
    the best cuts of a word end in a subword after the best cuts of the letters before it.

    >>> cuts = unigram_segmentations("ab", {"ab": -3.0, "a": -1.0, "b": -1.5}, 2)
    >>> [(cut.subwords, cut.log_prob) for cut in cuts]
    [(('a', 'b'), -2.5), (('ab',), -3.0)]
    """
    ends: list[list[Segmentation]] = [[Segmentation(subwords=(), log_probs=())]]
    for stop in range(1, len(word) + 1):
        candidates = [
            Segmentation(
                subwords=(*before.subwords, subword), log_probs=(*before.log_probs, log_prob)
            )
            for start, subword, log_prob in _subwords_ending_at(word, stop, log_probs)
            for before in ends[start]
        ]
        ends.append(heapq.nlargest(n_best, candidates, key=lambda cut: cut.log_prob))
    return tuple(ends[-1])


def proportion_of_best(word: str, log_probs: Mapping[str, float]) -> float:
    """Return the probability of the likeliest cut among all cuts of the word, 0 to 1."""
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
    """Return the log-probability of each subword of a Unigram tokenizer."""
    special = {token.content for token in tokenizer.get_added_tokens_decoder().values()}
    subwords = _model(tokenizer, "Unigram")["vocab"]
    return {subword: log_prob for subword, log_prob in subwords if subword not in special}


def _model(tokenizer: Tokenizer, algorithm: str) -> dict:
    model = json.loads(tokenizer.to_str())["model"]
    if model["type"] != algorithm:
        raise ValueError(f"this tokenizer is {model['type']}: pass one trained as {algorithm}")
    return model


def tokens_per_word(tokenizer: Tokenizer, lines: Sequence[str]) -> float:
    """Return the mean number of tokens of a word; words are separated by spaces.

    Added special tokens don't count. Raises ValueError without words.
    """
    n_words = sum(len(line.split()) for line in lines)
    if not n_words:
        raise ValueError("no words to cut: type at least one")
    encodings = tokenizer.encode_batch(list(lines), add_special_tokens=False)
    return sum(map(len, encodings)) / n_words


def count_unknown(text: TokenizedText) -> int:
    """Return the number of unknown tokens."""
    return sum(token.text in UNKNOWN_TOKENS for token in text.tokens)


def neighbours(tokenizer: Tokenizer, id_: int, n_each_side: int) -> tuple[tuple[int, str], ...]:
    """Return the entries before and after `id_` in the vocabulary, and its own.

    Entries are numbered as they were learnt or counted: neighbours need not be similar.
    """
    ids = range(id_ - n_each_side, id_ + n_each_side + 1)
    entries = ((i, tokenizer.id_to_token(i)) for i in ids if i >= 0)
    return tuple((i, token) for i, token in entries if token is not None)
